import JSONScan
import Testing
import Tinyvex

@testable import EventLoop
@testable import Functions

@Suite struct PendingElicitationTests {
    @Test(arguments: [
        (true, #"{"sessionId":"s","agent":"a","journal":"j","requestId":8,"createdTs":5,"mode":"url"}"#),
        (false, #"{"agent":"a","pid":7,"requestId":8,"createdTs":5,"mode":"url"}"#),
    ])
    func anElicitationWithoutASessionNamesItsAgentsProcess(hasSession: Bool, json: String) {
        let elicitation = PendingElicitation(
            session: hasSession ? ("s", "j") : nil, agent: "a", pid: 7, requestId: Array("8".utf8), createdTs: 5,
            params: Array(#"{"mode":"url"}"#.utf8), place: ListPosition(5, 7, 1))
        let written = JSONWriter.object { elicitation.write(to: &$0) }
        #expect(String(decoding: written, as: UTF8.self) == json)
    }
}
