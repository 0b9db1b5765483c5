import JSONScan
import TinyvexTransport

/// The logic of a bridge client, as a function from events to actions. It has no clock, no randomness of its own, no
/// sockets and no tasks.
///
/// Its owner passes it events and performs its actions in order. The machine connects when a caller needs a connection,
/// and keeps calls and subscriptions across reconnections.
package struct SyncMachine {
    let configuration: SyncConfiguration
    var link = Link.idle
    var streams = StreamTable()
    var calls: CallQueue
    var tokens: TokenState
    var backoff: Backoff
    var readers = Readers()
    /// A connection to this endpoint has been open before, so a refusal can be temporary.
    var hasEverConnected = false
    /// Streams that were refused for missing rights and are retried with a new token.
    var refusedStreams: Set<StreamTable.ID> = []
    /// Scans the messages, of which most are the lines of one session.
    var scanner = EnvelopeScanner()
    private(set) var now: Instant
    private var nextConnection = 1
    private var actions: [Action] = []

    /// - Parameter seed: seeds the jitter of the delays.
    package init(_ configuration: SyncConfiguration, token: String?, seed: UInt64, now: Instant) {
        self.configuration = configuration
        self.now = now
        calls = CallQueue(limitBytes: configuration.callLimitBytes)
        tokens = TokenState(token: token, canRefresh: false)
        backoff = Backoff(shortest: configuration.shortestDelay, longest: configuration.longestDelay, seed: seed)
    }

    /// True if the connection must be read.
    package var isReading: Bool { readers.isReading }

    /// The latest time for the next `timerFired`; an earlier one does no harm.
    package var deadline: Instant? {
        switch link {
        case .waiting(let until): isWanted ? until : nil
        case .open(let connection): connection.heartbeat.deadline
        case .idle, .authorizing, .connecting, .closed: nil
        }
    }

    package mutating func handle(_ event: Event, at now: Instant) -> [Action] {
        self.now = max(self.now, now)
        apply(event)
        settle()
        defer { actions = [] }
        return actions
    }

    private mutating func apply(_ event: Event) {
        switch event {
        case .subscribe(let subscriber, let target, let start, let policy):
            subscribe(subscriber, target, start: start, policy: policy)
        case .unsubscribe(let subscriber): unsubscribe(subscriber)
        case .readerFellBehind(let subscriber):
            // The stream can have failed in the same batch.
            if streams.stream(of: subscriber) != nil { readers.fellBehind(subscriber) }
        case .readerCaughtUp(let subscriber): readerCaughtUp(subscriber)
        case .call(let id, let call): add(id, call)
        case .cancel(let id): calls.remove(id)
        case .setToken(let token): setToken(token)
        case .setCanRefreshToken(let canRefresh): tokens.canRefresh = canRefresh
        case .tokenRefreshed(let token): tokenRefreshed(token)
        case .close: close()
        case .connected(let id): connected(id)
        case .failed(let id, let failure): if isCurrent(id) { lose(failure) }
        case .arrived(let id, let batch): if isCurrent(id) { arrived(batch) }
        case .sent(let id, let bytes): if isCurrent(id) { withOpen { $0.queuedBytes = max(0, $0.queuedBytes - bytes) } }
        case .timerFired(let lastHeard): timerFired(lastHeard)
        }
    }

    // MARK: Internals

    mutating func act(_ action: Action) { actions.append(action) }

    @discardableResult
    mutating func withOpen<Result>(_ body: (inout OpenConnection) -> Result) -> Result? {
        guard case .open(var connection) = link else { return nil }
        // Clear `link` during the update, so that the connection is mutated in place.
        link = .idle
        defer { link = .open(connection) }
        return body(&connection)
    }

    var openConnection: ConnectionID? { if case .open(let connection) = link { connection.id } else { nil } }

    func isCurrent(_ id: ConnectionID) -> Bool {
        switch link {
        case .connecting(let current, _): current == id
        case .open(let connection): connection.id == id
        case .idle, .waiting, .authorizing, .closed: false
        }
    }

    mutating func newConnection() -> ConnectionID {
        defer { nextConnection += 1 }
        return ConnectionID(number: nextConnection)
    }

    /// True if a stream or a call needs a connection.
    var isWanted: Bool { !streams.isEmpty || !calls.isEmpty }
}
