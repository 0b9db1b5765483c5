import FieldLimits
import JSONRPC
import JSONScan

/// Routes messages between an agent, its editor and its guests. It records the sender of each request, so that the
/// answer reaches that client, and derives the meaning of each line for the sessions. Pure: it receives lines and
/// returns events.
///
/// The editor and the agent are connected directly: their lines pass unchanged, under their own ids, and are only
/// observed here. A guest's requests reach the agent under ids that are made here. These ids are strings that no editor
/// would choose, so that the answers can be distinguished. The agent's own ids are shown to all clients unchanged.
package struct Exchange: Codable {
    /// The number of a guest: a client that sends messages to the agent without being its editor.
    package typealias Guest = Int

    /// The sender of a request to the agent. It receives the answer.
    package enum Asker: Equatable, Codable {
        case editor
        /// The id is the one that the guest gave its request.
        case guest(Guest, id: RequestID)
        /// The bridge itself. The number identifies its request.
        case bridge(Int)
        /// The sender has gone. The answer will be received and dropped.
        case nobody
    }

    /// 1 KiB of JSON text. Requests with a longer id pass between the agent and its editor without being recorded.
    package static let idLimitBytes = 1 << 10
    /// More open requests than any editor has. Above this number, new requests pass without being recorded.
    static let openRequestsLimit = 4096
    /// The maximum number of open requests of one guest.
    static let guestRequestsLimit = 256

    /// A request to the agent without an answer yet.
    struct OpenRequest: Codable {
        enum Kind: Equatable, Codable {
            case initialize
            case new(cwd: String?)
            case continuing(id: String)
            case prompt(id: String)
            case close(id: String)
            case mode(id: String, mode: String)
            case option(id: String)
            case other
        }
        let asker: Asker
        let kind: Kind
    }

    /// The open requests, by the id that the agent knows.
    var open: [RequestID: OpenRequest] = [:]
    /// The agent's unanswered requests, in order.
    var asked: [AgentRequest] = []
    /// Requests that another client answered before the editor. The editor's own answers, which are still to come, are
    /// withheld. The value is a count, because an agent can use an id again.
    var staleAnswers: [RequestID: Int] = [:]
    /// The running turns, by session.
    var turns: [String: [Turn]] = [:]
    /// The prompts that wait for the turn before them, by session.
    package var queues: [String: [QueuedPrompt]] = [:]
    package var guests: [Guest: GuestRights] = [:]
    /// The names of the clients for which the bridge sent its open requests, by request number.
    package var clients: [Int: String] = [:]
    /// True while the agent's own editor is connected.
    var hasEditor: Bool
    /// The guest that has the role of the editor, if the agent has no editor.
    package var primary: Guest?

    /// The sessions for which the agent is repeating the history.
    package private(set) var replaying: Set<String> = []

    private let idPrefix: String
    private var idCount = 0
    /// The number of the agent's requests kept so far. Nil in the state of an older bridge, which did not count them.
    private var askedCount: Int?

    /// - Parameter idPrefix: The start of every id made here. No client should be able to guess it.
    package init(idPrefix: String = "acpbridge-", hasEditor: Bool = true) {
        self.idPrefix = idPrefix
        self.hasEditor = hasEditor
    }

    /// True if the agent has answered all requests.
    package var isIdle: Bool { open.isEmpty }

    /// True if some lines from the agent must not reach the editor.
    package var judgesAgent: Bool { open.values.contains { $0.asker != .editor } }

    /// True if some lines from the editor must not reach the agent.
    package var judgesEditor: Bool { !staleAnswers.isEmpty }

    mutating func makeID() -> RequestID {
        idCount += 1
        return RequestID("\(idPrefix)\(idCount)")
    }

    /// Returns the number of the agent's next request.
    mutating func makeAskedNumber() -> Int {
        let number = (askedCount ?? 0) + 1
        askedCount = number
        return number
    }

    // MARK: The agent's answers

    /// Handles a line from the agent other than `session/update`, with its envelope.
    package mutating func agentWrote(_ line: Span<UInt8>, _ envelope: Envelope, at now: Int64 = 0) -> [Event] {
        guard envelope.shape == .object, !envelope.isAmbiguous else { return [] }
        if Self.hasLongID(envelope) { return refuseLongID(envelope, line) }
        let id = Self.id(envelope, line)
        if envelope.method != nil { return agentSaid(id, envelope, line, at: now) }
        guard let id, let request = open.removeValue(forKey: id) else { return [] }
        let reply = Reply(envelope, line)
        var events = meaning(of: request, under: id, reply, at: now)
        switch request.asker {
        case .editor, .nobody: break
        case .guest(let guest, let original):
            events.append(.toGuest(guest, reply.text(id: original), session: request.session))
        case .bridge(let number):
            clients[number] = nil
            events.append(.answered(number, reply))
        }
        return events
    }

    private mutating func meaning(
        of request: OpenRequest, under id: RequestID, _ reply: Reply, at now: Int64
    ) -> [Event] {
        switch request.kind {
        case .initialize:
            return reply.result.map { [.initialized(result: $0)] } ?? []
        case .new(let cwd):
            guard let result = reply.result, let value = try? JSONValue(validating: result),
                let session = value["sessionId"]?.stringValue?.within(bytes: FieldLimit.sessionIdBytes)
            else { return [] }
            return [.sessionOpened(id: session, cwd: cwd), .sessionSetUp(id: session, result: result)]
        case .continuing(let session):
            replaying.remove(session)
            let ended = Event.continuationEnded(id: session, succeeded: reply.result != nil)
            return reply.result.map { [ended, .sessionSetUp(id: session, result: $0)] } ?? [ended]
        case .prompt(let session):
            return turnEnded(session, under: id, reply, at: now)
        case .close(let session):
            guard reply.result != nil else { return [] }
            asked.removeAll { $0.session == session }
            return dropQueued(in: session) + [.sessionClosed(id: session)]
        case .mode(let session, let mode):
            return reply.result == nil ? [] : [.modeSet(id: session, mode: mode)]
        case .option(let session):
            let options = reply.result.flatMap { try? JSONValue(validating: $0) }?["configOptions"]
            return options.map { [.optionsSet(id: session, options: Array($0.rawText))] } ?? []
        case .other:
            return []
        }
    }

    // MARK: Requests to the agent

    /// Records a request and returns its meaning. The request has been sent or is about to be sent.
    mutating func note(
        _ id: RequestID, _ method: String, session: String?, params: JSONValue?, asker: Asker, at now: Int64
    ) -> [Event] {
        if case .continuing(let earlier)? = open.removeValue(forKey: id)?.kind { replaying.remove(earlier) }
        let session = session?.within(bytes: FieldLimit.sessionIdBytes)
        let cwd = params?["cwd"]?.stringValue?.within(bytes: FieldLimit.folderBytes)
        let kind: OpenRequest.Kind
        var events: [Event] = []
        switch (method, session) {
        case ("initialize", _): kind = .initialize
        case ("session/new", _), ("session/fork", _): kind = .new(cwd: cwd)
        case ("session/load", let session?):
            kind = .continuing(id: session)
            replaying.insert(session)
            events = [.sessionContinued(id: session, cwd: cwd, replays: true)]
        case ("session/resume", let session?):
            kind = .continuing(id: session)
            events = [.sessionContinued(id: session, cwd: cwd, replays: false)]
        case ("session/close", let session?): kind = .close(id: session)
        case ("session/prompt", let session?):
            kind = .prompt(id: session)
            events = [turnBegan(session, under: id, params, asker, at: now)]
        case ("session/set_mode", let session?):
            let mode = params?["modeId"]?.stringValue?.within(bytes: SessionSetup.modeLimitBytes)
            kind = mode.map { .mode(id: session, mode: $0) } ?? .other
        case ("session/set_config_option", let session?): kind = .option(id: session)
        default: kind = .other
        }
        open[id] = OpenRequest(asker: asker, kind: kind)
        return events
    }

    // MARK: Parts of a line

    static func id(_ envelope: Envelope, _ line: Span<UInt8>) -> RequestID? {
        hasLongID(envelope) ? nil : envelope.id.flatMap { RequestID(in: line, at: $0) }
    }

    static func hasLongID(_ envelope: Envelope) -> Bool { envelope.id.map { $0.count > idLimitBytes } ?? false }

    /// The session that a line names. Nil if the session's id is too long to be published.
    static func session(_ envelope: Envelope, _ line: Span<UInt8>) -> String? {
        envelope.publishedSessionId(in: line)
    }

    static func bytes(_ line: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
        line.extracting(range).withUnsafeBufferPointer { Array($0) }
    }

    package static func value(_ line: Span<UInt8>, _ range: Range<Int>?) -> JSONValue? {
        range.flatMap { try? JSONValue(validating: line.extracting($0)) }
    }
}

