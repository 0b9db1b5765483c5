import JSONScan
import Testing

@testable import Diagnostics

@Suite struct DiagnosticLineTests {
    private func text(_ fields: [DiagnosticField], _ format: DiagnosticFormat = .text) -> String {
        let line = DiagnosticLine(date: 1_705_314_600_123, level: .warning, event: "failed", fields: fields)
        return String(decoding: line.bytes(format), as: UTF8.self)
    }

    @Test func aLineOfTextIsLogfmt() {
        #expect(
            text([.text("agent", "codex"), .integer("pid", 4711)])
                == "time=2024-01-15T10:30:00.123Z level=warning event=failed agent=codex pid=4711\n")
    }

    @Test func aLineOfJSONHasTheSameNames() throws {
        let line = text([.text("agent", "co\"dex"), .integer("pid", -1)], .json)
        let value = try JSONValue(validating: Array(line.utf8))
        #expect(value.members.map(\.name) == ["time", "level", "event", "agent", "pid"])
        #expect(value["time"]?.stringValue == "2024-01-15T10:30:00.123Z")
        #expect(value["agent"]?.stringValue == "co\"dex" && value["pid"]?.int64Value == -1)
        #expect(line.hasSuffix("}\n"))
    }

    @Test(arguments: [
        ("", #"a="""#), ("a b", #"a="a b""#), ("a=b", #"a="a=b""#), (#"a"b"#, #"a="a\"b""#), (#"a\b"#, #"a="a\\b""#),
        ("naïve", "a=naïve"),
    ])
    func aValueWithASpecialCharacterIsQuoted(value: String, expected: String) {
        #expect(text([.text("a", value)]).hasSuffix(" \(expected)\n"))
    }

    @Test(arguments: [DiagnosticFormat.text, .json])
    func noControlCharacterReachesTheTerminal(format: DiagnosticFormat) {
        let foreign = "a\u{1b}[31m\u{9b}1m\nlevel=error\r\u{7f}\u{202e}\u{0}"
        let line = text([.text("agent", foreign)], format)
        #expect(line.unicodeScalars.dropLast().allSatisfy { $0.properties.generalCategory != .control })
        #expect(!line.unicodeScalars.contains("\u{202e}") && line.contains("<U+001B>"))
        #expect(line.utf8.count { $0 == 0x0a } == 1)
    }

    @Test(arguments: [DiagnosticFormat.text, .json])
    func aLineHasALimitInBytes(format: DiagnosticFormat) throws {
        for filler in ["x", "\"", "\u{1b}", "é", "🇩🇪", "\u{202e}"] {
            let long = String(repeating: filler, count: 3_000)
            let line = text((0..<6).map { .text("field\($0)", long) }, format)
            #expect(line.utf8.count <= DiagnosticLine.limitBytes)
            #expect(line.contains(format == .json ? #""cut":1}"# : " cut=1\n"))
            if format == .json { _ = try JSONValue(validating: Array(line.utf8)) }
        }
    }

    @Test func anEntryOfTheJournalHasALineForEachField() {
        #expect(
            text([.text("agent", "co dex"), .text("reason", "a\nPRIORITY=0"), .integer("pid", 7)], .journald) == """
                MESSAGE=failed agent="co dex" reason="a⏎PRIORITY=0" pid=7
                PRIORITY=4
                SYSLOG_IDENTIFIER=acpbridge
                ACPBRIDGE_EVENT=failed
                ACPBRIDGE_AGENT=co dex
                ACPBRIDGE_REASON=a⏎PRIORITY=0
                ACPBRIDGE_PID=7

                """)
    }

    @Test func aLongTextIsCutBetweenTwoCharacters() {
        let line = text([.text("a", "x" + String(repeating: "é", count: 2_000))])
        #expect(line.hasSuffix("é…\n") && line.utf8.count < 1_200)
        #expect(!line.unicodeScalars.contains("\u{fffd}"))
    }
}
