import EventLoop

/// A connection from the attempt at it to its end, step by step. It belongs to one thread.
final class ConnectionLife {
    private enum Stage {
        /// To: open, over.
        case new(ConnectionAttempt)
        /// To: over.
        case open(ConnectionDriver)
        case over
    }

    let mailbox: ConnectionMailbox
    private let request: ConnectionRequest
    private var stage: Stage

    init(_ request: ConnectionRequest, authorities: String?, _ mailbox: ConnectionMailbox) {
        self.request = request
        self.mailbox = mailbox
        stage = .new(ConnectionAttempt(request, authorities: authorities, mailbox: mailbox))
    }

    /// Does what can be done at once; the attempt is one step, and waits for as long as it takes. Returns what to wait for
    /// until the next step; nil when it is over.
    func step(isReady: Bool) -> ConnectionWait? {
        switch stage {
        case .new(let attempt):
            connect(attempt)
            return step(isReady: true)
        case .open(let driver):
            switch driver.step(isReady: isReady) {
            case .wait(let wait): return wait
            case .over(let failure):
                end(failure)
                return nil
            }
        case .over: return nil
        }
    }

    /// Ends it without a word to the peer.
    func abandon() { end(.lost(reason: "its thread has ended")) }

    private func connect(_ attempt: ConnectionAttempt) {
        do throws(TransportFailure) {
            let opened = try attempt.run()
            stage = .open(ConnectionDriver(opened.wire, firstBytes: opened.firstBytes, request, mailbox))
            mailbox.opened(opened.answer)
        } catch {
            end(error)
        }
    }

    /// The socket is closed before anyone is told.
    private func end(_ failure: TransportFailure) {
        stage = .over
        mailbox.ended(failure)
    }
}
