import JSONRPC
import JSONScan

/// The demo agent's side of ACP v1, without I/O and clock: its input is lines and times, its output is bytes.
///
///     machine.receive(line, at: now)        // answers requests that need no turn
///     machine.advance(to: now)              // runs the turns that are due
///     write(machine.takeOutput())
///     sleep(until: machine.wake)            // or until there is input
///
/// Times are durations since the agent's start.
struct AgentMachine {
    struct Configuration {
        /// The prefix of this process's session ids. Two processes that share a state folder need different
        /// prefixes.
        var sessionPrefix: String
        var defaultPaceMilliseconds = 30
        var startedAtUnixSeconds = 0
        /// Whether the owner calls `takeRecords()`.
        var keepsRecords = false
    }

    /// `advance` stops at this amount of output: 64 KiB, one write.
    static let outputLimitBytes = 65_536
    /// More sessions than a demo needs. At the limit, the oldest session that is not open is dropped; if all are
    /// open, a new session is rejected.
    static let sessionLimit = 1000

    let configuration: Configuration
    var client: ClientCapabilities?
    /// The sessions in order of creation.
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

    /// Handles one line without its line feed. Blank lines are ignored.
    mutating func receive(_ line: [UInt8], at time: Duration) {
        now = time
        guard line.contains(where: { $0 > 0x20 }) else { return }
        do throws(JSONSyntaxError) {
            handle(Message(try JSONValue(validating: line)))
        } catch {
            fail(.null, .parseError, error.description)
        }
    }

    /// Reports a line that exceeded the limit.
    mutating func receiveOversizedLine(byteCount: Int, limitBytes: Int) {
        fail(.null, .invalidRequest, "A line of \(byteCount) bytes is over the limit of \(limitBytes)")
    }

    private mutating func handle(_ message: Message) {
        switch message {
        case .request(let id, let method, let params): handleRequest(id, method, params)
        case .notification(let method, let params): handleNotification(method, params)
        case .response(let id, let outcome): handleResponse(to: id, outcome)
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

    /// Returns the updates per session that became final since the last call, for storage.
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

    /// Ids are numbers from 0, like those of many clients, so that tests show whether the bridge keeps the two
    /// apart.
    mutating func nextAskID() -> RequestID {
        defer { askCount += 1 }
        return RequestID(askCount)
    }

    var timestampNow: String {
        timestamp(unixSeconds: configuration.startedAtUnixSeconds + Int(now.components.seconds))
    }
}

/// The capabilities that the client declared in `initialize`, as far as this agent uses them.
struct ClientCapabilities: Equatable {
    var canUseFiles = false
    var hasTerminal = false
    var acceptsBooleanOptions = false

    init() {}

    init(_ value: JSONValue?) {
        let files = value?["fs"]
        canUseFiles = files?["readTextFile"]?.boolValue == true && files?["writeTextFile"]?.boolValue == true
        hasTerminal = value?["terminal"]?.boolValue == true
        acceptsBooleanOptions = value?["session"]?["configOptions"]?["boolean"]?.kind == .object
    }
}
