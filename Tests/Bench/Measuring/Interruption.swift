import Glibc
import Synchronization

/// Ctrl-C and similar signals. Every waiting function checks for them, so that bridges are ended and their folders
/// removed.
package enum Interruption {
    private static let isRequested = Atomic<Bool>(false)

    package static func watch() {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            // Accessed here first, because a signal handler must not be the first to initialise it.
            isRequested.store(false, ordering: .relaxed)
            signal(number) { _ in Interruption.isRequested.store(true, ordering: .relaxed) }
        }
    }

    static func check() throws(BenchFailure) {
        if isRequested.load(ordering: .relaxed) { throw BenchFailure("interrupted") }
    }
}
