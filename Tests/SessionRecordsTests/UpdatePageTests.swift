import SessionRecords
import Testing

@Suite struct UpdatePageTests {
    private let page = UpdatePage(first: 5, count: 3, lines: Array("five\nsix\nseven\n".utf8), isAtEnd: true)

    @Test(arguments: [(5, "five\n"), (6, "five\nsix\n")])
    func updatesAfterTheLimitAreRemoved(limit: Int64, lines: String) {
        let cut = page.through(limit)
        #expect(String(decoding: cut.lines, as: UTF8.self) == lines)
        #expect(cut.first == 5)
        #expect(cut.last == limit)
        #expect(!cut.isAtEnd)
    }

    @Test(arguments: [7, 8, Int64.max])
    func aPageWithinTheLimitIsUnchanged(limit: Int64) {
        #expect(page.through(limit) == page)
    }

    @Test func aPageBeyondTheLimitBecomesEmpty() {
        #expect(page.through(4).count == 0)
        #expect(page.through(4).lines.isEmpty)
    }
}
