import AgentProcess
import EventLoop
import Posix
import Testing
import WebSocket

/// Replays the worked session of `Protocol/tinyvex.md` against a bridge.
@Suite(.blocking) struct TranscriptTests {
    @Test func theWorkedSessionMatchesARealBridge() throws {
        let transcript = try ProtocolFiles.block("transcript")
        try BridgeHome.with { home in
            try runAgent(printing: Self.updates(in: transcript), in: home)
            let client = try TinyvexTestClient(.unix(path: home.socket))
            var journal: Substring?
            for line in transcript {
                let message = String(line.dropFirst(2))
                if line.hasPrefix("C ") {
                    try client.send(message.replacing(Self.journal, with: journal ?? ""))
                } else {
                    let answer = String(decoding: try client.nextMessage(), as: UTF8.self)
                    journal = journal ?? answer.firstMatch(of: Self.journal)?.output
                    #expect(Self.settled(answer) == Self.settled(message))
                }
            }
        }
    }

    @Test func theFrameInHexadecimalIsTheFirstMessage() throws {
        let bytes = try ProtocolFiles.block("hex").flatMap { $0.split(separator: " ") }.compactMap {
            UInt8($0, radix: 16)
        }
        var assembler = MessageAssembler(role: .server)
        assembler.append(bytes.span)
        let first = try #require(try ProtocolFiles.block("transcript").first)
        #expect(try assembler.next() == .text(Array(first.dropFirst(2).utf8)))
        #expect(try assembler.next() == nil)
    }

    private func runAgent(printing updates: [String], in home: BridgeHome) throws {
        let command = ["printf", #"%s\n"#] + updates.map { SystemString($0) }
        let editor = try EditorProcess(BridgeHome.bridged(command), in: home)
        editor.closeInput()
        #expect(try editor.outcome().outputText == updates.map { $0 + "\n" }.joined())
        // The editor's side does not wait for the log.
        let client = try TinyvexTestClient(home)
        try eventually("the session has ended") {
            try client.call("tinyvex/history.recentSessions").rawString.contains(#""state":"ended""#)
        }
    }

    /// The agent's distinct lines, in the order of their first occurrence.
    private static func updates(in transcript: [Substring]) -> [String] {
        var updates: [String] = []
        for line in transcript where line.contains(#""method":"session/update""#) {
            let update = String(line.dropFirst(2))
            if !updates.contains(update) { updates.append(update) }
        }
        return updates
    }

    private static var journal: Regex<Substring> { /[0-9a-f]{8}-1-1/ }

    /// The message with placeholders for values that differ between bridges and moments.
    private static func settled(_ message: String) -> String {
        message.replacing(journal, with: "JOURNAL")
            .replacing(/"(nowTs|serverTs|createdTs|lastTs|usedTs)":[0-9]+/) { "\"\($0.output.1)\":0" }
            .replacing(/"sessionId":"[0-9a-f-]{36}"/, with: "\"sessionId\":\"\"")
            .replacing(/"serverVersion":"[^"]+"/, with: "\"serverVersion\":\"\"")
    }
}
