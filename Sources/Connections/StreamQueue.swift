import EventLoop

/// The streams of one connection that wait for their turn. Each stream is in the queue at most once. Adding, taking and
/// removing a stream take constant time on average, regardless of the number of streams.
///
/// A removed stream keeps its place until its turn comes, or until most places belong to removed streams.
@LoopActor struct StreamQueue {
    private var places = FIFOQueue<any OutgoingStream>()
    /// The number of waiting streams, without removed streams.
    private(set) var count = 0

    private static let leastTidyingCount = 64

    nonisolated init() {}

    var isEmpty: Bool { count == 0 }

    mutating func append(_ stream: any OutgoingStream) {
        stream.isQueued = true
        places.append(stream)
        count += 1
    }

    mutating func popFirst() -> (any OutgoingStream)? {
        while let stream = places.popFirst() {
            guard stream.isQueued else { continue }
            stream.isQueued = false
            count -= 1
            return stream
        }
        return nil
    }

    /// Removes a stream permanently: it must not be added again.
    mutating func remove(_ stream: any OutgoingStream) {
        guard stream.isQueued else { return }
        stream.isQueued = false
        count -= 1
        if places.count > Self.leastTidyingCount, places.count > 2 * count { places.filter(\.isQueued) }
    }
}
