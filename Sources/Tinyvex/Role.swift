/// The rights of a connected client. Each role includes the rights of the lower ones.
public enum Role: String, Sendable, CaseIterable, Comparable, Codable {
    /// Can read: subscribe, query, search and export.
    case observe
    /// Can use sessions: prompt, cancel, answer permission requests, start agents, and change the data stored about
    /// a session.
    case control
    /// Can manage the bridge: create and revoke tokens, stop the bridge.
    case admin

    public static func < (a: Role, b: Role) -> Bool { a.rank < b.rank }

    private var rank: Int {
        switch self {
        case .observe: 0
        case .control: 1
        case .admin: 2
        }
    }
}
