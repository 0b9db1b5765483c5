import JSONScan
import TinyvexTransport

extension SyncMachine {
    package typealias Instant = ContinuousClock.Instant

    /// The machine's inputs.
    package enum Event {
        // Local events.
        case subscribe(SubscriberID, StreamTarget, start: StreamStart, policy: StreamPolicy?)
        case unsubscribe(SubscriberID)
        /// More bytes than the limit wait for this reader.
        case readerFellBehind(SubscriberID)
        case readerCaughtUp(SubscriberID)
        case call(CallID, Call)
        case cancel(CallID)
        case setToken(String?)
        case setCanRefreshToken(Bool)
        /// The result of the token source; nil if it has no new token.
        case tokenRefreshed(String?)
        case close

        // Events of the connection.
        case connected(ConnectionID)
        case failed(ConnectionID, TransportFailure)
        case arrived(ConnectionID, MessageBatch)
        /// The transport has taken texts with this many bytes.
        case sent(ConnectionID, bytes: Int)

        /// `lastHeard` is the time when the connection last received bytes of any kind.
        case timerFired(lastHeard: Instant?)
    }

    /// The machine's outputs, to be performed in order.
    package enum Action: Equatable {
        case connect(ConnectionID, ConnectionRequest)
        case send(ConnectionID, [UInt8])
        case disconnect(ConnectionID, code: UInt16)
        /// Starts or stops reading the connection. When it is not read, the peer stops sending.
        case setReading(Bool)

        case deliver(SubscriberID, StreamPiece)
        case deliverValue(SubscriberID, StreamValue)
        /// The last action for this subscriber.
        case fail(SubscriberID, TinyvexError)
        case answer(CallID, Outcome)
        case agent(AgentMessage)
        /// The connection that carried the agent's requests is gone, so no answer can reach the agent.
        case agentLost
        case refreshToken
        /// The bridge has refused the connection with the renewed token too.
        case newTokenRefused
        case state(ConnectionState)
    }

    package enum Outcome: Equatable {
        case result(JSONValue)
        case failure(TinyvexError)

        package static func == (left: Outcome, right: Outcome) -> Bool {
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
        /// Waits after a failure. To: connecting, closed.
        case waiting(until: Instant)
        /// The token was refused, and a new token has been requested. To: connecting, idle, closed.
        case authorizing
        /// To: open, waiting, authorizing, idle, closed.
        case connecting(ConnectionID, token: String?)
        /// To: waiting, authorizing, idle, closed.
        case open(OpenConnection)
        case closed
    }

    /// The purpose of a request on this connection.
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
        /// The agent has sent a message on this connection.
        var hasAgent = false
        /// Bytes of texts that were passed to the transport and that it has not taken yet.
        var queuedBytes = 0
        private var awaited: [Int: Awaited] = [:]
        private var nextRequest = 1

        init(id: ConnectionID, _ configuration: SyncConfiguration, now: Instant) {
            self.id = id
            heartbeat = Heartbeat(
                pingAfter: configuration.pingAfter, deadAfter: configuration.deadAfter, now: now)
            chunks = ChunkAssembler(limitBytes: configuration.chunkLimitBytes)
        }

        /// Returns the id for the next request, and stores its purpose for the answer.
        mutating func request(_ purpose: Awaited) -> Int {
            defer { nextRequest += 1 }
            awaited[nextRequest] = purpose
            return nextRequest
        }

        mutating func answered(_ request: Int) -> Awaited? { awaited.removeValue(forKey: request) }
    }
}
