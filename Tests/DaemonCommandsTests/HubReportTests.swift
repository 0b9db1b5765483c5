import Hub
import JSONScan
import Testing

@testable import DaemonCommands

@Suite struct HubReportTests {
    private func lines(_ status: String) throws -> [String] {
        HubFigures.lines(try JSONValue(validating: Array(status.utf8)), now: 10_000)
    }

    @Test func aBridgeWithoutAHubHasNothingToReport() throws {
        #expect(try lines(#"{"pid":1}"#) == [])
    }

    @Test func shippingIsReportedWithItsFigures() throws {
        let status = #"""
            {"hub":{"place":"db/fleet","state":"shipping","waitingSessions":2,"refusedSessions":0,"shippedUpdates":7,
            "lastShippedTs":4000,"hasStandby":false}}
            """#
        #expect(
            try lines(status) == [
                "This bridge ships to db/fleet: shipping, 2 sessions wait, 7 updates shipped, last 6s ago, "
                    + "clients wait for the hub, which has no synchronous standby"
            ])
    }

    @Test func failuresAreReportedWithTheirReasons() throws {
        let status = #"""
            {"hub":{"place":"db","state":"failed","error":"refused","waitingSessions":0,"refusedSessions":1,"shippedUpdates":0},
            "hubReader":{"place":"db","state":"failed","error":"gone"}}
            """#
        #expect(
            try lines(status) == [
                "This bridge ships to db: failed, 1 sessions refused, 0 updates shipped: refused",
                "This bridge reads other bridges' sessions from db: failed: gone",
            ])
    }

    @Test func aDayIsReportedWithItsPartition() {
        let day = HubDay(day: "2026-01-31", sessions: 3, expired: 3, partitionBytes: (1 << 20) + 1)
        #expect(day.isWhole)
        let outcome = HubRetention.Outcome(day: day, deleted: 3, isDropped: true)
        #expect(
            outcome.line(isPlan: false)
                == "2026-01-31: 3 of 3 sessions were deleted, and the partition with 2 MiB was dropped")
        #expect(
            outcome.line(isPlan: true)
                == "2026-01-31: 3 of 3 sessions would be deleted, and the partition with 2 MiB would be dropped")
    }

    @Test func aDayWithYoungSessionsKeepsItsPartition() {
        let day = HubDay(day: "2026-01-31", sessions: 3, expired: 2, partitionBytes: 1)
        #expect(!day.isWhole)
        #expect(
            HubRetention.Outcome(day: day, deleted: 2, isDropped: false).line(isPlan: false)
                == "2026-01-31: 2 of 3 sessions were deleted")
    }
}
