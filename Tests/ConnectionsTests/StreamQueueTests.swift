import TestSupport
import Testing

@testable import Connections
@testable import EventLoop
@testable import Posix

@LoopActor private final class Stream: OutgoingStream {
    let subId = ""
    let tenant: String? = nil
    var isQueued = false
    let isClosed = false
    let isMidFrame = false
    let isAtEnd = false
    let keepsPace = false

    nonisolated init() {}
    func send(through writer: ConnectionWriter, limitBytes: Int) -> SendOutcome { .atEnd }
    func reachedEnd() {}
    func close() {}
}

@Suite(.serialized) struct StreamQueueTests {
    init() { LoopThread.start }

    @Test @LoopActor func removedStreamsAreNotReturned() {
        var queue = StreamQueue()
        let streams = (0..<200).map { _ in Stream() }
        for stream in streams { queue.append(stream) }
        for (index, stream) in streams.enumerated() where index % 10 != 0 {
            queue.remove(stream)
            queue.remove(stream)
        }
        #expect(queue.count == 20)
        for index in stride(from: 0, to: 200, by: 10) {
            let taken = queue.popFirst()
            #expect(taken === streams[index] && taken?.isQueued == false)
        }
        #expect(queue.isEmpty && queue.popFirst() == nil)
    }

    @Test @LoopActor func removalCostIsIndependentOfTheQueueLength() {
        let cost = WorkCost { count in
            var queue = StreamQueue()
            let streams = (0..<count).map { _ in Stream() }
            for stream in streams { queue.append(stream) }
            for stream in streams.reversed() { queue.remove(stream) }
        }
        #expect(cost.isLinear, "\(cost)")
    }

    /// A client that never reads can subscribe and unsubscribe without limit.
    @Test @LoopActor func removedStreamsAreReleased() {
        var queue = StreamQueue()
        let waiting = Stream()
        queue.append(waiting)
        var gone: [Weak] = []
        for _ in 0..<1_000 {
            let stream = Stream()
            queue.append(stream)
            queue.remove(stream)
            gone.append(Weak(stream))
        }
        #expect(gone.count { $0.stream != nil } < 100)
        #expect(queue.popFirst() === waiting)
    }

    private struct Weak {
        weak var stream: Stream?
        init(_ stream: Stream) { self.stream = stream }
    }
}
