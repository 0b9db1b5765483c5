import DemoPrompts
import JSONRPC
import JSONScan

/// The demo agent's side of ACP, versions 1 and 2, without I/O and clock: its input is lines and times, its output is bytes.
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
        /// Answers every `initialize` with this version.
        var forcedVersion: ProtocolVersion?
        /// Changes the prose.
        var seed: UInt64 = 0
        /// Behaves like an agent of an older draft of version 2.
        var isOlder = false
    }

    /// `advance` stops at this amount of output: 64 KiB, one write.
    static let outputLimitBytes = 65_536
    /// More sessions than a demo needs. At the limit, the oldest session that is not open is dropped; if all are
    /// open, a new session is rejected.
    static let sessionLimit = 1000

    let configuration: Configuration
    var client: ClientCapabilities?
    /// A request other than `initialize` came, so the version is final.
    var hasStarted = false
    /// The sessions in order of creation.
    var sessions: [Session] = []
    private(set) var output: [UInt8] = []
    private var records: [SessionRecord] = []
    private var deletedIDs: [String] = []
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

    /// Returns the sessions that were deleted since the last call, to delete their records before others are stored.
    mutating func takeDeletedIDs() -> [String] {
        defer { deletedIDs = [] }
        return deletedIDs
    }

    mutating func remove(at index: Int) {
        let session = sessions.remove(at: index)
        records.removeAll { $0.id == session.id }
        if configuration.keepsRecords { deletedIDs.append(session.id) }
    }

    /// Converts a stored session, and its record, to the version of the connection.
    mutating func convert(at index: Int) {
        sessions[index].convert(to: version)
        guard configuration.keepsRecords else { return }
        let session = sessions[index]
        records.removeAll { $0.id == session.id }
        deletedIDs.append(session.id)
        records.append(
            SessionRecord(id: session.id, cwd: session.cwd, updates: session.history.updates, version: version))
    }

    mutating func send(_ text: [UInt8]) {
        output += text
        output.append(0x0a)
    }

    mutating func sendUpdate(_ update: [UInt8], to sessionID: String) {
        output += SessionUpdate.line(sessionID: sessionID, update: update)
    }

    mutating func sendLine(_ line: [UInt8]) {
        output += line
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
        records.append(SessionRecord(id: session.id, cwd: session.cwd, updates: updates, version: session.version))
    }

    // MARK: Names

    mutating func nextSessionID() -> String {
        var id: String
        repeat {
            sessionCount += 1
            id = "demo-\(configuration.sessionPrefix)-\(sessionCount)"
            // Restored sessions of an earlier process with the same seed have the same ids.
        } while sessions.contains { $0.id == id }
        return id
    }

    /// Ids are numbers from 0, like those of many clients, so that tests show whether the bridge keeps the two
    /// apart.
    mutating func nextAskID() -> RequestID {
        defer { askCount += 1 }
        return RequestID(askCount)
    }

    /// The version of the connection.
    var version: ProtocolVersion { client?.version ?? .one }

    var timestampNow: String {
        timestamp(unixSeconds: configuration.startedAtUnixSeconds + Int(now.components.seconds))
    }
}
