import CShims
import Glibc

/// A thread that is never joined, for blocking work. Swift's own pool has few threads, and they must never block.
package enum DetachedThread {
    /// Runs `body` with all signals blocked: signals are handled by the program's other threads, and a write to a
    /// closed peer fails here with an error instead of SIGPIPE. `name` is shown by `top -H`; at most 15 bytes.
    package static func start(name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
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
