import JSONScan
import Testing
import Tinyvex

@Suite struct SessionEndTests {
    static let ends: [(SessionEnd, stored: String, json: String)] = [
        (.exited(code: 0), "exit:0", #"{"reason":"exited","exitCode":0}"#),
        (.exited(code: 255), "exit:255", #"{"reason":"exited","exitCode":255}"#),
        (.signaled(signal: 9), "signal:9", #"{"reason":"signaled","signal":9}"#),
        (.closed, "closed", #"{"reason":"closed"}"#),
        (.interrupted, "interrupted", #"{"reason":"interrupted"}"#),
    ]

    @Test(arguments: ends)
    func theStoredTextRoundTrips(end: SessionEnd, stored: String, json: String) {
        #expect(end.storedText == stored)
        #expect(SessionEnd(storedText: stored) == end)
    }

    @Test(arguments: ends)
    func theEndIsWrittenWithItsReason(end: SessionEnd, stored: String, json: String) {
        #expect(text(JSONWriter.object { end.write(to: &$0) }) == json)
    }

    @Test(arguments: ["", "crashed", "exit", "exit:", "exit:x", "exit:99999999999", "signal:", "Exit:0", "closed:1"])
    func invalidStoredTextIsRejected(stored: String) {
        #expect(SessionEnd(storedText: stored) == nil)
    }
}
