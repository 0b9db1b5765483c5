import Testing
import WebSocket

@testable import BenchSystems

@Suite struct FrameWalkerTests {
    /// Text messages with each length of header, with a ping and an empty text between them.
    private static let payloadSizes = [0, 1, 125, 126, 300]

    private func stream() -> [UInt8] {
        var bytes: [UInt8] = []
        for size in Self.payloadSizes {
            Frame.append(.text, [UInt8](repeating: UInt8(ascii: "a"), count: size).span, to: &bytes)
            bytes += Frame.ping([1, 2, 3])
        }
        return bytes
    }

    private func walk(_ pieces: [[UInt8]]) throws -> Int {
        var walker = FrameWalker()
        return try pieces.reduce(0) { sum, piece in try sum + piece.withUnsafeBytes { try walker.walk($0) } }
    }

    @Test func textsAreCountedAtEverySplit() throws {
        let bytes = stream()
        for cut in 0...bytes.count {
            #expect(try walk([Array(bytes[..<cut]), Array(bytes[cut...])]) == Self.payloadSizes.count, "cut at \(cut)")
        }
    }

    @Test(arguments: [1, 2, 3, 5])
    func textsAreCountedInSmallPieces(size: Int) throws {
        let bytes = stream()
        let pieces = stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
        #expect(try walk(pieces) == Self.payloadSizes.count)
    }

    @Test func aLongMessageIsCountedWhenItHasEnded() throws {
        var bytes: [UInt8] = []
        Frame.append(.text, [UInt8](repeating: 0, count: 70_000).span, to: &bytes)
        #expect(try walk([Array(bytes.dropLast())]) == 0)
        #expect(try walk([Array(bytes.dropLast()), [0]]) == 1)
    }

    @Test func payloadsArePassedOnFromTheirFirstByte() throws {
        var bytes: [UInt8] = []
        for word in ["one", "two", "three"] { Frame.append(.text, Array(word.utf8).span, to: &bytes) }
        var walker = FrameWalker()
        var shown: [String] = []
        _ = try bytes.dropLast(2).withUnsafeBytes { chunk in
            try walker.walk(chunk) { shown.append(String(decoding: $0, as: UTF8.self)) }
        }
        #expect(shown == ["one", "two", "thr"])
    }

    @Test func anInvalidHeaderIsAnError() { #expect(throws: ProtocolViolation.self) { try walk([[0xF1, 0]]) } }
}
