import AgentProcess
import TestSupport
import Testing

/// All bytes of either side arrive unchanged.
@Suite(.blocking) struct BytesTests {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func randomBytesInRandomPiecesPassBothWays(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let bytes = Self.oddBytes(count: 300_000, &random)
        let outcome = try expectTransparent(rude("cat")) { editor in
            var pieces = random
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...9000, using: &pieces))
                rest = rest.dropFirst(piece.count)
                try editor.send(Array(piece))
            }
            editor.closeInput()
        }
        expectSame(outcome.output, bytes, "the echoed bytes")
    }

    /// Bytes that are not text, JSON or lines, with line endings that invite mistakes: CRLF, NUL, none at the end.
    private static func oddBytes(count: Int, _ random: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes += [0x0d, 0x0a]
            case 1: bytes += [0x0a, 0x0a]
            case 2: bytes += [0x00, 0xff, 0xfe, 0xc0, 0x80]
            case 3: bytes += Array(#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"#.utf8)
            case 4: bytes += Array("é\u{2028}😀\u{feff}".utf8)
            default: bytes += (0..<50).map { _ in UInt8.random(in: 0...255, using: &random) }
            }
        }
        return bytes + Array("no line feed at the end".utf8)
    }

    @Test func aPartialLineIsForwardedAtOnce() throws {
        try expectTransparent(rude("cat")) { editor in
            for half in [#"{"jsonrpc":"2.0","#, #""method":"x"}"#, "\n", "\n", " ", "end"] {
                let before = editor.outputBytes.count
                try editor.send(Array(half.utf8))
                try editor.readOutput(untilBytes: before + half.utf8.count)
            }
            editor.closeInput()
        }
    }

    @Test func manyMegabytesPassBothWaysAtOnce() throws {
        var random = SeededGenerator(seed: 9)
        let block = (0..<100_003).map { _ in UInt8.random(in: 0...255, using: &random) }
        var bytes: [UInt8] = []
        for _ in 0..<90 { bytes += block }
        let outcome = try expectTransparent(rude("cat")) { editor in
            editor.post(bytes)
            editor.closeInput()
        }
        expectSame(outcome.output, bytes, "the echoed bytes")
    }

    @Test func aLineOf64MiBPassesInBothDirections() throws {
        let line = [UInt8](repeating: UInt8(ascii: "x"), count: 64 << 20) + [0x0a]
        let outcome = try expectTransparent(rude("cat")) { editor in
            editor.post(line)
            editor.closeInput()
        }
        expectSame(outcome.output, line, "the echoed bytes")
    }

    @Test(arguments: [64 << 20, 64 << 20 | 1])
    func anUpdateAboveThePublishingLimitReachesTheEditor(byteCount: Int) throws {
        let outcome = try expectTransparent(rude("big-line", SystemString("\(byteCount)"), "--on", "new")) { editor in
            try editor.exchange(editor.newSession(id: "1"), until: #""id":1"#)
            editor.closeInput()
        }
        #expect(outcome.output.count > byteCount)
    }

    @Test(arguments: ["fast-llm", "kimi", "sdk-agent", "vibe", "toad"])
    func recordedConversationsPassUnchanged(name: String) throws {
        let client = try #require(Fixture.bytes("\(name).client.ndjson"))
        let agent = try #require(Fixture.bytes("\(name).agent.ndjson"))
        let outcome = try expectTransparent(rude("replay", SystemString(Fixture.path("\(name).agent.ndjson")))) {
            editor in
            editor.post(client)
            editor.closeInput()
        }
        expectSame(Array(outcome.output.prefix(agent.count)), agent, "the recording")
    }
}
