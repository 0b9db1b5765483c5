import EventLoop
import SessionRecords

/// The state of a session's publication: the stored updates that readers have not been sent yet, and the actions that
/// must follow updates.
///
/// A write to a socket costs about 4 µs, so a session with 10,000 readers and 100 updates a second would need more than
/// a processor if each update were written by itself. After a publication to many readers, the session pauses for a time
/// that is proportional to their number, and then sends everything that was stored meanwhile in one write to each.
@LoopActor struct SessionPublication {
    var waits = PublicationWaits()
    /// Nil unless readers wait for a hub.
    var hubWait: HubWait?
    /// Fires at the end of the pause; nil if the next updates can be sent at once.
    private var pause: Timer?
    private var held = HeldUpdates()

    /// Sessions with at most this many readers never pause.
    private static let unpacedReaders = 1_000
    /// A write takes about 6.5 µs with so many readers, so sending takes at most about half of the loop's time.
    private static let pausePerReader = Duration.nanoseconds(12_500)
    /// The most that a pause delays an update.
    private static let longestPause = Duration.milliseconds(250)

    nonisolated init() {}

    /// The number of the first update that is stored but held back; nil if there is none.
    var firstHeld: Int64? { held.first }

    /// During a pause, holds the updates back until it ends. Returns false if they, and all held ones before them, must be
    /// sent now.
    mutating func holdBack(_ items: [LogItem], from first: Int64) -> Bool {
        guard pause != nil else { return false }
        held.append(items, from: first)
        return !held.isFull
    }

    /// The pause that must follow a publication to this many readers. Nil if they are few enough for one publication to
    /// follow the other.
    static func pause(afterServing readers: Int) -> Duration? {
        readers > unpacedReaders ? min(pausePerReader * readers, longestPause) : nil
    }

    /// Begins a pause.
    ///
    /// - Parameter timer: Calls ``endPause()``.
    mutating func begin(_ timer: Timer) { pause = timer }

    /// Ends the pause. Returns the updates to send now; nil if there are none.
    mutating func endPause() -> (items: [LogItem], first: Int64)? {
        pause.take()?.cancel()
        return held.removeAll()
    }
}

/// Stored updates that wait for the end of a pause, as few runs.
private struct HeldUpdates {
    /// When this many bytes are held back, they are sent before the pause ends.
    private static let limitBytes = 256 << 10

    private(set) var first: Int64?
    private var items: [LogItem] = []
    private var byteCount = 0

    var isFull: Bool { byteCount >= Self.limitBytes }

    mutating func append(_ more: [LogItem], from number: Int64) {
        first = first ?? number
        for item in more {
            byteCount += item.byteCount
            guard case .run(let lines, let count, let ts) = item, case .run(var earlier, let before, _)? = items.last,
                earlier.count + lines.count <= Self.limitBytes
            else {
                items.append(item)
                continue
            }
            // The array of the earlier lines has no other owner while it grows.
            items.removeLast()
            earlier += lines
            items.append(.run(lines: earlier, count: before + count, ts: ts))
        }
    }

    mutating func removeAll() -> (items: [LogItem], first: Int64)? {
        guard let first else { return nil }
        defer { self = HeldUpdates() }
        return (items, first)
    }
}
