import TinyvexTransport

/// A connection from its first attempt to its end, step by step. Used by one thread only.
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

    /// Does all work that is possible without waiting. Returns the next wait; nil when the connection is over.
    func step(isReady: Bool) -> ConnectionWait? {
        switch stage {
        case .new(let attempt): return connect(attempt, isReady: isReady)
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

    /// Ends the connection without notifying the peer.
    func abandon() { end(.lost(reason: "its thread has ended")) }

    private func connect(_ attempt: ConnectionAttempt, isReady: Bool) -> ConnectionWait? {
        do throws(TransportFailure) {
            switch try attempt.step(isReady: isReady) {
            case .wait(let wait): return wait
            case .opened(let opened):
                stage = .open(ConnectionDriver(opened.wire, firstBytes: opened.firstBytes, request, mailbox))
                mailbox.opened(opened.answer)
                return step(isReady: true)
            }
        } catch {
            end(error)
            return nil
        }
    }

    /// Closes the socket before any user is notified.
    private func end(_ failure: TransportFailure) {
        stage = .over
        mailbox.ended(failure)
    }
}
