import ACPRouting
import JSONScan

/// A session's tool calls, each merged from its updates as ACP specifies. A member in an update replaces the previous
/// value, and an array is replaced as a whole. A missing member leaves the value unchanged. A null member does so in
/// version 1, and clears the value in version 2. Pure.
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
    private static let finalStatuses = ["completed", "failed", "cancelled"].map { Array("\"\($0)\"".utf8) }

    private struct Call {
        let id: String
        var members: [(name: String, raw: [UInt8])] = []
        var isStripped = false

        var byteCount: Int { members.reduce(ToolCalls.overheadBytes) { $0 + $1.name.utf8.count + $1.raw.count } }

        var isFinished: Bool {
            guard let status = members.first(where: { $0.name == "status" })?.raw else { return false }
            return ToolCalls.finalStatuses.contains(status)
        }
    }

    private var calls: [Call] = []
    private var places: [String: Int] = [:]
    private(set) var byteCount = 0
    package var count: Int { calls.count }
    /// The number of calls that were omitted completely.
    package private(set) var omittedCount = 0
    /// The number of calls that lost their large members.
    package var strippedCount: Int { calls.count { $0.isStripped } }

    /// Merges an update into its call.
    ///
    /// - Parameters:
    ///   - update: A `tool_call` or `tool_call_update`, or the tool call of a permission request.
    ///   - isVersion2: Null clears a member, and metadata is merged by its own members.
    /// - Returns: False if the update was ignored.
    mutating func merge(_ update: JSONValue, isVersion2: Bool = false) -> Bool {
        guard let place = place(of: update) else { return false }
        let before = calls[place].byteCount
        for (name, value) in update.members where name != "sessionUpdate" {
            if isVersion2 {
                patch(name, value, at: place)
            } else if !value.isNull {
                set(name, Array(value.rawText), at: place)
            }
        }
        byteCount += calls[place].byteCount - before
        if byteCount > Self.limitBytes { cut() }
        return true
    }

    /// Adds an item to the content of a call.
    ///
    /// - Parameter update: A `tool_call_content_chunk`.
    mutating func append(_ update: JSONValue) {
        guard let item = update["content"], let place = place(of: update) else { return }
        let before = calls[place].byteCount
        if calls[place].members.isEmpty { set("toolCallId", JSONWriter.scalar(calls[place].id), at: place) }
        if !calls[place].isStripped { append(item, at: place) }
        byteCount += calls[place].byteCount - before
        if byteCount > Self.limitBytes { cut() }
    }

    /// The place of the call that an update names. The first update of a call begins it.
    private mutating func place(of update: JSONValue) -> Int? {
        guard let id = update["toolCallId"]?.stringValue else { return nil }
        guard id.utf8.count <= Self.idLimitBytes else {
            omittedCount += 1
            return nil
        }
        return places[id] ?? append(id)
    }

    private mutating func append(_ item: JSONValue, at place: Int) {
        guard let index = calls[place].members.firstIndex(where: { $0.name == "content" }),
            calls[place].members[index].raw.last == UInt8(ascii: "]")
        else { return set("content", JSONWriter.array { $0.element(raw: item.rawText) }, at: place) }
        let isEmpty = calls[place].members[index].raw.dropFirst().dropLast().allSatisfy { $0 <= UInt8(ascii: " ") }
        calls[place].members[index].raw.removeLast()
        if !isEmpty { calls[place].members[index].raw.append(UInt8(ascii: ",")) }
        calls[place].members[index].raw += item.rawText + [UInt8(ascii: "]")]
    }

    private mutating func patch(_ name: String, _ value: JSONValue, at place: Int) {
        let old = calls[place].members.first { $0.name == name }?.raw
        if let raw = MergedMember.raw(old, name, value) {
            set(name, raw, at: place)
        } else {
            calls[place].members.removeAll { $0.name == name }
        }
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
    package func write(to writer: inout JSONWriter) {
        for call in calls {
            writer.object { writer in
                for member in call.members { writer.member(member.name, raw: member.raw) }
            }
        }
    }
}
