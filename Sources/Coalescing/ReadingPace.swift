/// How much a reader may be sent that it has not read yet, so that what it reads is never old.
///
/// The buffers between two programs hold megabytes: of a stream that is read slowly they would make one that is minutes
/// late, whatever is left out at their near end. So marks are sent along (as WebSocket pings) that the reader gives back
/// when it has read so far (pongs), and what is under way is bounded by what it reads in a fifth of a second. Times are
/// since any fixed moment.
public struct ReadingPace: Sendable {
    /// About five updates; doubled with each mark that comes back in good time.
    public static let firstWindowBytes = 1 << 10
    /// One update or two, for a reader of the slowest kind. A larger update is sent when nothing else is under way.
    public static let leastWindowBytes = 512
    /// As much as a session keeps of its newest frames.
    public static let greatestWindowBytes = 4 << 20
    /// How long a mark may stay away, beside the time that the way there and back takes.
    public static let patience = Duration.milliseconds(200)

    /// The way there and back is taken to be no longer: where a mark stays away longer, it waits to be read.
    public static let longestWay = Duration.milliseconds(300)

    private var window = firstWindowBytes
    private var sentBytes: UInt64 = 0
    private var readBytes: UInt64 = 0
    private var marks: [(place: UInt64, sentAt: Duration)] = []
    private var markedBytes: UInt64 = 0
    /// The window was used up since it was last changed.
    private var wasFull = false
    /// Marks up to here were sent under an earlier window, and tell nothing of this one.
    private var judgedUpTo: UInt64 = 0
    /// The quickest that a mark has come back, beginning with one that was sent before anything else.
    private var wayAndBack = longestWay
    private var hasBegun = false

    public init() {}

    /// How many bytes may be sent now; a frame that has begun may exceed it. Zero: wait for a mark.
    public var allowanceBytes: Int {
        let underWay = Int(clamping: sentBytes - readBytes)
        return underWay == 0 ? window : max(0, window - underWay)
    }

    public mutating func sent(_ count: Int) {
        sentBytes += UInt64(max(0, count))
        if allowanceBytes == 0 { wasFull = true }
    }

    /// The mark to send behind what was sent, if it is time for one: before all else, then half a window apart, and when
    /// the window is used up.
    public mutating func mark(at now: Duration) -> [UInt8]? {
        let unmarked = Int(clamping: sentBytes - markedBytes)
        guard !hasBegun || (unmarked > 0 && (unmarked >= window / 2 || allowanceBytes == 0)) else { return nil }
        hasBegun = true
        marks.append((sentBytes, now))
        markedBytes = sentBytes
        return (0..<8).reversed().map { UInt8(truncatingIfNeeded: sentBytes >> (8 * UInt64($0))) }
    }

    /// A mark came back. Earlier ones need not: a peer may answer the last of several pings (RFC 6455, section 5.5.3).
    /// What is no mark of ours is passed over. ``mark(at:)`` is to be asked behind it: where the window has become smaller
    /// than what is under way without a mark, nothing else would ever come back.
    public mutating func markCameBack(_ payload: [UInt8], at now: Duration) {
        guard payload.count == 8 else { return }
        let place = payload.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        guard let index = marks.firstIndex(where: { $0.place == place }) else { return }
        let taken = max(.zero, now - marks[index].sentAt)
        marks.removeFirst(index + 1)
        readBytes = place
        wayAndBack = min(taken, wayAndBack)
        if place > judgedUpTo { adapt(late: taken - wayAndBack) }
    }

    private mutating func adapt(late: Duration) {
        if late > Self.patience {
            window = max(Self.leastWindowBytes, Int(Double(window) * (Self.patience / late)))
        } else if wasFull, late < Self.patience / 2 {
            window = min(Self.greatestWindowBytes, window * 2)
        } else {
            return
        }
        judgedUpTo = sentBytes
        wasFull = allowanceBytes == 0
    }
}
