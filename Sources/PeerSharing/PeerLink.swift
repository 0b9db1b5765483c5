import ACPRouting
import Access
import Diagnostics
import EventLoop
import FieldLimits
import Functions
import Hashing
import JSONRPC
import JSONScan
import Peers
import Posix
import SessionRecords
import TextSearch
import Tinyvex
import TinyvexMachine
import TinyvexSync

/// One peer: performs what ``PeerMachine`` decides, keeps the list of the peer's newest sessions and its open requests, and
/// sends requests to it.
@LoopActor final class PeerLink {
    let settings: PeerSettings
    private let version: String
    private let services: LoopServices
    private var machine = PeerMachine()
    private var connection: PeerConnection?
    private var timer: Timer?
    private let answers: AnswerWatch
    private var list = ListState()
    private var prompts = ForwardedPrompts()
    private var pending: [PendingList: [PendingRow]] = [:]
    /// The time at which the peer could no longer be used, in milliseconds since 1970; nil while it can.
    private(set) var unreachableTs: Int64?
    var events = Events()

    /// The events that the owner handles.
    struct Events {
        /// Returns the other logs that this bridge shows, each with a name for a person.
        var others: @LoopActor () -> [UInt32: String] = { [:] }
        var listed: @LoopActor () -> Void = {}
        var pendingChanged: @LoopActor () -> Void = {}
        /// The peer can be used again, or no longer.
        var reachableChanged: @LoopActor () -> Void = {}
    }

    private struct ListState {
        var listing = PeerListing()
        /// The peer's count of changes at the last reading; nil before the first one.
        var changes: Int64?
        var fullAt: Instant?
        /// Only the newest rows were read after a change, so older ones can be outdated.
        var missesOlder = false
        var readAt: Instant?
        var isReading = false
        var timer: Timer?
        /// Called when the list has been read.
        var waiting: [@LoopActor () -> Void] = []
    }

    /// The list is read again after this time, also if no client requests it.
    private static let listPause = Duration.seconds(15)
    /// A list that was read within this time is not read again for a client.
    private static let freshTime = Duration.seconds(1)
    /// Clients wait this long for a list, and then get the one in memory.
    private static let patience = Duration.seconds(2)
    /// All rows are read after this time; in between only the newest ones.
    private static let fullPause = Duration.seconds(30)
    private static let shortPage = 100
    /// 1 MiB and 1,000 rows of each list of open requests.
    private static let pendingLimits = (bytes: 1 << 20, rows: 1_000)

    init(_ settings: PeerSettings, version: String, services: LoopServices) {
        self.settings = settings
        self.version = version
        self.services = services
        answers = AnswerWatch(services.timers)
        answers.lapsed = { [weak self] in
            self?.handle(.failed(reason: "it has not answered for \(AnswerWatch.patience.components.seconds) s"))
        }
    }

    var logId: UInt32? { machine.logId }
    var isOnline: Bool { machine.state == .online }
    /// The name for lists and messages.
    var name: String { settings.name ?? machine.bridge ?? settings.url }
    var failure: String? { machine.failure }

    func start() { handle(.start) }

    func close() {
        timer?.cancel()
        handle(.close)
    }

    // MARK: The connection

    private func handle(_ event: PeerMachine.Event) {
        for action in machine.handle(event, others: events.others()) { perform(action) }
    }

    private func perform(_ action: PeerMachine.Action) {
        switch action {
        case .connect: connect()
        case .disconnect:
            connection?.close()
            connection = nil
        case .schedule(let pause):
            timer = services.timers.schedule(after: pause) { [weak self] in self?.handle(.due) }
        case .online:
            unreachableTs = nil
            list.changes = nil
            list.fullAt = nil
            list.readAt = nil
            events.reachableChanged()
            readList()
            for list in PendingList.allCases { watch(list) }
        case .offline:
            unreachableTs = services.time.dateMilliseconds
            pending = [:]
            events.pendingChanged()
            events.reachableChanged()
            events.listed()
        case .reportFailure(let reason):
            unreachableTs = unreachableTs ?? services.time.dateMilliseconds
            DiagnosticLog.daemon.record(.peerFailed(peer: settings.url, error: reason))
        case .reportConnected: DiagnosticLog.daemon.record(.peerConnected(peer: settings.url))
        }
    }

    private func connect() {
        do throws(PeerFault) {
            let opened = try open()
            connection = opened
            identify(opened)
        } catch {
            // The machine is performing its actions now.
            services.timers.soon { [weak self] in self?.handle(.failed(reason: error.reason)) }
        }
    }

