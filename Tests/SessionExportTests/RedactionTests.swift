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

    /// The page's test checks that the page hides each of them.
    @Test func theListOfFormsIsThatOfThePage() throws {
        var listed: [[String]] = []
        for form in try secrets()["forms"]?.elements ?? [] {
            let (prefix, unit) = (form["prefix"]?.stringValue ?? "", form["unit"]?.stringValue ?? "")
            let minimum = Int(form["minimum"]?.int64Value ?? 0)
            listed.append([prefix, "\(minimum)"])
            let shortest = prefix + String(repeating: unit, count: minimum)
            #expect(try hidden(shortest) == "[redacted]", "\(prefix)")
            #expect(try hidden(String(shortest.dropLast())) == String(shortest.dropLast()), "\(prefix)")
        }
        let forms = SecretPattern.forms.map { [String(decoding: $0.prefix, as: UTF8.self), "\($0.minimum)"] }
        #expect(listed.sorted { $0[0] < $1[0] } == forms.sorted { $0[0] < $1[0] })
    }

    @Test func aTokenIsHiddenInTheNameOfAMemberAndProtocolsKeepTheirNames() throws {
        let line = Array(#"{"\#(key)":1,"sk_live_\u0061bcdefghijklmnopq":{"kind":"update"},"kind":[]}"#.utf8)
        let (lines, count) = try redacted([line], rules: ["kind"])
        #expect(lines == [#"{"[redacted]":1,"[redacted]":{"kind":"update"},"kind":[]}"#])
        #expect(count == 2)
    }

    /// 17 KB of text are 1 MiB of lines.
    @Test func noTokenIsCutHoweverManyChunksItHas() throws {
        let token = "ghp_" + String(repeating: "0123456789", count: 4) + " "
        let text = Array(String(repeating: token, count: 2_000).utf8)
        let chunks = stride(from: 0, to: text.count, by: 4).map { start in
            chunk(String(decoding: text[start..<min(start + 4, text.count)], as: UTF8.self))
        }
        let (lines, count) = try redacted(chunks)
        #expect(count == 2_000 && lines.count == chunks.count)
        #expect(lines.allSatisfy { !$0.contains("ghp") && !$0.contains("45") })
    }

    /// More text than waits: the place of the limit is anywhere in a token.
    @Test(arguments: [1, 2, 3]) func aTokenAtTheLimitOfWaitingTextIsHidden(shift: Int) throws {
        let token = "ghp_" + String(repeating: "0123456789", count: 4) + " "
        let text = Array((String(repeating: "-", count: shift) + String(repeating: token, count: 30_000)).utf8)
        let chunks = stride(from: 0, to: text.count, by: 997).map { start in
            chunk(String(decoding: text[start..<min(start + 997, text.count)], as: UTF8.self))
        }
        let (lines, count) = try redacted(chunks)
        #expect(count == 30_000 && lines.allSatisfy { !$0.contains("ghp") && !$0.contains("45") })
    }

    @Test func aKeyWithoutAnEndIsHiddenBeyondTheLimit() throws {
        let rest = (0..<3_000).map { _ in chunk(String(repeating: "b3Bl", count: 250)) }
        let (lines, count) = try redacted([chunk("a -----BEGIN OPENSSH PRIV"), chunk("ATE KEY-----\n")] + rest)
        #expect(count == 1 && lines.allSatisfy { !$0.contains("b3Bl") && !$0.contains("BEGIN") })
        #expect(lines.first?.contains("a [redacted]") == true)
    }

    /// The first half is in a line that had to be returned: at most that half is shown.
    @Test func manyLinesBetweenTheHalvesOfATokenHideTheSecondHalf() throws {
        let other = JSONWriter.object { writer in
            writer.memberObject("notification") { writer in
                writer.member("method", "x")
                writer.member("text", String(repeating: "-", count: 6 << 20))
            }
        }
        let lines = try redacted([chunk("sk-ant-api03-ab"), other, other, other, other, chunk("cdefghijklmnopqrst u")])
            .lines
        #expect(lines.last == String(decoding: chunk(" u"), as: UTF8.self))
    }

    @Test func aTokenAfterALetterOfAnEarlierTextIsHidden() throws {
        let usage = Array(#"{"seq":2,"notification":{"params":{"update":{"sessionUpdate":"usage_update"}}}}"#.utf8)
        let (lines, count) = try redacted([chunk("Done"), usage, chunk(key)])
        #expect(count == 1 && lines.last == String(decoding: chunk("[redacted]"), as: UTF8.self))
    }

    private func update(_ update: String) -> [UInt8] {
        Array(#"{"seq":1,"kind":"update","notification":{"params":{"sessionId":"s","update":\#(update)}}}"#.utf8)
    }

    @Test func aTokenInThePiecesOfATerminalsOutputIsHidden() throws {
        func output(_ text: String, of terminal: String) -> [UInt8] {
            let data = String(decoding: TextChunk.base64(Array(text.utf8)), as: UTF8.self)
            return update(#"{"sessionUpdate":"terminal_output_chunk","terminalId":"\#(terminal)","data":"\#(data)"}"#)
        }
        let parts = [
            output("a \(key.prefix(9))", of: "1"), output("other", of: "2"), chunk("text"),
            output("\(key.dropFirst(9)) b", of: "1"),
        ]
        let expected = [
            output("a [redacted]", of: "1"), output("other", of: "2"), chunk("text"), output(" b", of: "1"),
        ]
        #expect(try redacted(parts).lines == expected.map { String(decoding: $0, as: UTF8.self) })
    }

    @Test func aTokenInThePiecesOfACallsContentIsHidden() throws {
        func part(_ text: some StringProtocol) -> [UInt8] {
            let content = #"{"type":"content","content":{"type":"text","text":"\#(text)"}}"#
            return update(#"{"sessionUpdate":"tool_call_content_chunk","toolCallId":"c","content":\#(content)}"#)
        }
        let lines = try redacted([part("a " + key.prefix(9)), part(key.dropFirst(9) + " b")]).lines
        #expect(lines == [part("a [redacted]"), part(" b")].map { String(decoding: $0, as: UTF8.self) })
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
                #"{"a":"x\"[redacted]\"\n","[redacted]":["[redacted]",{"b":"[redacted]"}],"kind":"corp-5"}"#
            ])
        #expect(count == 4)
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
