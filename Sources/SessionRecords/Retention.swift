/// The limits for deletion. The log deletes ended incarnations by itself, beginning with the one that was active
/// longest ago.
package struct Retention: Sendable {
    /// Delete incarnations that were last active before this time, in milliseconds since 1970. Nil for no time limit.
    package var endedBefore: Int64?
    /// Delete incarnations of any age while the file's used pages take more than this many bytes. Nil for no size
    /// limit.
    package var usedBytes: Int64?
    /// Lives that must be kept, by their places in the log. The log can regard them as ended although more data of them
    /// will come.
    package var sparing: Set<Int64>
    /// Nil if ``endedBefore`` comes from a clock that is known to be right.
    package var clock: ClockReading?

    /// The most incarnations that one request deletes, so that the writer can do other work. A further request deletes
    /// more.
    package static let incarnations = 100

    package init(
        endedBefore: Int64? = nil, usedBytes: Int64? = nil, sparing: Set<Int64> = [], clock: ClockReading? = nil
    ) {
        self.endedBefore = endedBefore
        self.usedBytes = usedBytes
        self.sparing = sparing
        self.clock = clock
    }
}

/// The machine's clocks at the time when a ``Retention`` was requested. The log compares them with the times it knows.
package struct ClockReading: Sendable, Equatable {
    /// The system's time, in milliseconds since 1970. It can be wrong, and it can step.
    package var now: Int64
    /// Milliseconds of a clock that never steps and that counts while the machine is suspended.
    package var uptime: Int64
    /// The number of milliseconds for which ended sessions are kept.
    package var age: Int64

    package init(now: Int64, uptime: Int64, age: Int64) {
        self.now = now
        self.uptime = uptime
        self.age = age
    }
}

/// The result of a ``Retention`` request.
package struct Forgotten: Sendable, Equatable {
    package struct Incarnation: Sendable, Equatable {
        package let sid: Int64
        package let agent: String
        package let sessionId: String

        package init(sid: Int64, agent: String, sessionId: String) {
            self.sid = sid
            self.agent = agent
            self.sessionId = sessionId
        }
    }

    package let incarnations: [Incarnation]
    /// More incarnations must be deleted, or the deleted incarnations are not out of the file yet. Request again in a
    /// little while.
    package let isUnderWay: Bool
    /// The number of milliseconds by which the system's clock is ahead of the trusted time. Ages are then measured with
    /// the trusted time. 0 when the system's clock is trusted.
    package let clockLead: Int64

    package init(incarnations: [Incarnation], isUnderWay: Bool, clockLead: Int64 = 0) {
        self.incarnations = incarnations
        self.isUnderWay = isUnderWay
        self.clockLead = clockLead
    }
}
