import JSONCoding

extension ACP {
    /// The values to choose from. They are grouped if the first element is a group. Schema:
    /// `SessionConfigSelectOptions`.
    public enum SessionConfigSelectOptions: Hashable, Codable, Sendable {
        /// Values without groups, in display order.
        case ungrouped([SessionConfigSelectOption])
        /// Groups of values, in display order.
        case grouped([SessionConfigSelectGroup])

        public init(from decoder: any Decoder) throws {
            var probe = try decoder.unkeyedContainer()
            let isGrouped = try !probe.isAtEnd && probe.superDecoder().hasMember("group")
            let container = try decoder.singleValueContainer()
            self =
                isGrouped
                ? .grouped(try container.decode([SessionConfigSelectGroup].self))
                : .ungrouped(try container.decode([SessionConfigSelectOption].self))
        }

        public func encode(to encoder: any Encoder) throws {
            switch self {
            case .ungrouped(let options): try options.encode(to: encoder)
            case .grouped(let groups): try groups.encode(to: encoder)
            }
        }
    }
}
