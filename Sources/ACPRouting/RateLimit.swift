import FieldLimits
import JSONScan

/// The state of an account's rate limit, as an agent reported it last. Pure.
///
/// ACP has no member for it. Claude's adapter puts the `rate_limit_info` of its SDK into the `_meta` of a
/// `usage_update`, as `_claude/rateLimit`. Other agents report none.
package struct RateLimit: Sendable, Equatable {
    package enum State: String, Sendable {
        case ok, near, reached
    }

    package let state: State
    /// The agent's name of the limit, such as `five_hour`. Nil if it has none, or one of more than
    /// ``windowLimitBytes`` bytes.
    package let window: String?
    /// The used share, 0 to 1. Nil if unknown.
    package let used: Double?
    /// Milliseconds since 1970. Nil if unknown.
    package let resetsTs: Int64?

    /// The known names have at most 26 bytes.
    private static let windowLimitBytes = 64
    /// From this share on, a limit is ``State/near`` whatever status the agent reports.
    private static let nearShare = 0.8

    /// Returns nil if the update has no rate limit.
    ///
    /// - Parameter update: A `usage_update`.
    package init?(_ update: JSONValue) {
        guard let info = update["_meta"]?["_claude/rateLimit"], info.kind == .object else { return nil }
        let (name, facts) = Self.decisive(in: info)
        window = name?.within(bytes: Self.windowLimitBytes)
        let share = facts["utilization"]?.doubleValue.flatMap { $0.isFinite && $0 >= 0 ? min($0, 1) : nil }
        used = share
        resetsTs = (facts["resetsAt"] ?? info["resetsAt"])?.doubleValue.flatMap(Self.milliseconds)
        state =
            switch info["status"]?.stringValue {
            case "rejected": .reached
            case "allowed_warning": .near
            default: (share ?? 0) >= Self.nearShare ? .near : .ok
            }
    }

    /// Returns the window that the agent names with its share, or else the fullest one of all.
    private static func decisive(in info: JSONValue) -> (String?, JSONValue) {
        let named = info["rateLimitType"]?.stringValue
        if info["utilization"]?.doubleValue != nil { return (named, info) }
        let windows = info["unifiedWindows"]?.members ?? []
        if let named, info["status"]?.stringValue != "allowed" {
            return (named, windows.first { $0.name == named }?.value ?? info)
        }
        let fullest = windows.max { share($0.value) < share($1.value) }
        return fullest.map { ($0.name, $0.value) } ?? (named, info)
    }

    private static func share(_ window: JSONValue) -> Double { window["utilization"]?.doubleValue ?? -1 }

    /// Reads seconds or milliseconds since 1970. Milliseconds below 100 billion would be a time before 1973.
    private static func milliseconds(_ time: Double) -> Int64? {
        guard time > 0 else { return nil }
        return Int64(exactly: (time < 1e11 ? time * 1000 : time).rounded())
    }

    /// Reads what ``write(to:)`` has written.
    package init?(stored value: JSONValue) {
        guard let state = value["state"]?.stringValue.flatMap(State.init) else { return nil }
        self.state = state
        window = value["window"]?.stringValue
        used = value["used"]?.doubleValue
        resetsTs = value["resetsTs"]?.int64Value
    }

    /// Writes `"state":"near","window":"five_hour","used":0.84,"resetsTs":1763700000000`.
    package func write(to writer: inout JSONWriter) {
        writer.member("state", state.rawValue)
        writer.member("window", ifPresent: window)
        writer.member("used", ifPresent: used)
        writer.member("resetsTs", ifPresent: resetsTs)
    }
}
