/// What a log is to forget by itself: lives that have ended, the one that was active longest ago first.
public struct Retention: Sendable {
    /// Those that were last active before this, in milliseconds since 1970; nil for none.
    public var endedBefore: Int64?
    /// Any, while the file's pages that are in use take more than this many bytes; nil for none.
    public var usedBytes: Int64?
    /// By their places in the log: lives that the log may take for ended, while something of them is still to come.
    public var sparing: Set<Int64>
    /// Nil if ``endedBefore`` comes from a clock that is right.
    public var clock: ClockReading?

    /// Lives that one request deletes. More are a further request's, so that the writer's other work goes on.
    public static let lives = 100

    public init(
        endedBefore: Int64? = nil, usedBytes: Int64? = nil, sparing: Set<Int64> = [], clock: ClockReading? = nil
    ) {
        self.endedBefore = endedBefore
        self.usedBytes = usedBytes
        self.sparing = sparing
        self.clock = clock
    }
}

/// What the machine's clocks showed when a ``Retention`` was requested. The log compares it with the times that it knows.
public struct ClockReading: Sendable, Equatable {
    /// The system's time, in milliseconds since 1970. It may be wrong, and may step.
    public var now: Int64
    /// Milliseconds of a clock that never steps, and counts while the machine is suspended.
    public var uptime: Int64
    /// For how many milliseconds ended sessions are kept.
    public var age: Int64

    public init(now: Int64, uptime: Int64, age: Int64) {
        self.now = now
        self.uptime = uptime
        self.age = age
    }
}

/// What was deleted for it.
public struct Forgotten: Sendable, Equatable {
    public struct Life: Sendable, Equatable {
        public let sid: Int64
        public let agent: String
        public let sessionId: String
    }

    public let lives: [Life]
    /// More is to be deleted, or what was is not out of the file yet: to be asked again in a little while.
    public let isUnderWay: Bool
    /// By how many milliseconds the system's clock is ahead of the time that the log can trust. Ages are measured with
    /// the trusted time meanwhile. 0 when the clock is trusted.
    public let clockLead: Int64

    public init(lives: [Life], isUnderWay: Bool, clockLead: Int64 = 0) {
        self.lives = lives
        self.isUnderWay = isUnderWay
        self.clockLead = clockLead
    }
}
