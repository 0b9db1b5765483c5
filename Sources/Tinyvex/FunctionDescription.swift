/// A named query, mutation or action in the catalogue.
public struct FunctionDescription: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        /// A value that is sent again when it changes. Only reads.
        case query
        /// Changes data that the bridge stores. Mutations run one at a time, and once per `requestId`.
        case mutation
        /// Has effects outside the data that the bridge stores.
        case action
    }

    /// A member of `params` or `args`. The schema defines its type, under `NAME.params` or `NAME.args`.
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

    /// The name, for example `sessions:list`.
    public let name: String
    public let kind: Kind
    /// One sentence for people.
    public let summary: String
    public let parameters: [Parameter]
    /// The minimum role that can call the function.
    public let role: Role
    /// True if repeating the call has no further effect, so that a client that lost the response can call again.
    /// Mutations are idempotent because of their `requestId`.
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
