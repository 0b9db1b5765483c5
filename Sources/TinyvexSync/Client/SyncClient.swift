import JSONRPC
import JSONScan
import Tinyvex
import TinyvexMachine
import TinyvexTransport

/// A client of one bridge that works with JSON texts. `TinyvexClient` adds types to it.
///
/// The client connects when a caller needs a connection, reconnects after a loss, and continues at the same place. It
/// lives as long as the program holds the client or one of its streams; then the connection is closed.
package final class SyncClient: Sendable {
    let core: SyncCore

    /// - Parameter token: sent to the bridge; see `setToken`.
    package convenience init(_ configuration: SyncConfiguration, token: String? = nil, transport: any Transport) {
        self.init(
            configuration, token: token, transport: transport, seed: .random(in: .min ... .max), time: .system)
    }

    /// - Parameter seed: seeds the jitter of the delays.
    package init(
        _ configuration: SyncConfiguration, token: String?, transport: any Transport, seed: UInt64, time: EngineTime
    ) {
        core = SyncCore(configuration, token: token, transport: transport, seed: seed, time: time)
    }

    deinit { core.handle(.close) }

    /// Ends the connection for good. Everything that is still waiting fails with `closed`.
    package func close() { core.handle(.close) }

    // MARK: Calls

    /// Waits for the answer, across reconnections if necessary.
    ///
    /// Cancelling the task only ends the wait. A call that was already sent is not withdrawn.
    package func call(_ call: Call) async throws(TinyvexError) -> JSONValue {
        let id = CallID(number: core.withReceivers { $0.newNumber() })
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

    /// Sends a message that gets no answer: a notification, or an answer to the agent. The message is dropped if the
    /// connection is lost before it is sent.
    package func send(_ call: Call) { core.handle(.call(CallID(number: core.withReceivers { $0.newNumber() }), call)) }

    // MARK: Streams

    /// A session's updates or its timeline: every number once, in order.
    ///
    /// The subscription starts with this call, and pieces are queued for the reader.
    ///
    /// - Parameters:
    ///   - params: an object as canonical JSON text.
    ///   - policy: the updates that the bridge can leave out when the reader is slow; nil: none.
    ///   - limitBytes: the limit of the bytes that wait for this reader, if it is less than the configuration's
    ///     `streamLimitBytes`.
    package func stream(
        _ name: StreamName, params: [UInt8], from start: StreamStart, policy: StreamPolicy? = nil,
        limitBytes: Int? = nil
    ) -> StreamPieces {
        let target = StreamTarget(name: name.rawValue, params: params)
        let limitBytes = min(limitBytes ?? .max, core.configuration.streamLimitBytes)
        return StreamPieces { [self] in
            let mailbox = Mailbox(PieceQueue(limitBytes: limitBytes))
            let id = SubscriberID(number: core.withReceivers { $0.newNumber() })
            core.handle(.subscribe(id, target, start: start, policy: policy)) { $0.add(mailbox, id) }
            return ReaderSubscription(self, id, mailbox)
        }
    }

    /// The present value and its changes. A value that is not read before the next one arrives is dropped.
    ///
    /// - Parameters:
    ///   - params: an object as canonical JSON text.
    ///   - isShared: true if equal names and params share one subscription, and its newest value. Otherwise the first
    ///     value is one that the bridge has sent after this call.
    package func values(_ name: String, params: [UInt8], isShared: Bool = true) -> StreamValues {
        StreamValues { [self] in
            let mailbox = Mailbox(Newest<StreamValue>())
            let id = SubscriberID(number: core.withReceivers { $0.newNumber() })
            let target = StreamTarget(name: name, params: params, owner: isShared ? nil : id)
            core.handle(.subscribe(id, target, start: .now, policy: nil)) { $0.add(mailbox, id) }
            return ReaderSubscription(self, id, mailbox)
        }
    }

    // MARK: The connection

    package var connectionState: ConnectionState { core.withReceivers { $0.connectionState } }

    /// The present state and each later state. A reader that is slower than the changes gets only the newest state.
    package func connectionStates() -> ConnectionStates { ConnectionStates(self) }

    /// Uses this token from now on; nil drops to no rights. An open connection sends the change at once.
    package func setToken(_ token: String?) { core.handle(.setToken(token)) }

    /// The token of this and of later connections.
    package var token: String? { core.token }

    /// Sets the source of new tokens. It is asked once when the bridge refuses the old token. If the source has no new
    /// token, it returns nil, and everything that waits fails with `unauthorized`. If the bridge refuses the connection with
    /// the new token too, `onRefusal` is called in addition.
    package func setTokenSource(
        _ renew: (@Sendable () async -> String?)?, onRefusal: @escaping @Sendable () -> Void = {}
    ) {
        core.setTokenSource(renew.map { TokenSource(renew: $0, onRefusal: onRefusal) })
    }

    // MARK: The agent

    /// The requests and notifications of the agent that this client drives. Until a caller reads them, requests are
    /// answered with "method not found". The latest caller gets all messages.
    package func agentMessages() -> AgentMessages { AgentMessages(self) }

    /// Like `agentMessages`, but does not keep this client alive. Passes each event to `serve`, in order, until the
    /// client is closed or another reader takes over.
    package func serveAgent(_ serve: @escaping @Sendable (AgentEvent, AgentReplies) -> Void) {
        let mailbox = Mailbox(AgentQueue())
        core.withReceivers { $0.serveAgent(with: mailbox) }
        let replies = AgentReplies(core)
        Task {
            while let taken = (try? await mailbox.next())?.taken {
                for event in taken { serve(event, replies) }
            }
        }
    }
}
