import Posix
import Testing

@Suite struct UnwrittenBytesTests {
    @Test func bytesComeInTheirOrderHoweverManyAreTaken() {
        let whole = (0..<1_000).map { UInt8(truncatingIfNeeded: $0) }
        for step in [1, 3, 250, 999, 1_000] {
            var unwritten = UnwrittenBytes(Array(whole.prefix(600)))
            unwritten.append(contentsOf: whole[600...])
            var taken: [UInt8] = []
            while !unwritten.isEmpty {
                let count = min(step, unwritten.count)
                taken += unwritten.withUnsafeBytes { Array($0.prefix(count)) }
                unwritten.removeFirst(count)
                #expect(taken + unwritten.array == whole)
            }
            #expect(taken == whole)
            #expect(unwritten.count == 0)
        }
    }

    @Test func bytesCanBeAddedAfterSomeWereTaken() {
        var unwritten = UnwrittenBytes([1, 2, 3])
        unwritten.removeFirst(2)
        unwritten.append(contentsOf: [4])
        #expect(unwritten.array == [3, 4])
        #expect(unwritten.count == 2)
        unwritten.removeAll()
        #expect(unwritten.isEmpty)
    }
}
