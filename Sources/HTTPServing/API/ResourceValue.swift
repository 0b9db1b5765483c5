import HTTP1
import JSONScan
import Tinyvex

/// Converts values to the format that apps know from edge functions: lists are wrapped, objects are bare, and times are
/// dates.
///
/// Of the bridge's own objects, `lastTs` in milliseconds becomes `lastAt` as `2024-01-15T10:30:00Z`. Members that an
/// agent wrote remain unchanged.
enum ResourceValue {
    /// Converts a page that already has the form `{"data":[…],"total":2,"page":1,"limit":50}`.
    static func list(_ value: JSONValue) -> [UInt8] {
        JSONWriter.object { writer in
            writer.memberArray("data") { writer in
                for row in value["data"]?.elements ?? [] { writer.element(raw: dated(row)) }
            }
            for name in ["total", "page", "limit"] { writer.member(name, ifPresent: value[name]?.int64Value) }
            writer.member("nextCursor", ifPresent: value["nextCursor"]?.stringValue)
        }
    }

    /// Converts the value of `agents:list` to one row for each agent name, with the running agents of that name.
    static func agents(_ value: JSONValue) -> [UInt8] {
        let running = value["running"]?.elements ?? []
        let profiles = value["profiles"]?.elements ?? []
        let known = Set(profiles.compactMap { $0["name"]?.stringValue })
        let others = Set(running.compactMap { $0["name"]?.stringValue }).subtracting(known).sorted()
        let rows =
            profiles.map { agent($0["name"]?.stringValue ?? "", $0.members, running) }
            + others.map { agent($0, [], running) }
        return JSONWriter.object { writer in
            writer.memberArray("data") { for row in rows { $0.element(raw: row) } }
            writer.member("total", rows.count)
            writer.member("page", 1)
            writer.member("limit", rows.count)
            writer.member("nextCursor", ifPresent: value["nextCursor"]?.stringValue)
        }
    }

    private static func agent(
        _ name: String, _ members: [(name: String, value: JSONValue)], _ running: [JSONValue]
    ) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("name", name)
            for (name, value) in members where name != "name" { writer.member(name, raw: value.rawText) }
            writer.memberArray("running") { writer in
                for run in running where run["name"]?.stringValue == name { writer.element(raw: dated(run)) }
            }
        }
    }

    /// The members that contain objects of the bridge. All others can contain text of an agent, which stays as it is.
    private static let ownObjects: Set<String> = [
        "data", "profiles", "running", "turn", "pendingPermissions", "pendingElicitations", "queue", "viewers",
        "rateLimit", "costs", "hub", "hubReader", "peers",
    ]

    /// Converts the times of a function's value, also in the bridge's own objects inside it.
    static func dated(_ value: JSONValue) -> [UInt8] {
        switch value.kind {
        case .array:
            return JSONWriter.array { writer in
                for element in value.elements { writer.element(raw: dated(element)) }
            }
        case .object:
            return JSONWriter.object { writer in
                for (name, value) in value.members {
                    if let time = value.int64Value, let dated = datedName(name) {
                        writer.member(dated, Timestamp.seconds(time))
                    } else {
                        writer.member(name, raw: ownObjects.contains(name) ? dated(value) : Array(value.rawText))
                    }
                }
            }
        default: return Array(value.rawText)
        }
    }

    /// Converts a page of history to
    /// `{"items":[{"seq":1,"at":"…","notification":{…}}],"nextCursor":"27","hasMore":true}`.
    static func updates(_ page: JSONValue) -> [UInt8] {
        let next = page["nextSeq"]?.int64Value
        return JSONWriter.object { writer in
            writer.memberArray("items") { writer in
                for update in page["updates"]?.elements ?? [] { writer.element(raw: dated(update)) }
            }
            if let next { writer.member("nextCursor", String(next)) } else { writer.memberNull("nextCursor") }
            writer.member("hasMore", next != nil)
        }
    }

    private static func datedName(_ name: String) -> String? {
        if name == "ts" { return "at" }
        return name.hasSuffix("Ts") ? name.dropLast(2) + "At" : nil
    }
}
