import Coalescing
import Tinyvex

/// What a subscription under a policy keeps beside its cursor.
struct Coalescer {
    let terms: PolicyTerms
    var machine: CoalescingMachine
    var tally = SkipTally()
    var isReportScheduled = false
    /// The first of the updates that are merged into what is being sent, or about to be.
    var mergingFrom: Int64?

    init(_ terms: PolicyTerms) {
        self.terms = terms
        machine = CoalescingMachine(terms)
    }

    /// The cursor was moved without asking.
    mutating func beginAnew() {
        machine.forget()
        mergingFrom = nil
    }

    /// Why updates are named as not sent.
    var reason: SkipReason {
        switch terms.policy {
        case .lossless, .latest: .latest
        case .thoughts: .thoughts
        case .merge: .merge
        }
    }
}
