import Synchronization
import Testing

@testable import SessionOutput
@testable import TinyvexMachine

@Suite struct HistoryMergeTests {
    /// Lines with these times, numbered from `first` on.
    private func run(_ times: Int64..., first: Int64 = 1) -> LineRun { run(times, first: first) }

    private func run(_ times: [Int64], first: Int64 = 1) -> LineRun {
        var (bytes, places): ([UInt8], [Range<Int>]) = ([], [])
        for (index, time) in times.enumerated() {
            let start = bytes.count
            bytes += Array(#"{"seq":\#(first + Int64(index)),"ts":\#(time),"kind":"update","notification":{}}"#.utf8)
            places.append(start..<bytes.count)
        }
        return LineRun(firstSeq: first, bytes: bytes, places: places)
    }

    private func place(_ time: Int64, _ stream: Int) -> MergeOrder.Place {
        MergeOrder.Place(time: time, stream: stream)
    }

    private func pending(_ batch: [StreamPiece]) -> PendingPieces {
        var pieces = PendingPieces()
        pieces.add(batch)
        return pieces
    }

    // MARK: The order

    @Test func nothingIsPrintedWhileTheNextLineOfAStreamIsUnknown() {
        var order = MergeOrder()
        order.join(1)
        order.join(2)
        order.setNext(5, of: 1)
        #expect(order.next() == nil)
        order.setNext(3, of: 2)
        #expect(order.next()?.stream == 2 && order.next()?.end == place(5, 1))
        order.setNext(nil, of: 2)
        #expect(order.next() == nil)
        order.leave(2)
        #expect(order.next()?.stream == 1 && order.next()?.end == nil)
    }

    @Test func linesOfOneTimeAreInTheOrderOfTheStreams() {
        var order = MergeOrder()
        for stream in 1...3 {
            order.join(stream)
            order.setNext(7, of: stream)
        }
        #expect(order.next()?.stream == 1 && order.next()?.end == place(7, 2))
    }

    @Test func newLinesWaitForTheHistoriesOfOthers() {
        var order = MergeOrder()
        order.join(1)
        order.setNext(90, of: 2)
        #expect(order.next() == nil)
        order.setNext(80, of: 1)
        #expect(order.next()?.stream == 1 && order.next()?.end == place(90, 2))
        order.setNext(nil, of: 1)
        order.leave(1)
        #expect(order.isOver)
    }

    @Test func aStreamThatDoesNotComeCanBeLeftOut() {
        var order = MergeOrder()
        order.join(1)
        order.join(2)
        order.setNext(5, of: 1)
        order.leaveOutUnknown()
        #expect(order.next()?.stream == 1 && !order.isOver)
    }

    // MARK: The pieces of a stream

    @Test func theLinesBeforeAPlaceAreTakenWithThePiecesThatFollowThem() {
        let skipped = StreamPiece.skipped(from: 4, to: 5, reason: "latest")
        var pieces = pending([.lines(run(10, 20, 20)), skipped, .lines(run(30, first: 6))])
        #expect(pieces.nextTime() == 10)
        #expect(pieces.take(of: 2, before: place(20, 3)) == [.lines(run(10, 20, 20)), skipped])
        #expect(pieces.nextTime() == 30 && !pieces.isEmpty)
        #expect(pieces.takeAll() == [.lines(run(30, first: 6))] && pieces.isEmpty)
    }

    @Test func aRunIsDividedAtThePlace() {
        var pieces = pending([.lines(run(10, 20, 30))])
        #expect(pieces.take(of: 2, before: place(20, 1)) == [.lines(run(10))])
        #expect(pieces.nextTime() == 20)
        #expect(pieces.takeAll() == [.lines(run(20, 30, first: 2))])
    }

    @Test func aClockThatIsSetBackDoesNotChangeTheOrderWithinAStream() {
        var pieces = pending([.lines(run(50, 10, 60))])
        #expect(pieces.take(of: 1, before: place(55, 2)) == [.lines(run(50, 10))])
    }

    /// An earlier fault: it held within a batch only.
    @Test func aClockThatIsSetBackBetweenBatchesDoesNotChangeTheOrderEither() {
        var pieces = pending([.lines(run(50, 20))])
        #expect(pieces.take(of: 1, before: nil) == [.lines(run(50, 20))])
        pieces.add([.lines(run(10, 60, first: 3))])
        #expect(pieces.nextTime() == 50)
        #expect(pieces.take(of: 1, before: place(55, 2)) == [.lines(run(10, first: 3))])
        #expect(pieces.nextTime() == 60)
    }

    @Test func piecesBeforeTheFirstLineDoNotWait() {
        let opened = StreamPiece.opened(StreamOpening(nextSeq: 1, headSeq: 1, journal: nil))
        var pieces = pending([opened, .lines(run(10))])
        #expect(pieces.nextTime() == nil)
        #expect(pieces.takeUntimed() == [opened])
        #expect(pieces.nextTime() == 10)
    }

    // MARK: The tasks

    /// Each stream gets its batches one by one, as from a connection.
    @Test func tasksPrintTheirLinesInTheOrderOfTime() async throws {
        let merge = HistoryMerge()
        let printed = Printed()
        let batches: [[[Int64]]] = [[[1, 4], [9]], [[2, 3], [5, 6, 10]], [[7], [8, 11]]]
        let streams = batches.map { _ in merge.stream(hasHistory: true) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (stream, batches) in zip(streams, batches) {
                let batches = batches.map { [StreamPiece.lines(run($0))] }
                group.addTask { try await Self.print(batches, stream, printed) }
            }
            try await group.waitForAll()
        }
        #expect(printed.times.withLock { $0 } == Array(1...11))
        #expect(merge.progress == nil)
    }

    private final class Printed: Sendable { let times = Mutex<[Int64]>([]) }

    private static func print(_ batches: [[StreamPiece]], _ stream: MergedStream, _ printed: Printed) async throws {
        defer { stream.end() }
        var rest = PendingPieces()
        for batch in batches {
            await Task.yield()
            rest.add(batch)
            while !rest.isEmpty {
                for case .lines(let run) in try await stream.next(&rest) {
                    printed.times.withLock { $0 += (0..<run.count).map { timelineTime(of: run[$0]) ?? 0 } }
                }
                stream.printed(&rest, isCaughtUp: false)
            }
        }
    }

    @Test func aTaskThatWaitsForItsTurnCanBeCancelled() async throws {
        let merge = HistoryMerge()
        let (stream, other) = (merge.stream(hasHistory: true), merge.stream(hasHistory: true))
        let lines = run(1)
        let task = Task {
            var rest = PendingPieces()
            rest.add([.lines(lines)])
            return try await stream.next(&rest)
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        other.end()
    }

    @Test func historiesAreLateAfterFiveSecondsWithoutProgress() {
        var late = LateHistories()
        let answers = [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 3].map { late.isTimeOver(at: $0) }
        #expect(answers == [Bool](repeating: false, count: 10) + [true, true, false])
    }

    // MARK: The agent's line

    @Test func theAgentsLineIsFoundByteForByte() throws {
        for line in [#"{"jsonrpc":"2.0","params":{"a":": }"}}"#, #" {"a" : 1} "#, "\t{}\r"] {
            let value = Array(#"xx{"seq":1,"ts":2,"kind":"update","notification":\#(line)}"#.utf8)[2...]
            #expect(try #require(TimelineValue(value)).agentLine(in: value) == Array(line.utf8)[...])
        }
    }
}
