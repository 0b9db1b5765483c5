import Posix

/// When the data of one session's append was read and submitted. Pure.
package struct AppendTimes {
    /// True if data was received that ``flushed(at:)`` has not seen.
    private var hasNewData = false
    /// When the oldest data that is not submitted was read; nil if there is none.
    private var waitingSince: Instant?
    /// The same for the append in flight.
    private var readAt: Instant?
    private var submittedAt: Instant?

    package init() {}

    /// Data was received from the agent. Called for each line, so it does not read the clock.
    package mutating func received() { hasNewData = true }

    /// All data of one read was received.
    ///
    /// - Parameter now: Read only if there is new data.
    package mutating func flushed(at now: @autoclosure () -> Instant) {
        guard hasNewData else { return }
        hasNewData = false
        if waitingSince == nil { waitingSince = now() }
    }

    /// An append was submitted. If it is a repetition after a failure, the time of reading is the earlier one.
    ///
    /// - Parameter isAll: False if some data did not fit. It then counts as read at this time.
    package mutating func submitted(isAll: Bool, at now: Instant) {
        if readAt == nil { readAt = waitingSince ?? now }
        waitingSince = isAll ? nil : now
        submittedAt = now
    }

    /// The append in flight was stored. Returns nanoseconds; nil if there is none.
    package mutating func stored(at now: Instant) -> Int64? {
        guard let submitted = submittedAt else { return nil }
        submittedAt = nil
        return now.nanoseconds - submitted.nanoseconds
    }

    /// The stored append was passed to its readers. Returns nanoseconds since it was read; nil if that is not known.
    package mutating func published(at now: Instant) -> Int64? {
        guard let read = readAt else { return nil }
        readAt = nil
        return now.nanoseconds - read.nanoseconds
    }
}
