import JSONScan
import Testing

@testable import ACPRouting

@Suite struct LoginMethodTests {
    private func remaining(_ result: String) throws -> String? {
        try LoginMethod.withoutTerminal(JSONValue(validating: Array(result.utf8))).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    @Test func onlyLoginsThatNeedATerminalAreLeftOut() throws {
        let own = #"{"id":"a","name":"A","_meta":{"x":1.0}}"#
        let terminal = #"{"id":"t","name":"T","type":"terminal","args":["login"]}"#
        #expect(
            try remaining(#"{"protocolVersion":1,"authMethods":[\#(own),\#(terminal)],"_meta":{"y": 2}}"#)
                == #"{"protocolVersion":1,"authMethods":[\#(own)],"_meta":{"y": 2}}"#)
        #expect(try remaining(#"{"authMethods":[\#(terminal)]}"#) == #"{"authMethods":[]}"#)
    }

    /// The agent's own bytes are then sent.
    @Test(arguments: [#"{}"#, #"{"authMethods":[]}"#, #"{"authMethods":[{"id":"a"}]}"#, #"{"authMethods":7}"#])
    func anAnswerWithoutThemStaysAsItIs(result: String) throws { #expect(try remaining(result) == nil) }
}
