import Testing

@testable import JSONRPC

@Suite struct LineSplitterTests {
    private enum Found: Equatable {
        case line([UInt8])
        case oversized(Int)

        init(_ line: borrowing LineSplitter.Line) {
            switch line {
            case .line(let bytes): self = .line(bytes.withUnsafeBufferPointer(Array.init))
            case .oversized(let byteCount): self = .oversized(byteCount)
            }
        }
    }

    private func split(_ chunks: [ArraySlice<UInt8>], limitBytes: Int) -> [Found] {
        var splitter = LineSplitter(limitBytes: limitBytes)
        var found: [Found] = []
        for chunk in chunks {
            splitter.split(Array(chunk).span) { found.append(Found($0)) }
            #expect(splitter.carriedBytes <= limitBytes)
        }
        splitter.finish { found.append(Found($0)) }
        #expect(splitter.carriedBytes == 0)
        return found
    }

    /// The lines of the stream, by the definition of a line.
    private func expected(_ stream: [UInt8], limitBytes: Int) -> [Found] {
        var lines = stream.split(separator: 0x0a, omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.map { $0.count > limitBytes ? .oversized($0.count) : .line(Array($0)) }
    }

    @Test(
        arguments: [
            "", "\n", "\n\n\n", "a", "a\n", "a\nb", "a\r\nb\r\n", "abcd\nabcde\nabcdef\n\nx\n", "abcdefghijkl",
            "abcdefgh\nab\nabcde",
            "é\u{2028}\u{85}\n\u{b}\u{c}\n",
        ], [0, 1, 4, 5, 6, 100])
    func theSameLinesAreFoundAtEverySplit(text: String, limitBytes: Int) {
        let stream = Array(text.utf8)
        let expected = expected(stream, limitBytes: limitBytes)
        for first in 0...stream.count {
            for second in first...stream.count {
                let chunks = [stream[..<first], stream[first..<second], stream[second...]]
                #expect(split(chunks, limitBytes: limitBytes) == expected)
            }
        }
        #expect(split(stream.indices.map { stream[$0...$0] }, limitBytes: limitBytes) == expected)
    }

    /// Only long lines are tested, because a short line needs almost no memory.
    @Test(arguments: [0, 3 << 20, 5 << 20, 1 << 30])
    func aLineThatCannotBeAllocatedIsSkippedAndTheNextIsKept(memory: Int) {
        for length in [1 << 20, 2 << 20, 4 << 20] {
            for isTakenLong in [true, false] {
                var splitter = LineSplitter(limitBytes: 8 << 20) { $0 <= memory }
                let line = [UInt8](repeating: UInt8(ascii: "x"), count: length)
                let stream = line + Array("\nb\n".utf8) + line + Array("\nc\n".utf8)
                var found: [Found] = []
                var start = 0
                while start < stream.count {
                    let piece = Array(stream[start...].prefix(1 << 16))
                    let long: (([UInt8]) -> Void)? = isTakenLong ? { found.append(.line(Array($0.dropLast()))) } : nil
                    splitter.split(piece.span, long: long) { found.append(Found($0)) }
                    start += piece.count
                }
                let isKept = length <= LineSplitter.longLineBytes || 2 * length <= memory
                let first = isKept ? Found.line(line) : .oversized(length)
                #expect(found == [first, .line([UInt8(ascii: "b")]), first, .line([UInt8(ascii: "c")])])
                #expect(splitter.carriedBytes == 0)
            }
        }
    }

    /// Tested to the byte, with and without a line feed at the end of the stream.
    @Test func aLongLineIsDeliveredInItsOwnBufferIfRequested() {
        let limit = LineSplitter.longLineBytes
        for length in [limit - 1, limit, limit + 1, 3 * limit] {
            for end in ["\n", ""] {
                let long = [UInt8](repeating: UInt8(ascii: "x"), count: length)
                let stream = Array("a\n".utf8) + long + Array(end.utf8)
                for pieceBytes in [1 << 16, 100_003, stream.count] {
                    var splitter = LineSplitter(limitBytes: 4 * limit)
                    var lines: [Found] = []
                    var given: [[UInt8]] = []
                    var start = 0
                    while start < stream.count {
                        let piece = Array(stream[start...].prefix(pieceBytes))
                        splitter.split(piece.span, long: { given.append($0) }) { lines.append(Found($0)) }
                        start += piece.count
                    }
                    splitter.finish(long: { given.append($0) }) { lines.append(Found($0)) }
                    #expect(given == (length > limit ? [long + [0x0a]] : []))
                    #expect(lines.count == (length > limit ? 1 : 2))
                    #expect(splitter.carriedBytes == 0)
                }
            }
        }
    }

    @Test(arguments: [15, 16, 17, 63, 64, 65, 127, 200])
    func aLineFeedIsFoundAtEveryOffset(length: Int) {
        for place in 0..<length {
            var stream = [UInt8](repeating: 0x8a, count: length)
            stream[place] = 0x0a
            #expect(split([stream[...]], limitBytes: 1000) == expected(stream, limitBytes: 1000))
        }
    }

    @Test func anOversizedLineIsNotBuffered() {
        var splitter = LineSplitter(limitBytes: 100)
        var found: [Found] = []
        let chunk = [UInt8](repeating: 0x61, count: 60)
        splitter.split(chunk.span) { found.append(Found($0)) }
        #expect(splitter.carriedBytes == 60)
        for _ in 0..<1000 { splitter.split(chunk.span) { found.append(Found($0)) } }
        #expect(splitter.carriedBytes == 0)
        let end = Array("a\nnext\n".utf8)
        splitter.split(end.span) { found.append(Found($0)) }
        #expect(found == [.oversized(60_061), .line(Array("next".utf8))])
    }

    @Test func theSplitterIsEmptyAfterTheEnd() {
        var splitter = LineSplitter(limitBytes: 3)
        var found: [Found] = []
        splitter.split(Array("abcdef".utf8).span) { found.append(Found($0)) }
        splitter.finish { found.append(Found($0)) }
        splitter.finish { found.append(Found($0)) }
        splitter.split(Array("ab\n".utf8).span) { found.append(Found($0)) }
        #expect(found == [.oversized(6), .line(Array("ab".utf8))])
    }

    @Test func wholeLinesAreNotCopied() {
        let chunk = Array("first\nsecond\n".utf8)
        chunk.withUnsafeBytes { buffer in
            var splitter = LineSplitter(limitBytes: 100)
            var offsets: [Int] = []
            splitter.split(buffer) { line in
                guard case .line(let bytes) = line else { return }
                bytes.withUnsafeBytes { bytes in
                    offsets.append(bytes.baseAddress.map { $0 - (buffer.baseAddress ?? $0) } ?? -1)
                }
            }
            #expect(offsets == [0, 6])
        }
    }

    @Test func anEmptyBufferHasNoLines() {
        var splitter = LineSplitter(limitBytes: 10)
        splitter.split(UnsafeRawBufferPointer(start: nil, count: 0)) { _ in Issue.record("unexpected line") }
        splitter.finish { _ in Issue.record("unexpected line") }
    }
}
