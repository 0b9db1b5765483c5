import Testing

@testable import TerminalIO

@Suite struct ConsoleTests {
    @Test(arguments: [
        (["TERM": "xterm"], true), (["TERM": "xterm", "NO_COLOR": ""], true),
        (["TERM": "xterm", "NO_COLOR": "1"], false),
        (["TERM": "dumb"], false), ([:], true),
    ])
    func coloursNeedATerminalThatKnowsThemAndAUserWhoWantsThem(variables: [String: String], wanted: Bool) {
        #expect(Console.wantsColour { variables[$0] } == wanted)
    }
}
