import EventLoop
import Glibc

/// When waiting becomes a failure. Generous: it is there so that a hang is a message and not a stuck test run.
struct Deadline {
    private let end: Instant

    /// - Parameter patience: in an ordinary build.
    init(after patience: Duration = .seconds(30)) { end = .now + patience * (Sanitizer.current?.slowdown ?? 1) }

    var hasPassed: Bool { Instant.now >= end }

    /// For poll(2): at least one, so that nobody spins.
    var milliseconds: Int32 { Int32(clamping: max(1, (end - .now).nanoseconds / 1_000_000)) }
}

/// What did not happen in time.
struct Overdue: Error, CustomStringConvertible {
    let description: String

    init(_ claim: String) { description = "in vain waited until \(claim)" }
}

/// Waits until `condition` holds. For what no descriptor tells; looks every few milliseconds.
func eventually(
    _ claim: @autoclosure () -> String, within patience: Duration = .seconds(30), _ condition: () throws -> Bool
) throws {
    let deadline = Deadline(after: patience)
    while try !condition() {
        guard !deadline.hasPassed else { throw Overdue(claim()) }
        poll(nil, 0, 5)
    }
}
