/// Limits the amount of unread data in transit to a reader, so that the reader never reads old updates.
///
/// The buffers between two programs hold megabytes. A slow reader would read a stream with such buffers minutes late,
/// even if updates are left out at the sending end. So the sender also sends marks (as WebSocket pings), which the
/// reader returns (as pongs) when it has read that far. The data in transit is limited to what the reader reads in a
/// fifth of a second. Times are measured from any fixed moment.
package struct ReadingPace: Sendable {
    /// About five updates. The window doubles with each mark that is returned in time.
    package static let firstWindowBytes = 1 << 10
    /// One or two updates, for the slowest readers. A larger update is sent when nothing else is in transit.
    package static let leastWindowBytes = 512
    /// The same size as a session's buffer of newest frames.
    package static let greatestWindowBytes = 4 << 20
    /// The time within which a mark must be returned, in addition to the round-trip time.
    package static let patience = Duration.milliseconds(200)

    /// The assumed maximum round-trip time. A mark that takes longer is waiting to be read.
    package static let longestWay = Duration.milliseconds(300)

    private var window = firstWindowBytes
    private var sentBytes: UInt64 = 0
    private var readBytes: UInt64 = 0
    private var marks: [(place: UInt64, sentAt: Duration)] = []
    private var markedBytes: UInt64 = 0
    /// True when the window was used up since it last changed.
    private var wasFull = false
    /// Marks up to here were sent with an earlier window, so they say nothing about the current one.
    private var adaptedUpTo: UInt64 = 0
    /// The shortest time in which a mark has returned. The first mark is sent before anything else.
    private var shortestRoundTrip = longestWay
    private var hasBegun = false

    package init() {}

    /// How many bytes can be sent now. A frame that has begun can exceed this. Zero means: wait for a mark.
    package var allowanceBytes: Int {
        let inTransit = Int(clamping: sentBytes - readBytes)
        return inTransit == 0 ? window : max(0, window - inTransit)
    }

    package mutating func sent(_ count: Int) {
        sentBytes += UInt64(max(0, count))
        if allowanceBytes == 0 { wasFull = true }
    }

    /// The mark to send after the data, if one is due: at the start, then every half window, and when the window is
    /// used up.
    package mutating func mark(at now: Duration) -> [UInt8]? {
        let unmarked = Int(clamping: sentBytes - markedBytes)
        guard !hasBegun || (unmarked > 0 && (unmarked >= window / 2 || allowanceBytes == 0)) else { return nil }
        hasBegun = true
        marks.append((sentBytes, now))
        markedBytes = sentBytes
        return Self.payload(of: sentBytes)
    }

    /// The newest mark that has not returned. Every ping that has another purpose must carry it, because a peer can
    /// answer only the last of several pings (RFC 6455, section 5.5.3): a ping without it could be the only one that is
    /// answered, and the sender would wait for the mark for ever.
    package var latestMark: [UInt8]? { marks.last.map { Self.payload(of: $0.place) } }

    private static func payload(of place: UInt64) -> [UInt8] {
        (0..<8).reversed().map { UInt8(truncatingIfNeeded: place >> (8 * UInt64($0))) }
    }

    /// Call when a mark has returned. Earlier marks need not return, because a peer can answer only the last of several
    /// pings (RFC 6455, section 5.5.3). Other payloads are ignored. Call ``mark(at:)`` afterwards: the window can have
    /// become smaller than the data in transit after the last mark, and then no other mark would ever return.
    package mutating func markCameBack(_ payload: [UInt8], at now: Duration) {
        guard payload.count == 8 else { return }
        let place = payload.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        guard let index = marks.firstIndex(where: { $0.place == place }) else { return }
        let roundTrip = max(.zero, now - marks[index].sentAt)
        marks.removeFirst(index + 1)
        readBytes = place
        shortestRoundTrip = min(roundTrip, shortestRoundTrip)
        if place > adaptedUpTo { adapt(late: roundTrip - shortestRoundTrip) }
    }

    private mutating func adapt(late: Duration) {
        if late > Self.patience {
            window = max(Self.leastWindowBytes, Int(Double(window) * (Self.patience / late)))
        } else if wasFull, late < Self.patience / 2 {
            window = min(Self.greatestWindowBytes, window * 2)
        } else {
            return
        }
        adaptedUpTo = sentBytes
        wasFull = allowanceBytes == 0
    }
}
