import SessionRecords
import TestSupport
import Testing

@testable import SessionLog

@Suite struct PageTests {
    let folder: TemporaryFolder
    let client: BlockingLogClient
    let lease: Lease
    /// Lines of very different lengths, including the empty line.
    let lines = (0..<40).map { String(repeating: "abcdefg", count: $0 % 7 == 3 ? 0 : ($0 * $0) % 11) }

    init() throws {
        folder = TemporaryFolder()
        client = try BlockingLogClient(folder.log)
        lease = try client.claim()
        var head = 0
        for size in [1, 7, 1, 3, 20, 1, 1, 6] {
            try client.append(lease, after: Int64(head), [.run(Array(lines[head..<(head + size)]))])
            head += size
        }
    }

    private func bytes(_ range: Range<Int>) -> [UInt8] { lines[range].flatMap { Array($0.utf8) + [10] } }

    @Test(arguments: 1...40)
    func pagesOfEverySizeJoinToTheStoredLines(from: Int) throws {
        for maxBytes in [1, 2, 3, 50, 51, 77, 100, 300, 5_000] {
            var next = Int64(from)
            var joined: [UInt8] = []
            while true {
                let page = try client.page(lease.sid, from: next, maxBytes: maxBytes)
                #expect(page.first == next)
                #expect(page.lines == bytes(Int(next - 1)..<Int(page.last)))
                #expect(page.lines.count <= maxBytes || page.count == 1)
                joined += page.lines
                next = page.last + 1
                if page.isAtEnd { break }
                #expect(page.count > 0)
            }
            #expect(joined == bytes((from - 1)..<40))
        }
    }

    @Test func aPageContainsOnlyWholeLines() throws {
        for maxBytes in 1...bytes(12..<32).count {
            let page = try client.page(lease.sid, from: 13, maxBytes: maxBytes)
            #expect(page.count >= 1 && page.lines == bytes(12..<(12 + page.count)))
            let next = bytes(12..<(12 + page.count + 1)).count
            #expect(page.lines.count <= maxBytes || page.count == 1)
            #expect(next > maxBytes, "another line would have fit")
        }
    }

    @Test(arguments: [Int64.min, -1, 0])
    func aStartBeforeTheFirstUpdateReadsFromTheFirst(from: Int64) throws {
        #expect(try client.page(lease.sid, from: from).first == 1)
    }

    @Test(arguments: [41, 42, 1_000, Int64.max])
    func aStartAfterTheLastUpdateReturnsAnEmptyLastPage(from: Int64) throws {
        #expect(try client.page(lease.sid, from: from) == UpdatePage(first: from, count: 0, lines: [], isAtEnd: true))
    }

    @Test(arguments: [Int.min, 0, Int.max])
    func everyByteLimitIsAccepted(maxBytes: Int) throws {
        #expect(try client.page(lease.sid, from: 1, maxBytes: maxBytes).count >= 1)
    }

    @Test func readingAnUnknownSessionIsAnError() {
        #expect(client.ask(.page(sid: 99, from: 1)) == .failed(.unknownSession(sid: 99)))
        #expect(client.ask(.timeline(sid: 99, after: 1)) == .failed(.unknownSession(sid: 99)))
    }

    @Test func aPageOfAnEmptySessionIsAtItsEnd() throws {
        let empty = try client.claim("empty")
        #expect(try client.page(empty.sid) == UpdatePage(first: 1, count: 0, lines: [], isAtEnd: true))
    }
}
