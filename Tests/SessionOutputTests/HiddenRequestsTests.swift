import TerminalText
import Testing
import Tinyvex

@testable import SessionOutput

@Suite struct HiddenRequestsTests {
    private func note(_ kind: TimelineEntryKind, _ id: String, in hidden: inout HiddenRequests) throws {
        let line = #"{"seq":1,"ts":1,"kind":"\#(kind.rawValue)","data":{"requestId":\#(id)}}"#
        hidden.note(try #require(TimelineValue(Array(line.utf8)[...])), kind, "request \(id)")
    }

    @Test func onlyOpenRequestsAreKeptAndOnlyUntilTheyAreTaken() throws {
        var hidden = HiddenRequests()
        for id in ["1", "\"1\"", "2"] { try note(.permissionRequest, id, in: &hidden) }
        try note(.permissionAnswer, "1", in: &hidden)
        try note(.elicitationRequest, "3", in: &hidden)
        #expect(hidden.take().map(\.text) == ["request \"1\"", "request 2", "request 3"])
        #expect(hidden.take().isEmpty)
    }

    @Test func theEndOfTheAgentEndsItsRequestsAndMoreThanSixteenAreNotKept() throws {
        var hidden = HiddenRequests()
        try note(.permissionRequest, "0", in: &hidden)
        try note(.agentExit, "null", in: &hidden)
        for id in 1...17 { try note(.permissionRequest, "\(id)", in: &hidden) }
        #expect(hidden.take().map(\.text) == (2...17).map { "request \($0)" })
    }
}
