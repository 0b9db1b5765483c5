import JSONScan
import Testing

/// An agent's lines that are not updates: its editor gets them unchanged, other clients do not get them, and the
/// session continues.
@Suite(.blocking) struct OddLineTests {
    private static func update(_ number: Int) -> String {
        #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"x","n":\#(number)}}}"#
    }

    private static var odd: [[UInt8]] {
        let texts = [
            "", "\r", "noise", "{", "}{", "null", "[]", #"{"jsonrpc":"2.0"}"#, String(repeating: "[", count: 100_000),
            String(repeating: #"{"a":"#, count: 100_000) + "1" + String(repeating: "}", count: 100_000),
            update(0) + "x", update(0).replacing("}}}", with: "}}"), "[\(update(0)),1]",
            update(0).replacing("}}}", with: #","sessionUpdate":"y"}}}"#),
            update(0).replacing(#""sessionId":"s""#, with: #""sessionId":"s","s\u0065ssionId":"t""#),
            update(0).replacing(#""method""#, with: #""method":"a","method""#),
            update(0).replacing(#""s""#, with: "7"), update(0).replacing(#""s""#, with: #""other""#),
            update(0).replacing("session/update", with: "session/updat"),
            update(0).replacing("n", with: "\u{1}"),
        ]
        return texts.map { Array($0.utf8) } + [Array(#"{"a":""#.utf8) + [0xff, 0x22, 0x7d], [0x00], [0xc3, 0x28]]
    }

    /// The agent is `cat`: it repeats its editor's input.
    @Test func oddLinesReachTheEditorAndAreNotPublished() throws {
        try BridgeHome.with { home in
            let editor = try EditorProcess(BridgeHome.bridged(rude("cat")), in: home)
            for line in [
                #"{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}"#,
                #"{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s"}}"#,
            ] {
                try editor.sendLine(line)
                #expect(try editor.readLine() == line)
            }
            let client = try TinyvexTestClient(home)
            var expected: [[UInt8]] = []
            for (number, line) in Self.odd.enumerated() {
                expected.append(Array(Self.update(number + 1).utf8))
                try editor.send(line + [0x0a] + expected[number] + [0x0a])
                expectSame(try #require(try editor.readLineBytes()), line, "the odd line")
                expectSame(try #require(try editor.readLineBytes()), expected[number], "the update after the odd line")
            }
            #expect(try client.subscribe("s", after: 0)["result"] != nil)
            expectSame(try client.updates(expected.count), expected)
            editor.closeInput()
            _ = try editor.outcome()
            #expect(try client.history(of: "s").count == expected.count)
        }
    }
}
