import Testing

@testable import SessionLog

@Suite struct LogUseTests {
    @Test func oneSessionHasTheLogToItself() {
        var use = LogUse()
        #expect(!use.isShared)
        for _ in 0..<5 { use.appended(by: 1) }
        #expect(!use.isShared)
    }

    @Test func whereAnotherComesInBetweenItIsShared() {
        var use = LogUse()
        use.appended(by: 1)
        use.appended(by: 2)
        #expect(use.isShared)
        for _ in 1..<LogUse.rowOfOwnUse { use.appended(by: 1) }
        use.appended(by: 2)
        for _ in 1..<LogUse.rowOfOwnUse { use.appended(by: 1) }
        #expect(use.isShared)
    }

    @Test func whoIsLongAloneHasItAgain() {
        var use = LogUse()
        use.appended(by: 2)
        use.appended(by: 1)
        for _ in 0..<LogUse.rowOfOwnUse { use.appended(by: 1) }
        #expect(!use.isShared)
    }
}
