import JSONScan
import TerminalText
import Testing

@testable import BridgeRequests
@testable import TerminalEditing

@Suite struct DraftsTests {
    private func session(_ id: String, _ title: String) throws -> ListedSession {
        let row = #"{"sessionId":"\#(id)","agent":"demo","title":"\#(title)"}"#
        return try #require(ListedSession(JSONValue(validating: Array(row.utf8))))
    }

    @Test func aSessionHasTheTextThatWasTypedLast() throws {
        var drafts = Drafts()
        let (shop, login) = try (session("s1", "shop"), session("s2", "login"))
        drafts[shop] = "half"
        drafts[login] = "two\nlines"
        #expect(drafts[shop] == "half" && drafts[login] == "two\nlines")
        #expect(
            drafts.lines == [
                "acpbridge: your unsent text for login:", "two\nlines", "acpbridge: your unsent text for shop:", "half",
            ])
        drafts[shop] = ""
        #expect(drafts[shop] == "" && drafts.lines.count == 2)
    }

    @Test func aHundredTextsAreKept() throws {
        var drafts = Drafts()
        for number in 0..<101 { drafts[try session("s\(number)", "")] = "x" }
        #expect(drafts.lines.count == 200)
        drafts[try session("s5", "")] = "changed"
        #expect(drafts[try session("s5", "")] == "changed", "a full table takes a new text of a known session")
    }
}
