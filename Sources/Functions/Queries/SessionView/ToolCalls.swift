import ACPRouting
import JSONScan

/// A session's tool calls, each merged from its updates as ACP specifies. A member in an update replaces the previous
/// value, and an array is replaced as a whole. A missing or null member leaves the value unchanged. Pure.
///
/// The size in bytes is limited. Above ``limitBytes`` the oldest calls lose their large members (`content`, `rawInput`,
/// `rawOutput`), finished calls first. If that is not enough, whole calls are removed.
package struct ToolCalls {
    /// 512 KiB: some hundred calls with their content. Calls are cut to three quarters of it, so that not every update
    /// has to cut.
    static let limitBytes = 512 << 10
    /// 1 KiB. A call with a longer id is omitted.
    static let idLimitBytes = PermissionParams.toolCallIdLimitBytes
    private static let cutBytes = limitBytes / 4 * 3
    private static let bulky: Set<String> = ["content", "rawInput", "rawOutput"]
    private static let overheadBytes = 64

    private struct Call {
        let id: String
        var members: [(name: String, raw: [UInt8])] = []
        var isStripped = false

        var byteCount: Int { members.reduce(ToolCalls.overheadBytes) { $0 + $1.name.utf8.count + $1.raw.count } }

        var isFinished: Bool {
            guard let status = members.first(where: { $0.name == "status" })?.raw else { return false }
            return status == Array("\"completed\"".utf8) || status == Array("\"failed\"".utf8)
        }
    }

    private var calls: [Call] = []
    private var places: [String: Int] = [:]
    private(set) var byteCount = 0
    /// The number of calls that were omitted completely.
    private(set) var omittedCount = 0
    /// The number of calls that lost their large members.
    var strippedCount: Int { calls.count { $0.isStripped } }

    /// Merges an update into its call.
    ///
    /// - Parameter update: A `tool_call` or `tool_call_update`, or the `toolCall` of a permission request.
    /// - Returns: False if the update was ignored.
    mutating func merge(_ update: JSONValue) -> Bool {
        guard let id = update["toolCallId"]?.stringValue else { return false }
        guard id.utf8.count <= Self.idLimitBytes else {
            omittedCount += 1
            return false
        }
        let place = places[id] ?? append(id)
        let before = calls[place].byteCount
        for (name, value) in update.members where name != "sessionUpdate" && !value.isNull {
            set(name, Array(value.rawText), at: place)
        }
        byteCount += calls[place].byteCount - before
        if byteCount > Self.limitBytes { cut() }
        return true
    }

    private mutating func append(_ id: String) -> Int {
        calls.append(Call(id: id))
        byteCount += Self.overheadBytes
        places[id] = calls.count - 1
        return calls.count - 1
    }

    private mutating func set(_ name: String, _ raw: [UInt8], at place: Int) {
        if let index = calls[place].members.firstIndex(where: { $0.name == name }) {
            calls[place].members[index].raw = raw
        } else {
            calls[place].members.append((name, raw))
        }
    }

    // MARK: Size limit

    private mutating func cut() {
        let order = calls.indices.filter { calls[$0].isFinished } + calls.indices.filter { !calls[$0].isFinished }
        for place in order where byteCount > Self.cutBytes { strip(place) }
        guard byteCount > Self.cutBytes else { return }
        var gone: Set<Int> = []
        for place in order where byteCount > Self.cutBytes {
            byteCount -= calls[place].byteCount
            gone.insert(place)
        }
        omittedCount += gone.count
        calls = calls.indices.filter { !gone.contains($0) }.map { calls[$0] }
        places = Dictionary(calls.enumerated().map { ($0.element.id, $0.offset) }) { first, _ in first }
    }

    private mutating func strip(_ place: Int) {
        let before = calls[place].byteCount
        calls[place].members.removeAll { Self.bulky.contains($0.name) }
        guard calls[place].byteCount < before else { return }
        calls[place].isStripped = true
        byteCount -= before - calls[place].byteCount
    }

    // MARK: Writing

    /// Writes the calls in the order in which they began.
    func write(to writer: inout JSONWriter) {
        for call in calls {
            writer.object { writer in
                for member in call.members { writer.member(member.name, raw: member.raw) }
            }
        }
    }
}
