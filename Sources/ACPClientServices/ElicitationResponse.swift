import ACPBase
import ACPMethods
import JSONCoding

extension ACP.Client {
    /// The user's response: `{"action":"accept","content":{"name":"x"}}`. Schema: `CreateElicitationResponse`,
    /// `ElicitationAcceptAction`.
    public struct ElicitationCreateResponse: ACP.Object {
        /// Whether the user answered the question.
        public var action: ACP.ElicitationAction
        /// The values of the form's fields, by field name. Only present with `accept`.
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
    /// Whether the user answered a question. Names that begin with `_` are free for extensions.
    public struct ElicitationAction: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The user answered; `content` holds the values of a form.
        public static let accept = Self(rawValue: "accept")
        /// The user refused explicitly.
        public static let decline = Self(rawValue: "decline")
        /// The user dismissed the question without an answer.
        public static let cancel = Self(rawValue: "cancel")

        public static let allCases = [accept, decline, cancel]
    }

    /// The value of a form field. Schema: `ElicitationContentValue`.
    public enum ElicitationContentValue: Hashable, Sendable {
        /// The value of a text field, or one chosen string.
        case string(String)
        /// A whole number, from a field of type number or integer.
        case integer(Int64)
        /// Any other number.
        case number(Double)
        /// The value of a Boolean field.
        case boolean(Bool)
        /// Several chosen strings.
        case strings([String])
        /// Any other value; its JSON is kept unchanged.
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

extension ACP {
    /// Identifies a question that the user answers in a browser. Schema: `ElicitationId`.
    public struct ElicitationId: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}

extension ACP.Client {
    /// The user has completed the interaction at the URL. Clients must ignore unknown ids. Schema:
    /// `CompleteElicitationNotification`.
    public struct ElicitationCompleteNotification: ACP.Notification {
        public static let method = ACPMethod.elicitationComplete.name

        /// The id from `elicitation/create`.
        public var elicitationId: ACP.ElicitationId
        public var otherMembers: OtherMembers

        public init(elicitationId: ACP.ElicitationId, meta: RawJSON? = nil) {
            self.elicitationId = elicitationId
            otherMembers = OtherMembers(meta: meta)
        }
    }
}
