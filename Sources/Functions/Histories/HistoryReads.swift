import EventLoop
import Tinyvex

/// The reads of long histories from the bridge's own log, two at once. A read can have 64 MiB, so the next one begins only
/// after the answer was passed on and counts as unread (see `ConnectionPermit`).
@LoopActor final class HistoryReads {
    /// Reads, passes its answer on, and then calls its argument once.
    typealias Read = @LoopActor (@escaping @LoopActor () -> Void) -> Void

    /// The log reads one history after another; a second one keeps it busy.
    static let runningLimit = 2
    static let waitingLimit = 1024

    private let timers: any TimerScheduler
    private var running = 0
    private var waiting = FIFOQueue<Read>()

    init(timers: any TimerScheduler) { self.timers = timers }

    func add(_ read: @escaping Read) throws(Rejection) {
        guard waiting.count < Self.waitingLimit else {
            throw Rejection(
                .limitExceeded, "too many histories wait to be read; try again later", rpcCode: .invalidRequest)
        }
        waiting.append(read)
        startReads()
    }

    private func startReads() {
        while running < Self.runningLimit, let read = waiting.popFirst() {
            running += 1
            read { [self] in
                // A connection that has too many unread answers ends in the loop's next turn.
                timers.soon { [self] in
                    running -= 1
                    startReads()
                }
            }
        }
    }
}
