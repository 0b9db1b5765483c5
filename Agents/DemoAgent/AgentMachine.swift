import JSONRPC
import JSONScan

/// The demo agent's side of ACP v1, without pipe or clock: lines and times in, bytes out.
///
///     machine.receive(line, at: now)        // answers at once what can be answered at once
///     machine.advance(to: now)              // lets the turns do what is due
///     write(machine.takeOutput())
///     sleep(until: machine.wake)            // or until there is input
///
/// Times are durations since the agent's start.
struct AgentMachine {
    struct Configuration {
        /// Begins the ids of this process's sessions; two processes that share a state folder need two of them.
        var sessionPrefix: String
        var defaultPaceMilliseconds = 30
        var startedAtUnixSeconds = 0
        /// Whether `takeRecords()` will be called.
        var keepsRecords = false
    }

    /// `advance` stops making output here: one write's worth.
    static let outputLimitBytes = 65_536
    /// More sessions than a demo needs; beyond it the oldest that is not open is forgotten, or a new one refused.
    static let sessionLimit = 1000

    let configuration: Configuration
    var client: ClientCapabilities?
    /// In the order of their creation.
    var sessions: [Session] = []
    private(set) var output: [UInt8] = []
    private var records: [SessionRecord] = []
    private var sessionCount = 0
    private var askCount = 0
    var now = Duration.zero

    init(_ configuration: Configuration, restoring records: [SessionRecord] = []) {
        self.configuration = configuration
        let restored = records.map { Session(restoring: $0, paceMilliseconds: configuration.defaultPaceMilliseconds) }
        sessions = restored.sorted { $0.updatedAt < $1.updatedAt }.suffix(Self.sessionLimit)
    }

    /// One line without its LF; a blank one is nothing.
    mutating func receive(_ line: [UInt8], at time: Duration) {
        now = time
        guard line.contains(where: { $0 > 0x20 }) else { return }
        do throws(JSONSyntaxError) {
            handle(Message(try JSONValue(validating: line)))
        } catch {
            fail(.null, .parseError, error.description)
        }
    }

    /// A line that was too long to be read.
    mutating func receiveOversizedLine(byteCount: Int, limitBytes: Int) {
        fail(.null, .invalidRequest, "A line of \(byteCount) bytes is over the limit of \(limitBytes)")
    }

    private mutating func handle(_ message: Message) {
        switch message {
        case .request(let id, let method, let params): answer(id, method, params)
        case .notification(let method, let params): notice(method, params)
        case .response(let id, let outcome): takeAnswer(to: id, outcome)
        // ACP v1 has no batches.
        case .batch: fail(.null, .invalidRequest, "Batches are not supported")
        case .invalid(let reason, let id): fail(id ?? .null, .invalidRequest, reason.rawValue)
        }
    }

    // MARK: Output

    mutating func takeOutput() -> [UInt8] {
        defer { output.removeAll(keepingCapacity: true) }
        return output
    }

    /// What has become final since the last call, to be kept: updates by session.
    mutating func takeRecords() -> [SessionRecord] {
        defer { records = [] }
        return records
    }

    mutating func send(_ text: [UInt8]) {
        output += text
        output.append(0x0a)
    }

    mutating func sendUpdate(_ update: [UInt8], to sessionID: String) {
        output += SessionUpdate.line(sessionID: sessionID, update: update)
    }

    mutating func send(_ chunk: String, as line: ChunkLine) {
        line.append(chunk, to: &output)
    }

    mutating func respond(_ id: RequestID, _ result: (inout JSONWriter) -> Void = { _ in }) {
        send(MessageText.response(id: id, result: result))
    }

    mutating func fail(_ id: RequestID, _ code: ErrorCode, _ message: String) {
        send(MessageText.errorResponse(id: id, code: code, message: message))
    }

    mutating func keep(_ updates: [[UInt8]], of session: Session) {
        guard configuration.keepsRecords, !updates.isEmpty else { return }
        records.append(SessionRecord(id: session.id, cwd: session.cwd, updates: updates))
    }

    // MARK: Names

    mutating func nextSessionID() -> String {
        sessionCount += 1
        return "demo-\(configuration.sessionPrefix)-\(sessionCount)"
    }

    /// Numbers from 0, as a client's own are: a relay must keep the two apart.
    mutating func nextAskID() -> RequestID {
        defer { askCount += 1 }
        return RequestID(askCount)
    }

    var timestampNow: String {
        timestamp(unixSeconds: configuration.startedAtUnixSeconds + Int(now.components.seconds))
    }
}

/// What the client declared in `initialize` that this agent makes use of.
struct ClientCapabilities: Equatable {
    var canUseFiles = false
    var hasTerminal = false
    var takesBooleanOptions = false

    init() {}

    init(_ value: JSONValue?) {
        let files = value?["fs"]
        canUseFiles = files?["readTextFile"]?.boolValue == true && files?["writeTextFile"]?.boolValue == true
        hasTerminal = value?["terminal"]?.boolValue == true
        takesBooleanOptions = value?["session"]?["configOptions"]?["boolean"]?.kind == .object
    }
}
