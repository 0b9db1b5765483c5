import Connections
import EventLoop

/// Takes a client's messages from its transport, one after another, so that answers have the order of the requests.
///
/// The next message waits while a request is being handled, while too many answers are unread, and while other clients
/// need the turn of the event loop. The transport keeps the messages that wait.
@LoopActor final class RequestQueue {
    private let transport: any ClientTransport
    /// The work that waits for a later turn of the event loop, of all clients.
    private let waiting: SlicedWork
    private let handle: @LoopActor (Arrival) -> Void
    /// Called after the messages of a later turn were handled.
    private let turnEnded: @LoopActor () -> Void
    /// A request is being handled.
    private var isBusy = false
    private var isHandling = false
    /// The client has sent more requests than one turn of the event loop can handle.
    private var isWaitingForTurn = false
    private var isClosed = false

    init(
        _ transport: any ClientTransport, waiting: SlicedWork,
        handle: @escaping @LoopActor (Arrival) -> Void, turnEnded: @escaping @LoopActor () -> Void
    ) {
        self.transport = transport
        self.waiting = waiting
        self.handle = handle
        self.turnEnded = turnEnded
    }

    /// True if no request is being handled and none waits for its turn.
    var isIdle: Bool { !isBusy && !isWaitingForTurn }

    /// Handles the messages that have arrived, as far as their turn has come.
    func run() {
        guard !isHandling, !isWaitingForTurn else { return }
        isHandling = true
        defer { isHandling = false }
        while canHandle {
            guard waiting.hasTime else { return waitForTurn() }
            guard let arrival = transport.next() else { break }
            handle(arrival)
        }
        if !isBusy { transport.resumeReading() }
    }

    /// Holds the next messages until the returned function is called. Further calls of that function do nothing, so a
    /// request can end its hold before its answer.
    func hold() -> @LoopActor () -> Void {
        isBusy = true
        var isHeld = true
        return { [self] in
            guard isHeld else { return }
            isHeld = false
            isBusy = false
            run()
        }
    }

    func close() { isClosed = true }

    private var canHandle: Bool { !isClosed && !isBusy && !transport.writer.isOverControlLimit }

    /// Waits for a later turn. One read can contain a thousand requests, so other clients' requests and the bytes of
    /// editors and agents are handled in between.
    private func waitForTurn() {
        isWaitingForTurn = true
        transport.pauseReading()
        waiting.add { [self] in turnCame() }
    }

    /// Handles one message, and the following ones if no other client waits.
    private func turnCame() {
        isWaitingForTurn = false
        guard !isClosed else { return }
        guard canHandle, let arrival = transport.next() else { return isBusy ? () : transport.resumeReading() }
        isHandling = true
        handle(arrival)
        isHandling = false
        run()
        turnEnded()
    }
}