extension Envelope {
    /// The session's id. Nil if it is longer than the limit for published ids.
    package func publishedSessionId(in line: Span<UInt8>) -> String? {
        // In JSON text, each UTF-8 byte of a scalar takes at most six bytes. The quotes add two.
        guard let range = sessionId, range.count <= 6 * FieldLimit.sessionIdBytes + 2 else { return nil }
        return string(in: line, at: range)?.within(bytes: FieldLimit.sessionIdBytes)
    }
}

extension Exchange.OpenRequest {
    /// The session that the request concerns, if it is known.
    var session: String? {
        switch kind {
        case .continuing(let id), .prompt(let id), .close(let id), .mode(let id, _), .option(let id): id
        case .initialize, .new, .other: nil
        }
    }
}

/// An answer from the agent or a client, as it was written.
package struct Reply: Equatable {
    package var result: [UInt8]?
    package var error: [UInt8]?

    package init(_ envelope: Envelope, _ line: Span<UInt8>) {
        result = envelope.result.map { Exchange.bytes(line, $0) }
        error = envelope.error.map { Exchange.bytes(line, $0) }
    }

    package init(_ message: JSONValue) {
        result = message["result"].map { Array($0.rawText) }
        error = message["error"].map { Array($0.rawText) }
    }

    package init(result: [UInt8]) { self.result = result }

    package init(error code: ErrorCode, _ message: String) {
        error = JSONWriter.object { writer in
            writer.member("code", code.rawValue)
            writer.member("message", message)
        }
    }

    /// The complete message, with the id under which its reader knows the request.
    func text(id: RequestID) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("jsonrpc", "2.0")
            writer.member("id", id)
            write(to: &writer)
        }
    }

    /// `{"stopReason":"end_turn"}`, or `{"error":{…}}`.
    var outcome: [UInt8] {
        if let result { return result }
        return JSONWriter.object { write(to: &$0) }
    }

    func write(to writer: inout JSONWriter) {
        if let result { writer.member("result", raw: result) }
        if let error { writer.member("error", raw: error) }
    }
}
