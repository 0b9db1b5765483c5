/// The limits for deletion. The log deletes ended lives by itself, beginning with the one that was active longest ago.
package struct Retention: Sendable {
    /// Delete lives that were last active before this time, in milliseconds since 1970. Nil for no time limit.
    package var endedBefore: Int64?
    /// Delete lives of any age while the file's used pages take more than this many bytes. Nil for no size limit.
    package var usedBytes: Int64?
    /// Lives that must be kept, by their places in the log. The log can regard them as ended although more data of them
    /// will come.
    package var sparing: Set<Int64>
    /// Nil if ``endedBefore`` comes from a clock that is known to be right.
    package var clock: ClockReading?

    /// The most lives that one request deletes, so that the writer can do other work. A further request deletes more.
    package static let lives = 100

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
    package struct Life: Sendable, Equatable {
        package let sid: Int64
        package let agent: String
        package let sessionId: String
    }

    package let lives: [Life]
    /// More lives must be deleted, or the deleted lives are not out of the file yet. Request again in a little while.
    package let isUnderWay: Bool
    /// The number of milliseconds by which the system's clock is ahead of the trusted time. Ages are then measured with
    /// the trusted time. 0 when the system's clock is trusted.
    package let clockLead: Int64

    package init(lives: [Life], isUnderWay: Bool, clockLead: Int64 = 0) {
        self.lives = lives
        self.isUnderWay = isUnderWay
        self.clockLead = clockLead
    }
}
