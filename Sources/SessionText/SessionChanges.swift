import JSONScan
import Tinyvex

/// The changes of files that the tool calls of a session and its subagents have made. Pure.
///
/// A call that failed, was cancelled or was rejected has changed nothing. The result of a call can replace its diff by a
/// text, and the change is still made.
package struct SessionChanges: Sendable {
    private struct Call {
        /// The time of its first change, and its place among the calls of that time.
        let start: (time: String, number: Int)
        var status: String?
        var changes: [FileChange] = []
        var isAsked = false
        var isRejected = false

        var hasEnded: Bool { status == "completed" || status == "failed" || status == "cancelled" }

        /// Nil if the call changes nothing.
        var isMade: Bool? {
            switch status {
            case "failed", "cancelled": nil
            case "completed": true
            default: isRejected ? nil : !isAsked && status != "pending" && status != "in_progress"
            }
        }
    }

    /// A permission request that waits for its answer.
    private struct Request {
        let call: String
        /// The ids of the options that reject the call.
        let rejections: Set<String>
    }

    /// 256 MiB of texts, paths and ids. The changes that arrive after them are counted.
    private let limitBytes: Int
    private var byteCount = 0
    private var calls: [Call] = []
    /// The indices of the calls, by the session and the call's id.
    private var indices: [String: Int] = [:]
    /// By the session and the request's id. Agents seldom have more than one; 1,000 at most.
    private var requests: [String: Request] = [:]
    private static let requestLimit = 1_000

    /// The number of changes that the limit left out.
    package private(set) var omittedCount = 0

    package init(limitBytes: Int = 256 << 20) { self.limitBytes = limitBytes }

    // MARK: Entries

    /// - Parameters:
    ///   - content: The notification of an update, or the data of another entry.
    ///   - session: The session of the timeline. The ids of calls and requests are its own.
    ///   - time: The entry's time in a form whose order is that of the times.
    package mutating func add(_ kind: TimelineEntryKind, _ content: JSONValue, session: String, time: String) {
        switch kind {
        case .update: content["params"]?["update"].map { add($0, session, time) }
        case .permissionRequest: ask(content, session)
        case .permissionAnswer: answer(content, session)
        case .agentStart, .agentExit: requests = [:]
        default: break
        }
    }

    private mutating func add(_ update: JSONValue, _ session: String, _ time: String) {
        guard let kind = update["sessionUpdate"]?.stringValue, let id = update["toolCallId"]?.stringValue else {
            return
        }
        let key = Self.key(session, id)
        switch kind {
        case "tool_call", "tool_call_update":
            // The call of a later turn can have the id of one that has ended.
            if kind == "tool_call", let known = indices[key], calls[known].hasEnded { indices[key] = nil }
            let changes = update["content"]?.elements.flatMap(FileChange.all) ?? []
            if !changes.isEmpty { set(changes, of: key, time) }
            if let index = indices[key], let status = update["status"]?.stringValue { calls[index].status = status }
        case "tool_call_content_chunk":
            let changes = update["content"].map(FileChange.all) ?? []
            if !changes.isEmpty { set((indices[key].map { calls[$0].changes } ?? []) + changes, of: key, time) }
        default: break
        }
    }

    /// Replaces the changes of a call. Calls without changes are not kept.
    private mutating func set(_ changes: [FileChange], of key: String, _ time: String) {
        let known = indices[key]
        let bytes =
            changes.reduce(known == nil ? key.utf8.count : 0) { $0 + $1.byteCount }
            - (known.map { calls[$0].changes.reduce(0) { $0 + $1.byteCount } } ?? 0)
        guard byteCount + bytes <= limitBytes else {
            omittedCount += changes.count
            return
        }
        byteCount += bytes
        let index = known ?? calls.count
        if known == nil {
            calls.append(Call(start: (time, index)))
            indices[key] = index
        }
        calls[index].changes = changes
    }

    // MARK: Permissions

    private mutating func ask(_ content: JSONValue, _ session: String) {
        let params = content["params"]
        let call = params?["toolCall"] ?? params?["subject"]?["toolCall"]
        guard let id = call?["toolCallId"]?.stringValue, let request = content["requestId"]?.rawString else { return }
        let key = Self.key(session, id)
        if let index = indices[key] { calls[index].isAsked = true }
        guard requests.count < Self.requestLimit else { return }
        let options = params?["options"]?.elements.filter { $0["kind"]?.stringValue?.hasPrefix("reject") == true } ?? []
        requests[Self.key(session, request)] = Request(
            call: key, rejections: Set(options.compactMap { $0["optionId"]?.stringValue }))
    }

    private mutating func answer(_ content: JSONValue, _ session: String) {
        guard let id = content["requestId"]?.rawString,
            let request = requests.removeValue(forKey: Self.key(session, id)), let index = indices[request.call]
        else { return }
        let outcome = content["result"]?["outcome"]
        let option = outcome?["optionId"]?.stringValue
        calls[index].isAsked = false
        calls[index].isRejected = option.map(request.rejections.contains) ?? true
    }

    private static func key(_ session: String, _ id: String) -> String { "\(session)\u{0}\(id)" }

    // MARK: The result

    /// The changes that were made, file by file in the order of the paths, and for each file in the order of the calls. Changes
    /// that follow each other exactly are one.
    package var made: [FileChange] {
        var files: [String: [FileChange]] = [:]
        for change in calls.filter({ $0.isMade == true }).sorted(by: { $0.start < $1.start }).flatMap(\.changes) {
            var changes = files[change.path] ?? []
            if changes.isEmpty || !changes[changes.count - 1].join(change) { changes.append(change) }
            files[change.path] = changes
        }
        return files.sorted { $0.key < $1.key }.flatMap(\.value).filter { !$0.isEmpty }
    }

    /// The number of changes whose calls are not done, or wait for a permission.
    package var openCount: Int { calls.filter { $0.isMade == false }.reduce(0) { $0 + $1.changes.count } }
}
