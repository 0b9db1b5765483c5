import Glibc
import JSONScan
import Testing

@testable import SessionExport

private let key = "sk-ant-api03-" + String(repeating: "Ab1_", count: 8)

private func chunk(_ text: String, id: String = "m1", kind: String = "agent_message_chunk") -> [UInt8] {
    JSONWriter.object { writer in
        writer.member("seq", 1)
        writer.member("ts", "2026-01-31T10:30:00.000Z")
        writer.member("kind", "update")
        writer.memberObject("notification") { writer in
            writer.member("method", "session/update")
            writer.memberObject("params") { writer in
                writer.member("sessionId", "s")
                writer.memberObject("update") { writer in
                    writer.member("sessionUpdate", kind)
                    writer.member("messageId", id)
                    writer.memberObject("content") { writer in
                        writer.member("type", "text")
                        writer.member("text", text)
                    }
                }
            }
        }
    }
}

private func redacted(
    _ lines: [[UInt8]], rules: [String] = [], hidesTokens: Bool = true
) throws -> (lines: [String], count: Int) {
    let redaction = Redaction(rules: try rules.map { try RedactionRule($0) }, hidesTokens: hidesTokens)
    var redactor = LineRedactor(redaction)
    let done = lines.flatMap { redactor.add($0) } + redactor.finish()
    return (done.map { String(decoding: $0, as: UTF8.self) }, redactor.count)
}

@Suite struct RedactionTests {
    @Test(arguments: [
        key, "ghp_" + String(repeating: "a1B2", count: 9), "github_pat_" + String(repeating: "a_", count: 15),
        "AKIAIOSFODNN7EXAMPLE", "xoxb-1234567890-abcdef", "glpat-" + String(repeating: "x", count: 20),
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abcdefghijklmnop",
        "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----",
    ])
    func aTokenOfAKnownFormIsHidden(token: String) throws {
        let line = JSONWriter.object { $0.member("x", "before \(token) after") }
        let (lines, count) = try redacted([line])
        #expect(lines == [#"{"x":"before [redacted] after"}"#])
        #expect(count == 1)
    }

    @Test(arguments: ["task-manager-that-is-longer-than-a-key", "sk-short", "AKIA", "-----BEGIN CERTIFICATE-----"])
    func ordinaryTextStays(text: String) throws {
        let line = JSONWriter.object { $0.member("x", text) }
        #expect(try redacted([line]).count == 0)
    }

