import Hub
import SessionRecords
import Testing

@Suite struct HubSearchedTests {
    private static func items(_ numbers: ClosedRange<Int64>) -> [TimelineItem] {
        numbers.map { .entry(n: $0, seq: 0, ts: 1, kind: "prompt", body: []) }
    }

    private static let start = HubSearched(sid: 7, head: 20, done: 0, next: 1, epoch: 1)

    @Test func readingContinuesAfterThePage() {
        let searched = Self.start.advanced(over: Self.items(1...10), reopened: nil)
        #expect(searched == HubSearched(sid: 7, head: 20, done: 10, next: 11, epoch: 1))
    }

    @Test func theLastDocumentIsReadAgain() {
        let searched = Self.start.advanced(over: Self.items(1...10), reopened: 8)
        #expect(searched == HubSearched(sid: 7, head: 20, done: 10, next: 8, epoch: 1))
    }

    @Test func aPageThatAddsNothingIsNotReadAgain() {
        let searched = HubSearched(sid: 7, head: 20, done: 10, next: 8, epoch: 1)
        let advanced = searched.advanced(over: Self.items(8...10), reopened: 8)
        #expect(advanced == HubSearched(sid: 7, head: 20, done: 10, next: 11, epoch: 1))
    }

    @Test func itemsThatCannotBeReadArePassedOver() {
        let searched = Self.start.advanced(over: [], reopened: nil)
        #expect(searched.done == 20 && searched.next == 21)
    }
}
