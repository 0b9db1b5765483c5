import EventLoop
import Glibc
import Posix

/// Determines when waiting fails: when nothing has changed for a while, not after a fixed time. Its purpose is to turn
/// a hang into an error message instead of a stuck test run.
///
/// A change is one that the caller reports, for example received bytes, or work of a process of the test's home. So a
/// wait lasts longer on a busy machine, where every process gets less time. A process that works without an end would
/// delay the failure for ever, so there is a limit for the whole wait, too.
final class Deadline {
    /// The limit for the whole wait is that many times as long as the time without a change.
    private static let mostChanges = 10

    /// The work is measured at the end of each interval, and must grow from one to the next.
    private let interval: Duration
    private let last: Instant
    private var end: Instant
    private var work: Work?

    /// - Parameter patience: the time without a change after which waiting fails.
    init(after patience: Duration = .seconds(30)) {
        interval = patience / 2 * (Sanitizer.current?.slowdown ?? 1)
        last = .now + interval * 2 * Self.mostChanges
        end = .now + interval
    }

    /// Continues the wait if the processes have worked in this interval.
    var hasPassed: Bool {
        guard Instant.now >= end else { return false }
        let now = Work.ofThisTest
        if work.map(now.isProgress) ?? true { end = min(.now + interval, last) }
        work = now
        return Instant.now >= end
    }

    /// Begins the time without a change again.
    func somethingHasChanged() {
        work = nil
        end = min(.now + interval, last)
    }

    /// The timeout for poll(2): at least one, so that a caller does not spin.
    var milliseconds: Int32 { Int32(clamping: max(1, (end - .now).nanoseconds / 1_000_000)) }
}

/// The work of the processes of a test's home at one moment.
private struct Work {
    /// The time that they have spent on a processor, in clock ticks of 10 ms. Ended processes do not count.
    private var ticks = 0
    private var waitsForDisk = false

    static var ofThisTest: Work {
        var work = Work()
        for process in BridgeHome.current.map(BridgeHome.processes(ofHomeAt:)) ?? [] {
            guard let usage = ProcessFolder.usage(of: process.pid) else { continue }
            work.ticks += usage.ticks
            if usage.state == UInt8(ascii: "D") { work.waitsForDisk = true }
        }
        return work
    }

    /// A process that only runs a timer now and then makes no progress.
    func isProgress(since earlier: Work) -> Bool {
        waitsForDisk || ticks < earlier.ticks || ticks > earlier.ticks + 5
    }
}

/// The condition that did not become true in time.
struct Overdue: Error, CustomStringConvertible {
    let description: String

    init(_ claim: String) { description = "gave up waiting until \(claim)" }
}

/// Waits until `condition` is true. Use it for conditions that no descriptor signals; it checks every few milliseconds,
/// and less often if the check itself takes long, because the processes of the test need the processor, too.
func eventually(
    _ claim: @autoclosure () -> String, within patience: Duration = .seconds(30), _ condition: () throws -> Bool
) throws {
    let deadline = Deadline(after: patience)
    while true {
        let start = Instant.now
        if try condition() { return }
        guard !deadline.hasPassed else { throw Overdue(claim()) }
        let pause = min((Instant.now - start).nanoseconds / 1_000_000, 100)
        poll(nil, 0, max(5, Int32(clamping: pause)))
    }
}
