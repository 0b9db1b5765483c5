import EventLoop
import Glibc
import Posix

/// Runs the loop on its own thread, once for all tests of a process.
package enum LoopThread {
    package static let start: Void = {
        signal(SIGPIPE, SIG_IGN)
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { _ in
                EventLoop.main.run {}
                return nil
            }, nil)
    }()
}
