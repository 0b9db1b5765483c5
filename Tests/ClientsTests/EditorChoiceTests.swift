import Testing

@testable import Clients

@Suite struct EditorChoiceTests {
    private static let offer = EditorChoice.Offer(version: 1, sessions: ["kept"])
    private static let initialize = #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}"#

    private static func request(_ method: String, _ session: String = "kept") -> String {
        #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":{"sessionId":"\#(session)","cwd":"/"}}"#
    }

    private func steps(_ lines: [String], _ offer: EditorChoice.Offer = offer) -> [EditorChoice.Step] {
        var choice = EditorChoice()
        return lines.map { choice.step(Array($0.utf8), offer) }
    }

    @Test(arguments: ["session/load", "session/resume"])
    func aRequestForAKeptSessionTakesItsAgentOver(method: String) {
        #expect(steps([Self.initialize, Self.request(method)]) == [.answer, .takeOver])
        #expect(steps([Self.initialize, Self.request(method, "other")]) == [.answer, .startAgent])
    }

    @Test func aListIsAnsweredAndDecidesNothing() {
        let lines = [Self.initialize, Self.request("session/list"), Self.request("session/load")]
        #expect(steps(lines) == [.answer, .answer, .takeOver])
    }

    @Test(
        arguments: [
            request("session/new"), request("session/prompt"), "noise", "",
            #"{"jsonrpc":"2.0","method":"initialized"}"#,
            #"{"jsonrpc":"2.0","id":0,"result":{}}"#, initialize,
        ])
    func everyOtherLineStartsAnAgent(line: String) {
        #expect(steps([Self.initialize, line]) == [.answer, .startAgent])
    }

    @Test func nothingIsAnsweredBeforeInitialize() {
        #expect(steps([Self.request("session/load")]) == [.startAgent])
        #expect(steps([Self.request("session/list")]) == [.startAgent])
    }

    @Test func aKeptAgentOfAnotherVersionIsNotOffered() {
        #expect(steps([Self.initialize], EditorChoice.Offer(version: 2, sessions: ["kept"])) == [.startAgent])
        #expect(steps([Self.initialize], EditorChoice.Offer()) == [.startAgent])
    }

    @Test func theAgentThatIsStartedGetsOnlyInitializeAgain() {
        var choice = EditorChoice()
        for line in [Self.initialize, Self.request("session/list"), Self.request("session/new")] {
            _ = choice.step(Array(line.utf8), Self.offer)
        }
        #expect(choice.answered == Array((Self.initialize + "\n").utf8))
    }
}
