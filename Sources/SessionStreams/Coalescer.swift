import Coalescing
import Posix
import Tinyvex

/// The state that a subscription under a policy keeps beside its cursor. It belongs to one cursor, and is an object so that
/// the many cursors without a policy need no room for it.
final class Coalescer {
    let terms: PolicyTerms
    var machine: CoalescingMachine
    var tally = SkipTally()
    var isReportScheduled = false
    /// The number of the first update that is merged into the message being sent, or about to be sent.
    var mergingFrom: Int64?
    /// The last time at which everything had been sent.
    var upToDate: Instant

    /// - Returns: nil if the terms leave out no update.
    init?(_ terms: PolicyTerms, at now: Instant) {
        guard terms.policy != .lossless else { return nil }
        self.terms = terms
        machine = CoalescingMachine(terms)
        upToDate = now
    }

    /// Resets the machine after the cursor was moved without a decision of the machine.
    func beginAnew() {
        machine.forget()
        mergingFrom = nil
    }

    /// The reason that is sent for skipped updates.
    var reason: SkipReason {
        switch terms.policy {
        case .lossless, .latest: .latest
        case .thoughts: .thoughts
        case .merge: .merge
        }
    }
}
