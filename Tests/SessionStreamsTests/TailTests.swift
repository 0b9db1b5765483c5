import Testing

@testable import SessionStreams

@Suite struct TailTests {
    private func chunk(first: Int64, count: Int, lineBytes: Int) -> FrameChunk {
        var lines = [UInt8](repeating: 0x61, count: (lineBytes + 1) * count)
        for index in 1...count { lines[index * (lineBytes + 1) - 1] = 0x0a }
        return (FrameChunk(lines: lines, count: count, first: first, receiverCount: 1) ?? .none)
    }

    @Test func everyNumberIsFoundInItsOwnChunk() {
        let tail = Tail()
        var next: Int64 = 1
        for count in [1, 7, 2, 100] {
            _ = tail.append(chunk(first: next, count: count, lineBytes: 10))
            next += Int64(count)
        }
        for number in 1..<next {
            let found = tail.chunk(holding: number)
            #expect(found.map { $0.first <= number && number < $0.first + Int64($0.count) } == true)
        }
        #expect(tail.chunk(holding: 0) == nil)
        #expect(tail.chunk(holding: next) == nil)
    }

    @Test func theTailDropsItsOldestChunksOverTheLimit() {
        let tail = Tail()
        for index in 0..<20 {
            _ = tail.append(chunk(first: Int64(index) + 1, count: 1, lineBytes: 1 << 20))
            #expect(tail.byteCount <= Tail.limitBytes)
        }
        #expect(tail.chunk(holding: 20) != nil)
        #expect(tail.chunk(holding: 1) == nil)
    }

    @Test func aDroppedChunkIsFreedAtOnce() {
        let tail = Tail()
        weak var oldest: FrameChunk?
        do {
            let chunk = chunk(first: 1, count: 1, lineBytes: 1 << 20)
            oldest = chunk
            _ = tail.append(chunk)
        }
        #expect(oldest != nil)
        for number in 2...5 { _ = tail.append(chunk(first: Int64(number), count: 1, lineBytes: 1 << 20)) }
        #expect(oldest == nil)
    }

    @Test func aChunkOverTheLimitIsNotKept() {
        let tail = Tail()
        _ = tail.append(chunk(first: 1, count: 1, lineBytes: 10))
        _ = tail.append(chunk(first: 2, count: 1, lineBytes: Tail.limitBytes + 1))
        #expect(tail.byteCount == 0)
        #expect(tail.chunk(holding: 2) == nil)
    }

    @Test func growthAddsUpToTheSize() {
        let tail = Tail()
        var sum = 0
        for index in 0..<300 { sum += tail.append(chunk(first: Int64(index) + 1, count: 1, lineBytes: 60_000)) }
        #expect(sum == tail.byteCount)
        while let size = tail.dropOldest() { sum -= size }
        #expect(sum == 0)
        #expect(tail.byteCount == 0)
    }
}
