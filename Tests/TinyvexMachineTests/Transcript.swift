import JSONScan
import TinyvexTransport

@testable import TinyvexMachine

/// A machine under test, with a manual clock. The machine's actions are returned as short texts.
///
///     transcript.on(.call(…))      // ["state connecting", "connect 1"]
struct Transcript {
    var machine: SyncMachine
    private(set) var now: ContinuousClock.Instant

    init(token: String? = nil, _ adjust: (inout SyncConfiguration) -> Void = { _ in }) {
        var configuration = SyncConfiguration(endpoint: .unix(path: "/b"))
        configuration.clientName = "t"
        adjust(&configuration)
        now = .now
        machine = SyncMachine(configuration, token: token, seed: 1, now: now)
    }

    mutating func on(_ event: SyncMachine.Event) -> [String] { machine.handle(event, at: now).map(\.words) }

    /// Delivers messages of the bridge as one batch.
    mutating func receive(_ texts: String...) -> [String] { receive(texts) }

    mutating func receive(_ texts: [String]) -> [String] {
        var batch = MessageBatch()
        for text in texts { batch.append(Array(text.utf8)) }
        return on(.arrived(connection, batch))
    }

    mutating func pass(_ duration: Duration, lastHeard: ContinuousClock.Instant? = nil) -> [String] {
        now = now.advanced(by: duration)
        return on(.timerFired(lastHeard: lastHeard))
    }

    /// Advances the clock to the machine's deadline, and fires its timer.
    mutating func passToDeadline() -> [String] {
        guard let deadline = machine.deadline else { return ["no deadline"] }
        now = max(now, deadline)
        return on(.timerFired(lastHeard: nil))
    }

