import JSONScan
import Posix
import TerminalIO

/// The sentences of `acpbridge hub status` about the user's own bridge. Pure.
enum HubFigures {
    /// - Parameters:
    ///   - status: The value of `bridge:status`.
    ///   - now: Milliseconds since 1970.
    static func lines(_ status: JSONValue, now: Int64) -> [String] {
        ["hub", "hubReader"].compactMap { member in status[member].map { line(member, $0, now: now) } }
    }

    /// - Parameter member: `hub` or `hubReader`, the member of `bridge:status` with this value.
    static func line(_ member: String, _ value: JSONValue, now: Int64) -> String {
        member == "hub" ? shipping(value, now) : reading(value)
    }

    private static func shipping(_ hub: JSONValue, _ now: Int64) -> String {
        let state = hub["state"]?.stringValue ?? "unknown"
        var parts = ["This bridge ships to \(hub["place"]?.stringValue ?? "a hub"): \(state)"]
        if let waiting = hub["waitingSessions"]?.int64Value, waiting > 0 { parts.append("\(waiting) sessions wait") }
        if let refused = hub["refusedSessions"]?.int64Value, refused > 0 { parts.append("\(refused) sessions refused") }
        if let updates = hub["shippedUpdates"]?.int64Value { parts.append("\(updates) updates shipped") }
        if let last = hub["lastShippedTs"]?.int64Value { parts.append("last \(Dates.ago(milliseconds: now - last))") }
        if hub["hasStandby"]?.boolValue == false {
            parts.append("clients wait for the hub, which has no synchronous standby")
        }
        return parts.joined(separator: ", ") + ending(hub)
    }

    private static func reading(_ reader: JSONValue) -> String {
        let place = reader["place"]?.stringValue ?? "a hub"
        return "This bridge reads other bridges' sessions from \(place): \(reader["state"]?.stringValue ?? "unknown")"
            + ending(reader)
    }

    private static func ending(_ state: JSONValue) -> String {
        state["error"]?.stringValue.map { ": \($0)" } ?? ""
    }
}
