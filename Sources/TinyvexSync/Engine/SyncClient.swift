import JSONRPC
import JSONScan
import Tinyvex

/// A client of one bridge, in JSON texts. `TinyvexClient` puts types around it.
///
/// Connects when something asks for it, connects anew when the connection is lost, and goes on where it was. Lives as long
/// as its program holds it or one of its streams; then the connection is closed.
public final class SyncClient: Sendable {
    let core: SyncCore

    /// - Parameter token: shown to the bridge; see `setToken`.
    public convenience init(_ configuration: SyncConfiguration, token: String? = nil, transport: any Transport) {
        self.init(
            configuration, token: token, transport: transport, seed: .random(in: .min ... .max), time: .system)
    }

    /// A client whose work, connections included, is done on this loop's thread.
    ///
    /// - Parameter authorities: see ``SocketTransport``.
    public convenience init(
        _ configuration: SyncConfiguration, token: String? = nil, authorities: String? = nil, loop: ClientLoop
    ) {
        self.init(
            configuration, token: token, transport: SocketTransport(authorities: authorities, loop: loop),
            seed: .random(in: .min ... .max), time: .on(loop))
    }

    init(
        _ configuration: SyncConfiguration, token: String?, transport: any Transport, seed: UInt64, time: EngineTime
    ) {
        core = SyncCore(configuration, token: token, transport: transport, seed: seed, time: time)
    }

    deinit { core.handle(.close) }

    /// Ends the connection for good. Whatever waits fails with `closed`.
    public func close() { core.handle(.close) }

    // MARK: Calls

    /// Waits for the answer, over as many connections as it takes.
    ///
    /// Cancelling the task stops the waiting. What was sent is not called back by that.
    public func call(_ call: Call) async throws(TinyvexError) -> JSONValue {
        let id = CallID(number: core.withOutlets { $0.newNumber() })
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                core.handle(.call(id, call)) { $0.await(id) { continuation.resume(returning: $0) } }
                if Task.isCancelled { core.cancel(id) }
            }
        } onCancel: {
            core.cancel(id)
        }
        return try answer.get()
    }

    /// Sends what nothing answers: a notification, or an answer to the agent. It is dropped when the connection is lost
    /// before it is sent.
    public func send(_ call: Call) { core.handle(.call(CallID(number: core.withOutlets { $0.newNumber() }), call)) }

    // MARK: Streams

    /// A session's updates or its timeline: every number once, in order.
    ///
    /// It is subscribed to from now on, and what comes waits for its reader.
    ///
    /// - Parameter params: an object as canonical JSON text.
    /// - Parameter policy: what the bridge may leave out when the reader is slow; nil: nothing.
    public func stream(
        _ name: StreamName, params: [UInt8], from start: StreamStart, policy: String? = nil
    ) -> StreamPieces {
        let target = StreamTarget(name: name.rawValue, params: params)
        let limitBytes = core.configuration.streamLimitBytes
        return StreamPieces { [self] in
            let mailbox = Mailbox(PieceQueue(limitBytes: limitBytes))
            let id = SubscriberID(number: core.withOutlets { $0.newNumber() })
            core.handle(.subscribe(id, target, start: start, policy: policy)) { $0.add(mailbox, id) }
            return Subscription(self, id, mailbox)
        }
    }

    /// A value, as it is and as it changes; what nobody read in time is gone.
    ///
    /// - Parameter params: an object as canonical JSON text. Equal names and params share one subscription.
    public func values(_ name: String, params: [UInt8]) -> StreamValues {
        let target = StreamTarget(name: name, params: params)
        return StreamValues { [self] in
            let mailbox = Mailbox(Newest<StreamValue>())
            let id = SubscriberID(number: core.withOutlets { $0.newNumber() })
            core.handle(.subscribe(id, target, start: .now, policy: nil)) { $0.add(mailbox, id) }
            return Subscription(self, id, mailbox)
        }
    }

    // MARK: The connection

    public var connectionState: ConnectionState { core.withOutlets { $0.connectionState } }

    /// The present state and each later one; of several that nobody looked at meanwhile, the newest.
    public func connectionStates() -> ConnectionStates { ConnectionStates(self) }

    /// From now on this token is shown; nil drops to no rights. On a connection that is open it is told at once.
    public func setToken(_ token: String?) { core.handle(.setToken(token)) }

    /// Asked once for a new token when the bridge refuses the old one; nil from it means that there is none, and whatever
    /// waits fails with `unauthorized`. `onRefusal` is called when that has happened.
    public func setTokenSource(
        _ renew: (@Sendable () async -> String?)?, onRefusal: @escaping @Sendable () -> Void = {}
    ) {
        core.setTokenSource(renew.map { TokenSource(renew: $0, onRefusal: onRefusal) })
    }

    // MARK: The agent

    /// What the agent that this client drives asks and tells. As long as nobody takes it up, its requests are answered
    /// with "method not found". Whoever asks last gets them.
    public func agentMessages() -> AgentMessages { AgentMessages(self) }

    /// As `agentMessages`, without keeping this client alive: hands each event to `serve`, in order, until the client is
    /// closed or someone else takes them up.
    package func serveAgent(_ serve: @escaping @Sendable (AgentEvent, AgentReplies) async -> Void) {
        let mailbox = Mailbox(AgentQueue())
        core.withOutlets { $0.serveAgent(with: mailbox) }
        let replies = AgentReplies(core: core)
        Task {
            while let taken = (try? await mailbox.take())?.taken {
                for event in taken { await serve(event, replies) }
            }
        }
    }
}
