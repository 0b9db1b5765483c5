/// What a log is to forget by itself: lives that have ended, the one that was active longest ago first.
public struct Retention: Sendable {
    /// Those that were last active before this, in milliseconds since 1970; nil for none.
    public var endedBefore: Int64?
    /// Any, while the file's pages that are in use take more than this many bytes; nil for none.
    public var usedBytes: Int64?
    /// By their places in the log: lives that the log may take for ended, while something of them is still to come.
    public var sparing: Set<Int64>

    /// Lives that one request deletes. More are a further request's, so that the writer's other work goes on.
    public static let lives = 100

    public init(endedBefore: Int64? = nil, usedBytes: Int64? = nil, sparing: Set<Int64> = []) {
        self.endedBefore = endedBefore
        self.usedBytes = usedBytes
        self.sparing = sparing
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
}
