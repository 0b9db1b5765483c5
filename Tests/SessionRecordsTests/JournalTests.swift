import Testing

@testable import SessionRecords

@Suite struct JournalTests {
    @Test(arguments: [
        Journal(logId: 0, sid: 1, epoch: 1),
        Journal(logId: 0x9f03_c2aa, sid: 17, epoch: 2),
        Journal(logId: .max, sid: .max, epoch: .max),
    ])
    func aJournalsDescriptionRoundTrips(journal: Journal) {
        #expect(Journal(journal.description) == journal)
    }

    @Test func aJournalIsWrittenInTheWireFormat() {
        #expect(Journal(logId: 0xaa, sid: 17, epoch: 2).description == "000000aa-17-2")
    }

    @Test(arguments: [
        "", "-", "--", "000000aa", "000000aa-1", "000000aa-1-", "000000aa--1", "000000aa-1-1-", "000000aa-1-1-1",
        "aa-1-1", "000000AA-1-1", "000000ag-1-1", "000000aa-01-1", "000000aa-+1-1", "000000aa-0-1", "000000aa-1-0",
        "000000aa-1-9223372036854775808", " 000000aa-1-1", "000000aa-1-1\n", "+00000aa-1-1", "0000000aa-1-1",
    ])
    func everyOtherSpellingIsRefused(text: String) {
        #expect(Journal(text) == nil)
    }
}