    private struct PeerFault: Error { let reason: String }

    private func open() throws(PeerFault) -> PeerConnection {
        let token = try token()
        do throws(SystemError) {
            return try PeerConnection(settings, token: token, version: version) { [weak self] error in
                self?.handle(.failed(reason: Self.reason(error)))
            }
        } catch {
            throw PeerFault(reason: "\(error)")
        }
    }

    private func token() throws(PeerFault) -> String? {
        guard let file = settings.tokenFile else { return nil }
        do throws(SystemError) {
            if let token = try AccessToken.readSecret(file) { return token }
        } catch {
            throw PeerFault(reason: "its token file cannot be used: \(error)")
        }
        throw PeerFault(reason: "its token file \(file) does not exist or is empty")
    }

    private func identify(_ connection: PeerConnection) {
        send(.identity, log: nil, on: connection) { [weak self] result in
            switch result {
            case .success(.identity(let logId, let bridge)):
                self?.handle(.identified(logId: logId, bridge: bridge.prefix(scalars: 256)))
            case .success: self?.handle(.failed(reason: "it answers in a form that this bridge does not know"))
            case .failure(let failure): self?.handle(.failed(reason: failure.reason))
            }
        }
    }

    /// A reason for a person, without "the bridge" where that would be this one.
    static func reason(_ error: TinyvexError) -> String {
        switch error {
        case .unauthorized: "it does not accept the token"
        case .outcomeUnknown, .closed: "the connection was lost"
        case .transport(let failure): failure.description
        case .server(let code, let message, _):
            code == "-32602" && message.contains(text: "log:read")
                ? "its version does not know peers" : "it answered: \(message)"
        default: error.description
        }
    }

    // MARK: Requests

    struct Failure: Error {
        let reason: String
        /// The peer does not have the session.
        let isUnknownSession: Bool
    }

    /// Reads the peer's log. `finish` is called once, immediately or later; with a failure if the connection is lost.
    func read(_ request: LogRequest, then finish: @escaping @LoopActor @Sendable (Result<LogAnswer, Failure>) -> Void) {
        guard let connection, isOnline, let logId else {
            return finish(.failure(Failure(reason: failure ?? "it is being connected", isUnknownSession: false)))
        }
        send(request, log: logId, on: connection, then: finish)
    }

    /// A day, in milliseconds. The clocks of two machines differ less.
    private static let clockDifference: Int64 = 86_400_000

    private func send(
        _ request: LogRequest, log logId: UInt32?, on connection: PeerConnection,
        then finish: @escaping @LoopActor @Sendable (Result<LogAnswer, Failure>) -> Void
    ) {
        let call = Call.action(
            ActionName.logRead.rawValue, args: request.arguments(log: logId), isIdempotent: false)
        // A request that waits for a change is answered only then.
        let answers = request.waits ? nil : self.answers
        answers?.sent()
        let time = services.time
        connection.call(call) { value in
            value["value"].flatMap { LogAnswer($0, to: request, log: logId ?? 0) }
        } then: { result in
            answers?.answered()
            switch result {
            case .failure(let error):
                var isUnknown = false
                if case .server(TinyvexErrorCode.sessionNotFound.rawValue, _, _) = error { isUnknown = true }
                finish(.failure(Failure(reason: Self.reason(error), isUnknownSession: isUnknown)))
            case .success(nil):
                let reason = "it answers in a form that this bridge does not know"
                finish(.failure(Failure(reason: reason, isUnknownSession: false)))
            case .success(let answer?):
                finish(.success(answer.bounded(to: time.dateMilliseconds + Self.clockDifference)))
            }
        }
    }

    /// Sends a command. `finish` gets the command's value.
    func command(
        _ call: ForwardedCall,
        then finish: @escaping @LoopActor @Sendable (Result<[UInt8], Rejection>) -> Void
    ) {
        let listed: [ActionName] = [.sessionsResume, .sessionsClose, .agentsStop]
        let changesList = call.kind == .mutation || listed.contains { $0.rawValue == call.name }
        guard call.kind == .action, call.name == ActionName.sessionsPrompt.rawValue else {
            return send(call.kind, call.name, call.arguments, call.requestId, changesList: changesList, then: finish)
        }
        let number = prompts.add(in: call.sid, by: call.identity.who, Self.text(call.arguments))
        send(call.kind, call.name, call.arguments, call.requestId, changesList: changesList) { [weak self] result in
            self?.prompts.remove(number)
            finish(result)
        }
    }