    /// Runs the events up to an open connection, beginning with the event that needs it. Returns the actions after the
    /// connection is open.
    mutating func open(by event: SyncMachine.Event) -> [String] {
        _ = on(event)
        return connected() + receive(#"{"jsonrpc":"2.0","id":1,"result":{}}"#)
    }

    mutating func connected() -> [String] { on(.connected(connection)) }

    mutating func failed(_ failure: TransportFailure = .lost(reason: "cut")) -> [String] {
        on(.failed(connection, failure))
    }

    /// The connection that is open or being made.
    var connection: ConnectionID {
        switch machine.link {
        case .connecting(let id, _): id
        case .open(let connection): connection.id
        default: ConnectionID(number: 0)
        }
    }
}

extension SyncMachine.Event {
    static func follow(
        _ subscriber: Int, _ session: String = "s", after position: Int64? = 0, journal: String? = nil,
        policy: StreamPolicy? = nil
    ) -> Self {
        let target = StreamTarget(name: "acp:sessionUpdates", params: Array(#"{"sessionId":"\#(session)"}"#.utf8))
        let start = position.map { StreamStart.after($0, journal: journal) } ?? .now
        return .subscribe(SubscriberID(number: subscriber), target, start: start, policy: policy)
    }

    static func query(_ subscriber: Int, _ name: String = "q:list", _ params: String = "{}") -> Self {
        let target = StreamTarget(name: name, params: Array(params.utf8))
        return .subscribe(SubscriberID(number: subscriber), target, start: .now, policy: nil)
    }

    static func mutate(_ id: Int, _ name: String = "m") -> Self {
        .call(CallID(number: id), .mutation(name, args: Array("{}".utf8), requestId: "r\(id)"))
    }

    static func act(_ id: Int, isIdempotent: Bool = false) -> Self {
        .call(CallID(number: id), .action("a", args: Array("{}".utf8), requestId: "r\(id)", isIdempotent: isIdempotent))
    }

    static func leave(_ subscriber: Int) -> Self { .unsubscribe(SubscriberID(number: subscriber)) }
}

extension SyncMachine.Action {
    fileprivate var words: String {
        switch self {
        case .connect(let id, let request):
            "connect \(id.number)" + (request.token.map { " token \($0)" } ?? "")
        case .send(_, let text): "send " + Self.withoutFrame(String(decoding: text, as: UTF8.self))
        case .disconnect(let id, let code): "disconnect \(id.number) \(code)"
        case .setReading(let isReading): isReading ? "read" : "stop reading"
        case .deliver(let subscriber, let piece): "\(subscriber.number) <- \(piece.words)"
        case .deliverValue(let subscriber, let value):
            "\(subscriber.number) <- \(String(decoding: value.text, as: UTF8.self)) #\(value.seq)"
        case .fail(let subscriber, let error): "\(subscriber.number) fails: \(error.words)"
        case .answer(let id, .result(let value)): "call \(id.number) = \(value.rawString)"
        case .answer(let id, .failure(let error)): "call \(id.number) fails: \(error.words)"
        case .agent(let message): "agent \(message.method)"
        case .agentLost: "agent lost"
        case .refreshToken: "refresh token"
        case .newTokenRefused: "new token refused"
        case .state(let state): "state \(state.words)"
        }
    }

    /// Removes the members that every message has, and the common prefix of the methods.
    private static func withoutFrame(_ text: String) -> String {
        var text = text
        if text.hasPrefix(#"{"jsonrpc":"2.0","#) { text = "{" + text.dropFirst(17) }
        return text.replacing(#""method":"tinyvex/"#, with: #"""#)
    }
}

extension StreamPiece {
    var words: String {
        switch self {
        case .opened(let opening):
            "opened at \(opening.nextSeq) of \(opening.headSeq)" + (opening.journal.map { " \($0)" } ?? "")
        case .lines(let run):
            "\(run.firstSeq):"
                + (0..<run.count).map { " " + String(decoding: run[$0], as: UTF8.self).updateKind }.joined()
        case .skipped(let from, let to, let reason): "skipped \(from)-\(to) \(reason)"
        case .restarted(let nextSeq): "restarted at \(nextSeq)"
        case .ended(let seq, let end): "ended at \(seq): \(end.reason)"
        case .notice(let code, let message): "notice \(code) \(message)"
        }
    }
}

extension String {
    /// The kind of a `session/update` line, or all of another text.
    fileprivate var updateKind: String {
        let update = (try? JSONValue(validating: Array(utf8)))?["params"]?["update"]?["sessionUpdate"]
        return update?.stringValue ?? self
    }

    /// A line of a session's stream.
    static func update(_ kind: String, _ session: String = "s") -> String {
        #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"\#(session)","update":{"sessionUpdate":"\#(kind)"}}}"#
    }

    static func result(_ id: Int, _ result: String = "{}") -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"#
    }

    static func error(_ id: Int, _ code: String, _ message: String = "no") -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"error":{"code":-32602,"message":"\#(message)","data":{"code":"\#(code)"}}}"#
    }

    /// The answer to a subscription.
    static func accepted(
        _ id: Int, resumed: Bool = true, start: Int64, head: Int64, journal: String = "j1"
    ) -> String {
        result(
            id,
            #"{"accepted":true,"resumed":\#(resumed),"startSeq":\#(start),"headSeq":\#(head),"journal":"\#(journal)"}"#)
    }

    static func notification(_ method: String, _ params: String) -> String {
        #"{"jsonrpc":"2.0","method":"\#(method)","params":\#(params)}"#
    }

    static func data(_ subId: Int, _ seq: Int64, _ value: String) -> String {
        notification("tinyvex/data", #"{"subId":"\#(subId)","seq":\#(seq),"value":\#(value)}"#)
    }
}

extension TinyvexError {
    fileprivate var words: String {
        switch self {
        case .server(let code, let message, _): "server \(code) \(message)"
        case .transport(let failure): "transport \(failure)"
        case .unauthorized: "unauthorized"
        case .outcomeUnknown: "outcome unknown"
        case .overloaded: "overloaded"
        case .tooLarge: "too large"
        case .cancelled: "cancelled"
        case .closed: "closed"
        case .decoding: "decoding"
        case .encoding: "encoding"
        }
    }
}

extension ConnectionState {
    fileprivate var words: String {
        switch self {
        case .idle(because: nil): "idle"
        case .idle(because: let error?): "idle: \(error.words)"
        case .connecting: "connecting"
        case .connected: "connected"
        case .waiting: "waiting"
        case .closed: "closed"
        }
    }
}
