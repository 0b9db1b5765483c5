import JSONScan

extension SyncMachine {
    typealias Instant = ContinuousClock.Instant

    /// What happened.
    enum Event {
        // Here.
        case subscribe(SubscriberID, StreamTarget, start: StreamStart, policy: String?)
        case unsubscribe(SubscriberID)
        /// More than the limit waits for this reader.
        case readerFellBehind(SubscriberID)
        case readerCaughtUp(SubscriberID)
        case call(CallID, Call)
        case cancel(CallID)
        case setToken(String?)
        case setCanRefreshToken(Bool)
        /// What the one who gives out tokens said; nil: there is none.
        case tokenRefreshed(String?)
        case close

        // On the connection.
        case connected(ConnectionID)
        case failed(ConnectionID, TransportFailure)
        case arrived(ConnectionID, MessageBatch)
        /// The transport has taken texts of so many bytes.
        case sent(ConnectionID, bytes: Int)

        /// `lastHeard` is when the connection last had bytes of any kind.
        case timerFired(lastHeard: Instant?)
    }

    /// What is to be done, in order.
    enum Action: Equatable {
        case connect(ConnectionID, ConnectionRequest)
        case send(ConnectionID, [UInt8])
        case disconnect(ConnectionID, code: UInt16)
        /// Whether to read the connection. Unread, its peer stops sending.
        case setReading(Bool)

        case deliver(SubscriberID, StreamPiece)
        case deliverValue(SubscriberID, StreamValue)
        /// The last that this subscriber gets.
        case fail(SubscriberID, TinyvexError)
        case answer(CallID, Outcome)
        case agent(AgentMessage)
        /// The connection is gone on which the agent asked something; no answer can reach it.
        case agentLost
        case refreshToken
        case state(ConnectionState)
    }

    enum Outcome: Equatable {
        case result(JSONValue)
        case failure(TinyvexError)

        static func == (left: Outcome, right: Outcome) -> Bool {
            switch (left, right) {
            case (.result(let value), .result(let other)): value.rawText == other.rawText
            case (.failure(let error), .failure(let other)): error == other
            default: false
            }
        }
    }

    enum Link {
        /// To: connecting, closed.
        case idle
        /// After a failure. To: connecting, closed.
        case waiting(until: Instant)
        /// The token was refused and a new one is awaited. To: connecting, idle, closed.
        case authorizing
        /// To: open, waiting, authorizing, idle, closed.
        case connecting(ConnectionID, token: String?)
        /// To: waiting, authorizing, idle, closed.
        case open(OpenConnection)
        case closed
    }

    /// What a request on this connection was for.
    enum Awaited {
        case connect, ping, setToken
        case subscription(StreamTable.ID)
        case unsubscription(StreamTable.ID)
        case call(CallID)
    }

    struct OpenConnection {
        let id: ConnectionID
        var heartbeat: Heartbeat
        var chunks: ChunkAssembler
        /// The agent has said something on it.
        var hasAgent = false
        /// Texts that were given to the transport and that it has not taken.
        var queuedBytes = 0
        private var awaited: [Int: Awaited] = [:]
        private var nextRequest = 1

        init(id: ConnectionID, _ configuration: SyncConfiguration, now: Instant) {
            self.id = id
            heartbeat = Heartbeat(
                pingAfter: configuration.pingAfter, deadAfter: configuration.deadAfter, now: now)
            chunks = ChunkAssembler(limitBytes: configuration.chunkLimitBytes)
        }

        /// The id of the next request, and what its answer will be for.
        mutating func request(_ purpose: Awaited) -> Int {
            defer { nextRequest += 1 }
            awaited[nextRequest] = purpose
            return nextRequest
        }

        mutating func answered(_ request: Int) -> Awaited? { awaited.removeValue(forKey: request) }
    }
}
