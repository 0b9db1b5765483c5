import Testing
import WebSocket

@testable import SessionStreams

@Suite struct FrameChunkTests {
    static let lineSizes: [[Int]] = [
        [0], [1], [125], [126], [127], [65_534], [65_535], [65_536], [70_000],
        [3, 0, 125, 126, 200, 65_535, 65_536, 1],
    ]

    private func lines(_ sizes: [Int]) -> [[UInt8]] {
        sizes.enumerated().map { index, size in [UInt8](repeating: UInt8(0x61 + index % 26), count: size) }
    }

    private func chunk(_ lines: [[UInt8]], first: Int64 = 1, readers: Int = 1) -> FrameChunk {
        (FrameChunk(lines: lines.flatMap { $0 + [0x0a] }, count: lines.count, first: first, receiverCount: readers)
            ?? .none)
    }

    @Test(arguments: lineSizes, [1, 100])
    func framesMatchTheCodecsEncodingOfEachLine(sizes: [Int], readers: Int) {
        let lines = lines(sizes)
        var expected: [UInt8] = []
        for line in lines { Frame.append(.text, line.span, to: &expected) }
        let chunk = chunk(lines, readers: readers)
        #expect(Array(chunk.bytes(from: 0, to: chunk.byteCount).bytes) == expected)
    }

    /// A damaged file, or a hub, can state any count.
    @Test(arguments: [0, 1, 3, 4, 100, Int.max])
    func aWrongNumberOfLinesIsRefused(count: Int) {
        let lines = Array("a\nb\n".utf8)
        #expect(FrameChunk(lines: lines, count: count, first: 1, receiverCount: 1) == nil)
        let many = [UInt8](repeating: 0x0a, count: 100_000)
        #expect(FrameChunk(lines: many, count: count, first: 1, receiverCount: 1) == nil)
    }

    @Test(arguments: lineSizes)
    func eachMessageIsFoundAtItsOffset(sizes: [Int]) {
        let lines = lines(sizes)
        let chunk = chunk(lines, first: 10)
        var offset = 0
        for (index, line) in lines.enumerated() {
            #expect(chunk.offset(of: 10 + Int64(index)) == offset)
            offset += FrameHeader.size(payloadLength: line.count, masked: false) + line.count
        }
        #expect(chunk.byteCount == offset)
    }

    @Test func theBoundaryAfterAnyByteIsTheEndOfItsFrame() {
        let chunk = chunk(lines([3, 0, 5]))
        let boundaries = [0, 5, 7, 14]
        for offset in 0...chunk.byteCount {
            #expect(chunk.frameBoundary(atOrAfter: offset) == boundaries.first { $0 >= offset })
        }
    }
}
