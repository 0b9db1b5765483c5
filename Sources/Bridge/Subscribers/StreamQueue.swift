import EventLoop

/// The streams of one connection that wait for their turn, each once. Adding, taking and removing one take constant time
/// on average, however many there are.
///
/// A stream that is removed keeps its place until its turn comes, or until most places are such.
@LoopActor struct StreamQueue {
    private var places = FIFOQueue<any OutgoingStream>()
    /// Streams that wait, without those that were removed.
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

    /// Takes a stream out for good: it must not be added again.
    mutating func remove(_ stream: any OutgoingStream) {
        guard stream.isQueued else { return }
        stream.isQueued = false
        count -= 1
        if places.count > Self.leastTidyingCount, places.count > 2 * count { places.filter(\.isQueued) }
    }
}
