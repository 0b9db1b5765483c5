import CShims
import Glibc

/// A thread for work that blocks on disk. The cooperative pool cannot be used, because its few threads must never
/// block. The owner must ask the thread to end before it releases this value.
struct WorkerThread: ~Copyable, Sendable {
    private let handle: pthread_t

    /// Starts the thread with every signal blocked, because the event loop handles signals. `top -H` shows `name`,
    /// which can have 15 bytes at most.
    init(name: String, _ body: @escaping @Sendable () -> Void) throws(LogError) {
        var everySignal = sigset_t()
        var previous = sigset_t()
        sigfillset(&everySignal)
        pthread_sigmask(SIG_SETMASK, &everySignal, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }

        let start = Unmanaged.passRetained(Start(name: name, body: body))
        var handle = pthread_t()
        let failure = pthread_create(
            &handle, nil,
            { argument in
                guard let argument else { return nil }
                let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                cshims_name_thread(start.name)
                start.body()
                return nil
            }, start.toOpaque())
        guard failure == 0 else {
            start.release()
            throw .system(operation: "start thread", path: name, errno: failure)
        }
        self.handle = handle
    }

    deinit { pthread_join(handle, nil) }

    /// Waits for the thread's end. Releasing this value waits too.
    consuming func join() {}
}

private final class Start: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }
}
