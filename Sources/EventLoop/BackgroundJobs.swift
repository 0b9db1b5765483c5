import Posix
import Synchronization

/// Runs blocking work on threads of its own, and hands each result to the loop.
@LoopActor package final class BackgroundJobs {
    private let mailbox = Mailbox()
    private var listener: WakeUpListener?

    /// The results that the loop has not taken yet. There are at most as many as jobs, which the callers limit.
    private final class Mailbox: Sendable {
        let results = Mutex<[@LoopActor @Sendable () -> Void]>([])
    }

    private let wakeUp: WakeUp
    private let name: String

    /// - Parameter name: The name of the threads.
    package init(_ name: String, _ services: LoopServices) throws(SystemError) {
        self.name = name
        wakeUp = try WakeUp()
        listener = try wakeUp.listen(on: services.poller) { [unowned self] in deliver() }
    }

    /// - Parameter finish: called on the loop with the result of `work`.
    package func run<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value, then finish: @escaping @LoopActor @Sendable (Value) -> Void
    ) throws(SystemError) {
        let (mailbox, wakeUp) = (mailbox, wakeUp)
        try DetachedThread.start(name: name) {
            let value = work()
            mailbox.results.withLock { $0.append { finish(value) } }
            wakeUp.signal()
        }
    }

    private func deliver() {
        let results = mailbox.results.withLock { results in
            defer { results = [] }
            return results
        }
        for result in results { result() }
    }
}
