import JSONRPC
import JSONScan
import SessionLog

/// What an agent, its editor and its guests have said to each other: who asked what, who is owed the answer, and what
/// it means for the sessions. Pure: it is shown each line and tells what is to be done.
///
/// The editor and the agent are joined directly: their lines pass as they are, under their own ids, and are only looked
/// at here. A guest's requests reach the agent under ids of this machine's making, strings that no editor would choose,
/// so that all answers can be told apart. The agent's own ids are shown to everyone as they are.
struct Exchange: Codable {
    /// Someone who speaks to the agent without being its editor, by number.
    typealias Guest = Int

    /// Who is owed an answer of the agent's.
    enum Asker: Equatable, Codable {
        case editor
        /// With the id the guest gave its request.
        case guest(Guest, id: RequestID)
        /// The bridge itself, under a number of its own.
        case bridge(Int)
        /// Whoever it was has gone: the answer is taken and dropped.
        case nobody
    }

    /// 1 KiB of JSON text. Requests with a longer id pass between the agent and its editor unnoticed.
    static let idLimitBytes = 1 << 10
    /// More open requests than any editor has; past it new ones pass unnoticed.
    static let openRequestsLimit = 4096
    /// Requests a guest may have open at once.
    static let guestRequestsLimit = 256

    /// A request to the agent that it has not answered.
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

    /// By the id the agent knows it by.
    var open: [RequestID: OpenRequest] = [:]
    /// What the agent has asked and nobody has answered, in order.
    var asked: [AgentRequest] = []
    /// Requests that another has answered before the editor: its own answers, still to come, are left out. Counted, as
    /// an agent may use an id again.
    var staleAnswers: [RequestID: Int] = [:]
    /// The turns that run, by session.
    var turns: [String: [Turn]] = [:]
    /// Prompts that wait for the turn before them, by session.
    var queues: [String: [QueuedPrompt]] = [:]
    var guests: [Guest: GuestRights] = [:]
    /// Whom the bridge asks for, by the number of the request, while it is open.
    var clients: [Int: String] = [:]
    /// The agent's own editor reads what it says.
    var hasEditor: Bool
    /// The guest whose agent it is, where it has no editor.
    var primary: Guest?

    /// Sessions whose history the agent is repeating.
    private(set) var replaying: Set<String> = []

    private let idPrefix: String
    private var idCount = 0
    /// How many requests of the agent's have been kept. A bridge that did not count them has left it out.
    private var askedCount: Int?

    /// - Parameter idPrefix: begins every id that is made here; nobody else should be able to guess it.
    init(idPrefix: String = "acpbridge-", hasEditor: Bool = true) {
        self.idPrefix = idPrefix
        self.hasEditor = hasEditor
    }

    /// The agent owes nobody an answer.
    var isIdle: Bool { open.isEmpty }

    /// Not every line of the agent's is for the editor.
    var judgesAgent: Bool { open.values.contains { $0.asker != .editor } }

    /// Not every line of the editor's is for the agent.
    var judgesEditor: Bool { !staleAnswers.isEmpty }

    mutating func makeID() -> RequestID {
        idCount += 1
        return RequestID("\(idPrefix)\(idCount)")
    }

    /// The number of the agent's next request.
    mutating func makeAskedNumber() -> Int {
        let number = (askedCount ?? 0) + 1
        askedCount = number
        return number
    }

    // MARK: The agent's answers

    /// A line that is no `session/update`, with its envelope.
    mutating func agentWrote(_ line: Span<UInt8>, _ envelope: Envelope, at now: Int64 = 0) -> [Event] {
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

    /// Notes a request and tells what it means. It is on its way, or about to be.
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

    /// The session that a line names; nil if it has an id that is not published.
    static func session(_ envelope: Envelope, _ line: Span<UInt8>) -> String? {
        envelope.publishedSessionId(in: line)
    }

    static func bytes(_ line: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
        line.extracting(range).withUnsafeBufferPointer { Array($0) }
    }

    static func value(_ line: Span<UInt8>, _ range: Range<Int>?) -> JSONValue? {
        range.flatMap { try? JSONValue(validating: line.extracting($0)) }
    }
}

extension Envelope {
    /// The id of the session, unless it is longer than those that are published.
    func publishedSessionId(in line: Span<UInt8>) -> String? {
        // A scalar is six bytes of JSON text at most for each of its bytes in UTF-8, and there are the quotes.
        guard let range = sessionId, range.count <= 6 * FieldLimit.sessionIdBytes + 2 else { return nil }
        return string(in: line, at: range)?.within(bytes: FieldLimit.sessionIdBytes)
    }
}

extension Exchange.OpenRequest {
    /// The session it is about, where that is known.
    var session: String? {
        switch kind {
        case .continuing(let id), .prompt(let id), .close(let id), .mode(let id, _), .option(let id): id
        case .initialize, .new, .other: nil
        }
    }
}

/// An answer of either side, as it was written.
struct Reply: Equatable {
    var result: [UInt8]?
    var error: [UInt8]?

    init(_ envelope: Envelope, _ line: Span<UInt8>) {
        result = envelope.result.map { Exchange.bytes(line, $0) }
        error = envelope.error.map { Exchange.bytes(line, $0) }
    }

    init(_ message: JSONValue) {
        result = message["result"].map { Array($0.rawText) }
        error = message["error"].map { Array($0.rawText) }
    }

    init(result: [UInt8]) { self.result = result }

    init(error code: ErrorCode, _ message: String) {
        error = JSONWriter.object { writer in
            writer.member("code", code.rawValue)
            writer.member("message", message)
        }
    }

    /// The whole message, under the id its reader gave the request.
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
