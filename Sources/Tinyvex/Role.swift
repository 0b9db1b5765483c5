/// What someone who is connected may do. Each role may do all that the ones below it may.
public enum Role: String, Sendable, CaseIterable, Comparable, Codable {
    /// Read: subscribe, ask, search, export.
    case observe
    /// Drive sessions: prompt, cancel, answer permissions, start agents, change what the bridge keeps of a session.
    case control
    /// See to the bridge itself: tokens, its end.
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
