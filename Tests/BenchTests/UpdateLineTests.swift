import JSONScan
import Testing

@testable import BenchLoad

@Suite struct UpdateLineTests {
    @Test(arguments: [UpdateLine.leastBytes, UpdateLine.leastBytes + 1, 200, 1_000, 70_000])
    func aLineHasItsSizeAndIsAnUpdate(byteCount: Int) throws {
        let id = UpdateLine.sessionId(42)
        let line = UpdateLine(sessionId: id, byteCount: byteCount).bytes
        #expect(line.count == byteCount)
        #expect(line.last == 0x0a)
        let message = try JSONValue(validating: Array(line.dropLast()))
        #expect(message["method"]?.stringValue == "session/update")
        #expect(message["params"]?["sessionId"]?.stringValue == id)
    }

    @Test(arguments: [Int64(1), 0x0123_4567_89ab_cdef, .max])
    func aStampRoundTrips(nanoseconds: Int64) {
        var bytes = [UInt8](repeating: 0, count: Stamp.byteCount)
        bytes.withUnsafeMutableBytes { Stamp.write(nanoseconds, to: $0) }
        #expect(bytes.withUnsafeBytes { Stamp.read($0) } == nanoseconds)
    }

    @Test(arguments: ["0000000000000000", "00000000000000g1", "000000000000001"])
    func otherTextIsNotAStamp(text: String) {
        #expect(Array(text.utf8).withUnsafeBytes { Stamp.read($0) } == nil)
    }

    @Test func stampsAreFoundInAStreamCutAtAnyPlace() {
        let lineBytes = UpdateLine.leastBytes + 3
        var stream: [UInt8] = []
        for number in 1...3 {
            var line = UpdateLine(sessionId: UpdateLine.sessionId(1), byteCount: lineBytes).bytes
            line.withUnsafeMutableBytes { buffer in
                let target = UnsafeMutableRawBufferPointer(rebasing: buffer[UpdateLine.stampOffset...])
                Stamp.write(Int64(number), to: target)
            }
            stream += line
        }
        for cut in 0...stream.count {
            var found: [Int64] = []
            for range in [0..<cut, cut..<stream.count] {
                stream.withUnsafeBytes { bytes in
                    let chunk = UnsafeRawBufferPointer(rebasing: bytes[range])
                    UpdateLine.forEachStamp(in: chunk, at: range.lowerBound, lineBytes: lineBytes) { found.append($0) }
                }
            }
            let place = cut % lineBytes - UpdateLine.stampOffset
            let cutsAStamp = place > 0 && place < Stamp.byteCount
            #expect(found == [1, 2, 3].filter { !cutsAStamp || $0 != Int64(cut / lineBytes + 1) }, "cut at \(cut)")
        }
    }
}
