import Glibc
import Synchronization

/// Ctrl-C and its like: noticed by whatever waits, so that bridges are ended and their folders removed.
enum Interruption {
    private static let isRequested = Atomic<Bool>(false)

    static func watch() {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            // Touched here first, since a handler must not be the one to initialise it.
            isRequested.store(false, ordering: .relaxed)
            signal(number) { _ in Interruption.isRequested.store(true, ordering: .relaxed) }
        }
    }

    static func check() throws(BenchFailure) {
        if isRequested.load(ordering: .relaxed) { throw BenchFailure("interrupted") }
    }
}