    /// The text by which the peer lists a waiting prompt with these arguments.
    private static func text(_ arguments: [UInt8]) -> String? {
        let text = (try? JSONValue(validating: arguments))?["text"]?.stringValue
        guard let text else { return PromptTitle.text(params: arguments) }
        return text.allSatisfy(\.isWhitespace) ? nil : text
    }

    /// Sends an action that concerns no session of this bridge. `finish` gets the action's value.
    func command(
        _ call: BridgeCall, then finish: @escaping @LoopActor @Sendable (Result<[UInt8], Rejection>) -> Void
    ) {
        send(.action, call.name, call.arguments, call.requestId, changesList: true, then: finish)
    }

    private func send(
        _ kind: FunctionDescription.Kind, _ function: String, _ arguments: [UInt8], _ requestId: String?,
        changesList: Bool, then finish: @escaping @LoopActor @Sendable (Result<[UInt8], Rejection>) -> Void
    ) {
        guard let connection, isOnline else { return finish(.failure(unreachable)) }
        let requestId = requestId ?? RandomText.hexadecimal(byteCount: 16) ?? "peer"
        let message: Call =
            kind == .mutation
            ? .mutation(function, args: arguments, requestId: requestId)
            : .action(function, args: arguments, requestId: requestId, isIdempotent: false)
        let name = name
        connection.call(message) { [weak self] result in
            if changesList { self?.listChanged() }
            switch result {
            case .success(let value): finish(.success(value["value"].map { Array($0.rawText) } ?? Array("null".utf8)))
            case .failure(let error): finish(.failure(Self.rejection(error, of: name)))
            }
        }
    }

    /// Gets the profiles of the peer's agents: a JSON array.
    func profiles(then finish: @escaping @LoopActor @Sendable (Result<[UInt8], Rejection>) -> Void) {
        guard let connection, isOnline else { return finish(.failure(unreachable)) }
        let (name, answers) = (name, answers)
        answers.sent()
        connection.value(QueryName.agentsList.rawValue) { result in
            answers.answered()
            switch result {
            case .success(let value): finish(.success(value["profiles"].map { Array($0.rawText) } ?? Array("[]".utf8)))
            case .failure(let error): finish(.failure(Self.rejection(error, of: name)))
            }
        }
    }

    /// A client that reads the list after its change gets a new one.
    private func listChanged() {
        list.readAt = nil
        events.listed()
    }

    private var unreachable: Rejection {
        let reason = failure ?? "it is being connected"
        return Rejection(
            .mutationFailed,
            "bridge \(quoted(name)) cannot be reached, and nothing was changed: \(reason); "
                + "try again when `acpbridge status` shows it online", rpcCode: .internalError)
    }

    /// The peer's own error, or the reason why it is not known.
    private static func rejection(_ error: TinyvexError, of name: String) -> Rejection {
        guard case .server(let code, let message, _) = error else {
            let text =
                switch error {
                case .overloaded, .encoding, .closed: "bridge \(quoted(name)) did not get the call: "
                default: "the connection to bridge \(quoted(name)) was lost, so it is not known whether the call ran: "
                }
            return Rejection(.mutationFailed, text + reason(error), rpcCode: .internalError)
        }
        let text = "bridge \(quoted(name)): \(message)"
        switch TinyvexErrorCode(rawValue: code) {
        case .unauthorized?, .readOnly?: return Rejection(.readOnly, text, rpcCode: .invalidRequest)
        case .limitExceeded?: return Rejection(.limitExceeded, text, rpcCode: .invalidRequest)
        case let code?: return Rejection(code, text)
        case nil: return Rejection(Int(code).map { ErrorCode(rawValue: $0) } ?? .internalError, text)
        }
    }

    // MARK: The list

    /// The newest sessions, as this bridge lists them.
    func records() -> [SessionRecord] {
        let name = name
        return list.listing.rows.map { $0.record(of: name, unreachableTs: unreachableTs) }
    }

    func record(_ found: PeerRecord) -> SessionRecord {
        found.record(of: name, unreachableTs: unreachableTs, sent: prompts)
    }

    /// Takes over the state of one session that was found for a reader.
    func take(_ record: PeerRecord) {
        if list.listing.take(record) { events.listed() }
    }

    /// Calls `action` when the list has been read, if it is not fresh: immediately or later.
    func whenListed(_ action: @escaping @LoopActor () -> Void) {
        let isFresh = list.readAt.map { services.time.now - $0 < Self.freshTime } ?? false
        guard isOnline, !isFresh else { return action() }
        list.waiting.append(action)
        if list.waiting.count == 1 {
            services.timers.schedule(after: Self.patience) { [weak self] in self?.resumeWaiting() }
        }
        readList()
    }

