/// A named query, mutation or action, as the catalogue has it.
public struct FunctionDescription: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        /// A value that is pushed when it changes. Reads only.
        case query
        /// Changes what the bridge keeps; run one after another, and once for each `requestId`.
        case mutation
        /// Reaches outside the bridge's own record.
        case action
    }

    /// A member of `params` or `args`. Its type is in the schema, under `NAME.params` or `NAME.args`.
    public struct Parameter: Sendable, Equatable {
        public let name: String
        public let isRequired: Bool

        public init(name: String, isRequired: Bool) {
            self.name = name
            self.isRequired = isRequired
        }

        public static func required(_ name: String) -> Parameter { Parameter(name: name, isRequired: true) }
        public static func optional(_ name: String) -> Parameter { Parameter(name: name, isRequired: false) }
    }

    /// `sessions:list`
    public let name: String
    public let kind: Kind
    /// One sentence for people.
    public let summary: String
    public let parameters: [Parameter]
    /// The least role that may use it.
    public let role: Role
    /// Doing it twice is the same as doing it once: a client that lost the answer may ask again. Mutations are by their
    /// `requestId`.
    public let isIdempotent: Bool

    public init(
        name: String, kind: Kind, summary: String, parameters: [Parameter], role: Role, isIdempotent: Bool
    ) {
        self.name = name
        self.kind = kind
        self.summary = summary
        self.parameters = parameters
        self.role = role
        self.isIdempotent = isIdempotent
    }

    public static func query(
        _ name: QueryName, _ summary: String, _ parameters: [Parameter] = [], role: Role = .observe
    ) -> FunctionDescription {
        FunctionDescription(
            name: name.rawValue, kind: .query, summary: summary, parameters: parameters, role: role, isIdempotent: true)
    }

    public static func mutation(
        _ name: MutationName, _ summary: String, _ parameters: [Parameter], role: Role = .control
    ) -> FunctionDescription {
        FunctionDescription(
            name: name.rawValue, kind: .mutation, summary: summary, parameters: parameters, role: role,
            isIdempotent: true)
    }

    public static func action(
        _ name: ActionName, _ summary: String, _ parameters: [Parameter] = [], role: Role, isIdempotent: Bool
    ) -> FunctionDescription {
        FunctionDescription(
            name: name.rawValue, kind: .action, summary: summary, parameters: parameters, role: role,
            isIdempotent: isIdempotent)
    }
}
