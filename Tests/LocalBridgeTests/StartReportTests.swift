import CommandContext
import Testing

@testable import LocalBridge

@Suite struct StartReportTests {
    @Test func aReasonArrivesAsItWasReported() {
        let bytes = StartReport.bytes(Failure(message: "the disk is full"))
        #expect(StartReport(bytes) == .failed("the disk is full"))
    }

    @Test func aReadyBridgeReportsAnObject() { #expect(StartReport(Array(#"{"ready":true}"#.utf8)) == .ready) }

    @Test func withoutAReportThereIsNoReason() { #expect(StartReport([]) == nil) }

    @Test func aLongReasonIsCut() {
        let long = Failure(message: "\(String(repeating: "x", count: 10_000))")
        #expect(StartReport.bytes(long).count == StartReport.limitBytes)
    }
}
