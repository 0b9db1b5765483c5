/// A set of named values that later versions can extend. Unknown values are kept and written back unchanged.
///
///     struct Role: OpenEnum {
///         let rawValue: String
///         init(rawValue: String) { self.rawValue = rawValue }
///         static let user = Role(rawValue: "user")
///         static let allCases = [user]
///     }
///
///     switch role {
///     case .user: …
///     default: …  // role.isKnown == false, role.rawValue is what was read
///     }
public protocol OpenEnum: RawRepresentable, CaseIterable, Hashable, Codable, Sendable
where RawValue: Hashable & Codable & Sendable, AllCases == [Self] {
    init(rawValue: RawValue)
}

extension OpenEnum {
    /// False for a value that this version does not know.
    public var isKnown: Bool { Self.allCases.contains(self) }
}
