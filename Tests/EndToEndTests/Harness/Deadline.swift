import EventLoop
import Glibc
import Posix

/// The time at which waiting fails. It is generous: its purpose is to turn a hang into an error message instead of a
/// stuck test run.
struct Deadline {
    private let end: Instant

    /// - Parameter patience: the time limit on an idle machine. Three times as long is allowed, because sixteen tests run
    ///   at once.
    init(after patience: Duration = .seconds(30)) { end = .now + patience * 3 * (Sanitizer.current?.slowdown ?? 1) }

    var hasPassed: Bool { Instant.now >= end }

    /// The timeout for poll(2): at least one, so that a caller does not spin.
    var milliseconds: Int32 { Int32(clamping: max(1, (end - .now).nanoseconds / 1_000_000)) }
}

/// The condition that did not become true in time.
struct Overdue: Error, CustomStringConvertible {
    let description: String

    init(_ claim: String) { description = "in vain waited until \(claim)" }
}

/// Waits until `condition` is true. Use it for conditions that no descriptor signals; it checks every few milliseconds.
func eventually(
    _ claim: @autoclosure () -> String, within patience: Duration = .seconds(30), _ condition: () throws -> Bool
) throws {
    let deadline = Deadline(after: patience)
    while try !condition() {
        guard !deadline.hasPassed else { throw Overdue(claim()) }
        poll(nil, 0, 5)
    }
}
