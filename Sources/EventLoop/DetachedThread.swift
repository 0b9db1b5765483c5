import Glibc

/// A thread that is never joined, for blocking work. Swift's own pool has few threads, and they must never block.
public enum DetachedThread {
    /// Runs `body` with all signals blocked: signals are handled by the program's other threads, and a write to a
    /// closed peer fails here with an error instead of SIGPIPE. `name` is shown by `top -H`; at most 15 bytes.
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
        nameThisThread()
        body()
    }

    /// Writes to proc(5), because pthread_setname_np(3) is a GNU extension that the importer leaves out.
    private func nameThisThread() {
        let descriptor = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        write(descriptor, name, name.utf8.count)
        close(descriptor)
    }
}