    /// The page reads the same list: it hides tokens, too.
    @Test func theTokensThatThePageHidesAreHidden() throws {
        let list = try secrets()
        for token in list["hidden"]?.elements ?? [] {
            let (prefix, unit) = (token["prefix"]?.stringValue ?? "", token["unit"]?.stringValue ?? "")
            let text = prefix + String(repeating: unit, count: Int(token["count"]?.int64Value ?? 0))
            #expect(try hidden("before \(text) after") == "before [redacted] after", "\(prefix)")
        }
        for text in list["shown"]?.elements.compactMap(\.stringValue) ?? [] { #expect(try hidden(text) == text) }
        for pair in list["texts"]?.elements ?? [] {
            let texts = pair.elements.compactMap(\.stringValue)
            #expect(try hidden(texts[0]) == texts[1])
        }
    }

    private func hidden(_ text: String) throws -> String? {
        let (lines, _) = try redacted([JSONWriter.object { $0.member("x", text) }])
        return try JSONValue(validating: Array(lines[0].utf8))["x"]?.stringValue
    }

    private func secrets() throws -> JSONValue {
        let folder = #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined()
        let stream = try #require(fopen(folder + "/Page/secrets.json", "r"))
        defer { fclose(stream) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&bytes, 1, bytes.count, stream)
        return try JSONValue(validating: Array(bytes.prefix(count)))
    }

    @Test func onlyThePasswordOfAURLIsHidden() throws {
        let (lines, _) = try redacted([Array(#"{"x":"git clone https://me:secret@host/a and https://host:80/b"}"#.utf8)]
        )
        #expect(lines == [#"{"x":"git clone https://me:[redacted]@host/a and https://host:80/b"}"#])
    }

    @Test func aRuleHidesEachMatchAndEscapesStayValid() throws {
        let line = Array(#"{"a":"x\"corp-1\"\n","corp-2":["corp-3",{"b":"corp-4"}],"kind":"corp-5"}"#.utf8)
        let (lines, count) = try redacted([line], rules: ["corp-[0-9]"])
        #expect(
            lines == [
                #"{"a":"x\"[redacted]\"\n","corp-2":["[redacted]",{"b":"[redacted]"}],"kind":"corp-5"}"#
            ])
        #expect(count == 3)
    }

    @Test func anAnchoredRuleMatchesOnlyTheBeginningOfAText() throws {
        let (lines, _) = try redacted([Array(#"{"a":"bb"}"#.utf8)], rules: ["^b"])
        #expect(lines == [#"{"a":"[redacted]b"}"#])
    }

    @Test func aRuleThatMatchesNothingEnds() throws {
        #expect(try redacted([Array(#"{"a":"bb"}"#.utf8)], rules: ["x*"]).count == 0)
    }

    @Test func aWrongExpressionIsAnError() {
        #expect(throws: RedactionRule.Invalid.self) { try RedactionRule("(") }
    }

    @Test(arguments: 1..<45) func aTokenInTwoChunksIsHidden(split: Int) throws {
        let bytes = Array(key.utf8)
        let (lines, count) = try redacted([
            chunk("a " + String(decoding: bytes[..<split], as: UTF8.self)),
            chunk(String(decoding: bytes[split...], as: UTF8.self) + " b"),
        ])
        #expect(lines == [chunk("a [redacted]"), chunk(" b")].map { String(decoding: $0, as: UTF8.self) })
        #expect(count == 1)
    }

    @Test(arguments: ["agent_thought_chunk", "user_message_chunk", "compaction_summary_chunk"])
    func aTokenInTwoChunksOfAnyTextIsHidden(kind: String) throws {
        let parts = [chunk("a " + key.prefix(9), kind: kind), chunk(key.dropFirst(9) + " b", kind: kind)]
        let expected = [chunk("a [redacted]", kind: kind), chunk(" b", kind: kind)]
        #expect(try redacted(parts).lines == expected.map { String(decoding: $0, as: UTF8.self) })
    }

    @Test func chunksOfOtherMessagesAreSearchedApart() throws {
        let (head, rest) = (key.prefix(10), key.dropFirst(10))
        let (_, count) = try redacted([chunk(String(head), id: "1"), chunk(String(rest), id: "2")])
        #expect(count == 0)
    }

    @Test func aSecretIsHiddenAlsoIfOtherUpdatesComeBetweenItsChunks() throws {
        let usage = Array(
            #"{"n":2,"ts":1,"notification":{"params":{"update":{"sessionUpdate":"usage_update","used":1}}}}"#.utf8)
        let (head, rest) = ("sk-ant-api03-abcdefgh", "ijklmnopqrstuvwxyz0123456789")
        let (lines, count) = try redacted([chunk("a " + head), usage, chunk(rest + " b")])
        #expect(lines == [chunk("a [redacted]"), usage, chunk(" b")].map { String(decoding: $0, as: UTF8.self) })
        #expect(count == 1)
    }

    @Test func anEntryEndsAMessage() throws {
        let entry = Array(#"{"n":2,"ts":1,"entry":"prompt","data":{}}"#.utf8)
        let (_, count) = try redacted([chunk("sk-ant-"), entry, chunk("api03-abcdefghijklmnopqrstuvwxyz0123456789")])
        #expect(count == 0)
    }

    @Test func theOutputOfATerminalIsSearched() throws {
        var data: [UInt8] = []
        Base64Text.encode(Array("token \(key)\n".utf8), to: &data)
        let line = JSONWriter.object { $0.member("data", String(decoding: data, as: UTF8.self)) }
        let (lines, _) = try redacted([line])
        let text = try JSONValue(validating: Array(lines[0].utf8))["data"]?.base64Bytes
        #expect(text == Array("token [redacted]\n".utf8))
    }

    @Test func withoutRulesLinesKeepTheirBytes() throws {
        let line = Array("not JSON \(key)".utf8)
        #expect(try redacted([line], hidesTokens: false).lines == [String(decoding: line, as: UTF8.self)])
    }
}
