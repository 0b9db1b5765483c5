import JSONScan
import TerminalText
import Testing

@testable import BridgeRequests
@testable import SessionOutput

@Suite struct SessionLabelsTests {
    private func session(_ id: String, _ title: String = "") throws -> ListedSession {
        let row = #"{"sessionId":"\#(id)","agent":"demo","title":"\#(title)"}"#
        return try #require(ListedSession(JSONValue(validating: Array(row.utf8))))
    }

    @Test func namesAreAlignedAndLaterOnesAreToo() throws {
        let (shop, login) = try (session("s1", "shop"), session("s2", "login page"))
        let labels = SessionLabels([shop, login], hasColour: false)
        #expect(labels.label(of: shop) == "shop       | ")
        #expect(labels.label(of: login) == "login page | ")
        #expect(try labels.label(of: session("s3", "new")) == "new        | ")
    }

    @Test func sessionsWithOneTitleHaveDifferentLabels() throws {
        let labels = SessionLabels([], hasColour: false)
        #expect(try labels.label(of: session("s1", "shop")) == "shop | ")
        #expect(try labels.label(of: session("s22", "shop")) == "s22  | ")
        #expect(try labels.label(of: session("s1", "other")) == "shop | ", "a label does not change")
    }

    @Test func aLongTitleIsCutAndEachSessionHasAColour() throws {
        let long = try session("s1", "a title that is much too long for a label")
        #expect(SessionLabels([long], hasColour: false).label(of: long) == "a title that is much to… | ")
        let labels = SessionLabels([long, try session("s2", "b")], hasColour: true)
        let colours = try [long, session("s2", "b")].map { labels.label(of: $0).text.prefix(5) }
        #expect(colours == ["\u{1b}[36m", "\u{1b}[33m"])
    }
}
