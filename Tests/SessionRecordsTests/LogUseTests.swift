import Testing

@testable import SessionRecords

@Suite struct LogUseTests {
    @Test func aLogUsedByOneSessionIsNotShared() {
        var use = LogUse()
        #expect(!use.isShared)
        for _ in 0..<5 { use.appended(by: 1) }
        #expect(!use.isShared)
    }

    @Test func aLogUsedByTwoSessionsIsShared() {
        var use = LogUse()
        use.appended(by: 1)
        use.appended(by: 2)
        #expect(use.isShared)
        for _ in 1..<LogUse.rowOfOwnUse { use.appended(by: 1) }
        use.appended(by: 2)
        for _ in 1..<LogUse.rowOfOwnUse { use.appended(by: 1) }
        #expect(use.isShared)
    }

    @Test func aLogIsNotSharedAfterALongRunOfOneSession() {
        var use = LogUse()
        use.appended(by: 2)
        use.appended(by: 1)
        for _ in 0..<LogUse.rowOfOwnUse { use.appended(by: 1) }
        #expect(!use.isShared)
    }
}
