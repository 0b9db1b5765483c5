import JSONCoding

extension ACP.Client {
    /// What the user did: `{"action":"accept","content":{"name":"x"}}`. Schema: `CreateElicitationResponse`,
    /// `ElicitationAcceptAction`.
    public struct ElicitationCreateResponse: ACP.Object {
        /// Whether the user answered.
        public var action: ACP.ElicitationAction
        /// What the form was filled in with, by the names of its fields. With `accept` only.
        public var content: [String: ACP.ElicitationContentValue]?
        public var otherMembers: OtherMembers

        public init(
            action: ACP.ElicitationAction, content: [String: ACP.ElicitationContentValue]? = nil,
            meta: RawJSON? = nil
        ) {
            self.action = action
            self.content = content
            otherMembers = OtherMembers(meta: meta)
        }
    }
}

extension ACP {
    /// Whether the user answered a question. Names that begin with `_` are anyone's.
    public struct ElicitationAction: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Yes; `content` holds the answer to a form.
        public static let accept = Self(rawValue: "accept")
        /// No, by choice.
        public static let decline = Self(rawValue: "decline")
        /// No, without a choice: the question was sent away.
        public static let cancel = Self(rawValue: "cancel")

        public static let allCases = [accept, decline, cancel]
    }

    /// What a field was filled in with. Schema: `ElicitationContentValue`.
    public enum ElicitationContentValue: Hashable, Sendable {
        /// Of a field for text, or for one of several strings.
        case string(String)
        /// A number that is whole, of a field for either kind.
        case integer(Int64)
        /// Any other number.
        case number(Double)
        /// Of a field for yes or no.
        case boolean(Bool)
        /// Of a field for several.
        case strings([String])
        /// Anything else, as it is spelt.
        case unknown(RawJSON)
    }
}

extension ACP.ElicitationContentValue: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let string = try? container.decode(String.self) {
            self = .string(string)
        } else if let integer = try? container.decode(Int64.self) {
            self = .integer(integer)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let bool = try? container.decode(Bool.self) {
            self = .boolean(bool)
        } else if let strings = try? container.decode([String].self) {
            self = .strings(strings)
        } else {
            self = .unknown(try container.decode(RawJSON.self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .string(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .boolean(let value): try container.encode(value)
        case .strings(let value): try container.encode(value)
        case .unknown(let value): try container.encode(value)
        }
    }
}
