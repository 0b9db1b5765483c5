import AgentProcess
import JSONScan
import Testing

@Suite(.blocking) struct ExportTests {
    private func export(_ client: TinyvexTestClient, _ session: String, _ format: String) throws -> (String, pages: Int)
    {
        var text = ""
        var cursor = ""
        for page in 1... {
            let args = #"{"sessionId":"\#(session)","format":"\#(format)"\#(cursor)}"#
            let answer = try client.call(
                "tinyvex/action", #"{"requestId":"1","name":"sessions:export","args":\#(args)}"#)
            let value = try #require(answer["result"]?["value"], "\(answer.rawString)")
            text += try #require(value["text"]?.stringValue)
            guard let next = value["nextCursor"]?.stringValue else { return (text, page) }
            cursor = #","cursor":"\#(next)""#
        }
        return (text, 0)
    }

    @Test func anExportEqualsTheOutputOfAttach() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let agent: [SystemString] = [Binary.rudeAgent, "flood", "--lines", "3000", "--on", "prompt"]
            let editor = try EditorSession(agent, in: home)
            let reading = try editor.promptMeanwhile("go")
            try reading.wait()
            let client = try TinyvexTestClient(home)
            try home.waitUntilStored()
            let attach = try home.run("attach", SystemString(editor.sessionId), "--all", "--no-follow")
            #expect(attach.outputText.contains(#""kind":"turn_end""#))
            let (text, pages) = try export(client, editor.sessionId, "ndjson")
            expectSame(Array(text.utf8), attach.output, "the export")
            #expect(pages > 2)

            let (recording, _) = try export(client, editor.sessionId, "asciicast")
            let lines = recording.split(separator: "\n")
            #expect(try JSONValue(validating: Array(try #require(lines.first).utf8))["version"]?.int64Value == 2)
            #expect(lines.count > 3000)
            for line in lines.dropFirst().suffix(5) {
                #expect(try JSONValue(validating: Array(line.utf8)).elements[1].stringValue == "o")
            }
        }
    }

    @Test func anInvalidExportIsRefused() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let client = try TinyvexTestClient(home)
            for (args, code) in [
                (#"{"sessionId":"gone"}"#, "TVX008"), (#"{"sessionId":"gone","format":"gif"}"#, "-32602"),
                (#"{"sessionId":"gone","cursor":"7"}"#, "-32602"), ("{}", "-32602"),
            ] {
                let answer = try client.call(
                    "tinyvex/action", #"{"requestId":"1","name":"sessions:export","args":\#(args)}"#)
                #expect(answer.errorCode == code)
            }
        }
    }
}