    private func resumeWaiting() {
        let waiting = list.waiting
        list.waiting = []
        for action in waiting { action() }
    }

    private func readList() {
        guard isOnline, !list.isReading else { return }
        list.timer?.cancel()
        list.isReading = true
        let now = services.time.now
        let isFull = list.fullAt.map { now - $0 >= Self.fullPause } ?? true
        let limit = isFull ? LogRequest.listLimit : Self.shortPage
        let changes = isFull && list.missesOlder ? nil : list.changes
        read(.list(limit: limit, after: nil, changes: changes)) { [weak self] result in
            guard let self else { return }
            list.isReading = false
            list.readAt = services.time.now
            if case .success(let answer) = result { took(answer, isFull: isFull, at: now) }
            if isOnline { scheduleList() }
            resumeWaiting()
        }
    }

    private func took(_ answer: LogAnswer, isFull: Bool, at time: Instant) {
        switch answer {
        case .list(let rows, let hasMore, let changes):
            list.changes = changes
            // With the limit of rows, older ones are not kept anyway.
            if isFull { list.fullAt = time }
            list.missesOlder = hasMore && !isFull
            if list.listing.take(rows, hasMore: hasMore && !isFull) { events.listed() }
        default: break
        }
    }

    private func scheduleList() {
        list.timer?.cancel()
        list.timer = services.timers.schedule(after: Self.listPause) { [weak self] in self?.readList() }
    }

    // MARK: Open requests

    func pending(_ list: PendingList) -> [PendingRow] { pending[list] ?? [] }

    private func watch(_ list: PendingList) {
        connection?.watch(list.rawValue) { [weak self] value in
            self?.took(value, list)
        } ended: { [weak self] error in
            self?.lost(list, error)
        }
    }

    /// The peer has ended the subscription. Its requests are not known until it accepts another one.
    private func lost(_ list: PendingList, _ error: TinyvexError) {
        DiagnosticLog.daemon.record(
            .failed(doing: "following a peer's open requests", error: "\(settings.url): \(Self.reason(error))"))
        pending[list] = nil
        events.pendingChanged()
        services.timers.schedule(after: Self.watchPause) { [weak self, weak connection] in
            guard let self, let connection, connection === self.connection, isOnline else { return }
            watch(list)
        }
    }

    /// The pause before a subscription that the peer has ended is requested again.
    private static let watchPause = Duration.seconds(60)

    private func took(_ value: JSONValue, _ list: PendingList) {
        var room = Self.pendingLimits.bytes
        var rows: [PendingRow] = []
        for element in value.elements.prefix(Self.pendingLimits.rows) {
            guard let (row, bytes) = row(element) else { continue }
            room -= bytes
            if room < 0 { break }
            rows.append(row)
        }
        pending[list] = rows
        events.pendingChanged()
    }

    /// Nil for a row of another log: a request that the peer itself shows for others.
    private func row(_ value: JSONValue) -> (row: PendingRow, bytes: Int)? {
        guard value["bridge"] == nil, let sessionId = value["sessionId"]?.stringValue,
            let agent = value["agent"]?.stringValue,
            let journal = value["journal"]?.stringValue, Journal(journal)?.logId == logId,
            let time = (value["askedTs"] ?? value["createdTs"])?.int64Value
        else { return nil }
        let hash = FNV1a.hash(of: Array(journal.utf8) + (value["requestId"]?.rawText ?? []))
        let json = JSONWriter.object { writer in
            writer.member("bridge", name)
            for (member, value) in value.members where member != "nextCursor" {
                writer.member(member, raw: value.rawText)
            }
        }
        let row = PendingRow(
            sessionId: sessionId, agent: agent, journal: journal, place: ListPosition(time, Int64(hash >> 1), 0)
        ) { json }
        return (row, json.count)
    }

    // MARK: State

    /// Writes the members of one of the `peers` in `bridge:status`.
    func write(to writer: inout JSONWriter) {
        writer.member("url", settings.url)
        writer.member("name", name)
        switch machine.state {
        case .online: writer.member("state", "online")
        case .waiting where failure != nil, .connecting where failure != nil: writer.member("state", "failed")
        case .waiting, .connecting, .closed: writer.member("state", "connecting")
        }
        writer.member("error", ifPresent: failure)
        writer.member("unreachableTs", ifPresent: unreachableTs)
        writer.member("sessions", list.listing.rows.count)
    }
}
