import BridgeRequests
import JSONScan
import TerminalIO
import Testing

@testable import ClientCommands

@Suite struct SessionRowsTests {
    @Test func aLongTitleIsCutInAPipeAndNotOnAWideTerminal() throws {
        let title = String(repeating: "title ", count: 150)
        let row = #"{"sessionId":"s","agent":"a","title":"\#(title)","state":"idle"}"#
        var rows = SessionRows(PendingCounts(), FolderName(home: nil), now: 0)
        rows.add(try #require(ListedSession(JSONValue(validating: Array(row.utf8)))))
        #expect(rows.table(columns: nil).rows[0][2] == String(title.prefix(100)) + "…")
        #expect(rows.table(columns: 2_000).rows[0][2].count == title.count)
    }
}
