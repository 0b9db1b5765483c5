import CShims
import Glibc

/// A thread that nobody waits for, for work that blocks. Not one of Swift's own pool, whose few threads must never block.
public enum DetachedThread {
    /// Runs `body` with every signal blocked: signals are for the program's other threads, and a write to a peer that
    /// has gone is an error here and no SIGPIPE. `name` shows in `top -H`; 15 bytes at most.
    public static func start(name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        var everySignal = sigset_t()
        var previous = sigset_t()
        sigfillset(&everySignal)
        pthread_sigmask(SIG_SETMASK, &everySignal, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }

        let start = Unmanaged.passRetained(Start(name: name, body: body))
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
        pthread_detach(handle)
    }
}

private final class Start: Sendable {
    private let name: String
    private let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }

    func run() {
        cshims_name_thread(name)
        body()
    }
}
