import Testing
import TinyvexTransport

@testable import SessionOutput

@Suite struct LostConnectionTests {
    private let start = ContinuousClock.now
    private var connection = LostConnection()

    private mutating func lost(_ code: UInt16, after seconds: Int) -> LostConnection.Reaction {
        connection.lost(.closed(code: code, reason: ""), at: start + .seconds(seconds))
    }

    @Test mutating func aLossIsReportedOnceUntilTheNextConnection() {
        #expect(lost(1006, after: 0) == .report)
        #expect(lost(1006, after: 1) == .wait)
        connection.connected()
        #expect(lost(1006, after: 2) == .report)
    }

    @Test mutating func aReplacedBridgeIsReportedOnlyIfItDoesNotComeBack() {
        #expect(lost(1012, after: 0) == .wait)
        #expect(lost(1006, after: 1) == .wait)
        #expect(lost(1012, after: 2) == .wait)
        #expect(lost(1006, after: 5) == .wait)
        #expect(lost(1006, after: 6) == .report)
    }

    @Test mutating func aStoppedBridgeThatDoesNotComeBackEndsTheCommand() {
        #expect(lost(1001, after: 0) == .wait)
        #expect(lost(1006, after: 1) == .report)
        #expect(lost(1006, after: 2) == .wait)
        #expect(lost(1006, after: 4) == .giveUp)
    }
}
