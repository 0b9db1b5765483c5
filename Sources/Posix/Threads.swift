import CShims
import Glibc

/// A thread that is never joined, for blocking work. Swift's own pool has few threads, and they must never block.
package enum DetachedThread {
    /// Runs `body` on a new thread. See ``WorkerThread`` for its signals and its name.
    package static func start(name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        pthread_detach(try Start.thread(name: name, body))
    }
}

/// A thread for blocking work that ends with its owner. The owner must ask the thread to end before it releases this
/// value.
package struct WorkerThread: ~Copyable, Sendable {
    private let handle: pthread_t

    /// Runs `body` with all signals blocked: signals are handled by the program's other threads, and a write to a
    /// closed peer fails here with an error instead of SIGPIPE. `name` is shown by `top -H`; at most 15 bytes.
    ///
    /// - Parameter priority: the thread's priority among the threads of this program.
    package init(
        name: String, priority: ThreadPriority = .normal, _ body: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        handle = try Start.thread(name: name, priority: priority, body)
    }

    deinit { pthread_join(handle, nil) }

    /// Waits for the thread's end. Releasing this value waits too.
    package consuming func join() {}

    /// Does not wait for the thread's end. The thread ends by itself, or with the process.
    package consuming func detach() {
        pthread_detach(handle)
        discard self
    }
}

/// How a thread shares the processor with the program's other threads.
package enum ThreadPriority: Sendable {
    case normal
    /// About 1.5 % of a processor that others want too: nice 19 of setpriority(2). The policy SCHED_IDLE would be lower,
    /// but a thread that holds a lock of the allocator could then stop for a second and hold up others.
    case lowest
}

/// The name and the work of a thread that is about to start.
private final class Start: Sendable {
    private let name: String
    private let priority: ThreadPriority
    private let body: @Sendable () -> Void

    private init(name: String, priority: ThreadPriority, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.priority = priority
        self.body = body
    }

    private func run() {
        cshims_name_thread(name)
        if priority == .lowest { cshims_lower_thread_priority() }
        body()
    }

    /// Starts a thread, which the caller must detach or join.
    static func thread(
        name: String, priority: ThreadPriority = .normal, _ body: @escaping @Sendable () -> Void
    ) throws(SystemError) -> pthread_t {
        // The thread inherits its signal mask.
        var everySignal = sigset_t()
        var previous = sigset_t()
        sigfillset(&everySignal)
        pthread_sigmask(SIG_SETMASK, &everySignal, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }

        let start = Unmanaged.passRetained(Start(name: name, priority: priority, body: body))
        var handle = pthread_t()
        let code = pthread_create(
            &handle, nil,
            { argument in
                argument.map { Unmanaged<Start>.fromOpaque($0).takeRetainedValue().run() }
                return nil
            }, start.toOpaque())
        guard code == 0 else {
            start.release()
            throw SystemError("pthread_create", code: code)
        }
        return handle
    }
}
