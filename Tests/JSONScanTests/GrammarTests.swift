import JSONScan
import Testing

@Suite struct GrammarTests {
    @Test(arguments: [
        "{}", "[]", "0", "-0", "\"\"", "true", "false", "null", " \t\r\n{ } \r\n",
        "[1,-1,0.5,-0.0,1e1,1E+1,1e-1,12345678901234567890,1e999]",
        #"{"":""}"#, #"{"a":{"b":[{"c":[[]]}]}}"#, #"["\"\\\/\b\f\n\r\t\u0041\uABCD\uabcd"]"#,
        #""\ud800""#, #""\udc00\ud800""#, #""\ud83d\ude00""#, #""\u0000""#,
        "\"\u{7f}\u{80}\u{7ff}\u{800}\u{ffff}\u{10000}\u{10ffff}\"", "\"\u{2028}\u{2029}\"",
        #"{"a":1,"a":2}"#, "[[],{},[{}],\"sixteen bytes and more of plain text\"]",
    ])
    func validTextIsAccepted(text: String) throws {
        _ = try scanEnvelope(Array(text.utf8).span)
        _ = try JSONValue(validating: Array(text.utf8))
        _ = try ReferenceJSON(Array(text.utf8))
    }

    @Test(arguments: [
        "", " ", "\n", "{", "}", "[", "]", ",", ":", "\"", "{]", "[}", "{}}", "[]]", "{}{}", "1 2", "{} x",
        "[1,]", "[,1]", "[1,,2]", "[1 2]", "{,}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{"a" 1}"#, #"{"a"::1}"#,
        #"{"a":1 "b":2}"#, "{a:1}", "{1:1}", "{null:1}", "{'a':1}", #"{"a":1,,"b":2}"#, #"{"a":[}"#, #"[{"a":]}"#,
        "01", "-", "+1", "1.", ".1", "1e", "1e+", "-01", "0x1", "1.e1", "1_0", "--1", "1.2.3", "Infinity", "NaN",
        "-Inf",
        "tru", "True", "truee", "nul", "fals", "nulll", "t", "undefined", "/**/1", "1//",
        #""\x41""#, #""\u12""#, #""\u12g4""#, #""\U0041""#, #""\"#, #""\""#, #""\u"#, #""\u00e"#, #""\'""#, "\"\\\n\"",
        "\"a\nb\"", "\"\t\"", "\"\u{0}\"", "\"\u{1f}\"", "\u{feff}{}", "\u{a0}1", "\u{c}1", "\"abc",
        "\"0123456789abcdef",
        "{}\u{0}", "\u{0}", "[\u{b}]", "\"unterminated over sixteen bytes of text",
    ])
    func invalidTextIsRefused(text: String) {
        #expect(throws: JSONSyntaxError.self) { try scanEnvelope(Array(text.utf8).span) }
        #expect(throws: JSONSyntaxError.self) { try JSONValue(validating: Array(text.utf8)) }
        #expect(throws: ReferenceJSON.Malformed.self) { try ReferenceJSON(Array(text.utf8)) }
    }

    /// RFC 3629 sections 3 and 4: overlong forms, surrogates, values beyond U+10FFFF, stray and missing continuation
    /// bytes.
    static let malformedUTF8: [[UInt8]] = [
        [0x80], [0xbf], [0xc0, 0x80], [0xc1, 0xbf], [0xc2], [0xc2, 0x41], [0xc2, 0xc2], [0xe0, 0x80, 0x80],
        [0xe0, 0x9f, 0xbf], [0xe1, 0x80], [0xe1, 0x80, 0x41], [0xe1, 0x41, 0x80], [0xed, 0xa0, 0x80],
        [0xed, 0xbf, 0xbf], [0xf0, 0x80, 0x80, 0x80], [0xf0, 0x8f, 0xbf, 0xbf], [0xf0, 0x90, 0x80],
        [0xf0, 0x90, 0x80, 0x41], [0xf0, 0x90, 0x41, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80],
        [0xf8, 0x88, 0x80, 0x80, 0x80], [0xfe], [0xff], [0xff, 0xff, 0xff, 0xff],
    ]

    @Test(arguments: malformedUTF8, [0, 1, 14, 15, 16, 40])
    func malformedUTF8IsRefused(sequence: [UInt8], textAround: Int) {
        let padding = [UInt8](repeating: 0x61, count: textAround)
        let text = [0x22] + padding + sequence + padding + [0x22]
        let error = #expect(throws: JSONSyntaxError.self) { try scanEnvelope(text.span) }
        #expect(error == JSONSyntaxError(reason: .invalidUTF8, offset: 1 + textAround))
    }

    @Test(arguments: [0, 3, 20])
    func exactlyTheScalarsOfTwoAndThreeBytesAreAccepted(textBehind: Int) {
        let rest = [UInt8](repeating: 0x61, count: textBehind) + [0x22]
        for lead in UInt8(0x80)...0xef {
            for second in UInt8(0x70)...0xcf {
                for sequence in [[lead, second], [lead, second, 0x80], [lead, second, 0x7f]] {
                    let text = [0x22] + sequence + rest
                    let isAccepted = (try? scanEnvelope(text.span)) != nil
                    #expect(isAccepted == (String(validating: text, as: UTF8.self) != nil), "\(sequence)")
                }
            }
        }
    }

    @Test(
        arguments: [
            ("", .unexpectedEnd, 0), ("[1,x]", .unexpectedByte, 3), ("\"a\u{1}\"", .controlByte, 2),
            (#""a\q""#, .invalidEscape, 2), (#"{"a":1"#, .unexpectedEnd, 6), ("{} {}", .unexpectedByte, 3),
        ] as [(String, JSONSyntaxError.Reason, Int)])
    func theErrorHasReasonAndOffset(text: String, reason: JSONSyntaxError.Reason, offset: Int) {
        let error = #expect(throws: JSONSyntaxError.self) { try scanEnvelope(Array(text.utf8).span) }
        #expect(error == JSONSyntaxError(reason: reason, offset: offset))
    }

    @Test(arguments: ["[", #"{"params":"#, #"{"a":"#, #"[{"a":"#])
    func nestingIsLimitedTo512Levels(opening: String) throws {
        let levels = opening.utf8.count { $0 == 0x5b || $0 == 0x7b }
        let closing = opening.compactMap { ["[": "]", "{": "}"][$0] }.reversed().joined()
        func nested(_ depth: Int) -> [UInt8] {
            let (whole, odd) = depth.quotientAndRemainder(dividingBy: levels)
            let inside = String(repeating: opening, count: whole) + "[]" + String(repeating: closing, count: whole)
            return Array(((odd == 1 ? "[" : "") + inside + (odd == 1 ? "]" : "")).utf8)
        }
        // The empty array in the middle is one more level.
        for depth in [1, 63, 64, 65, 510, 511] {
            _ = try scanEnvelope(nested(depth).span)
            _ = try JSONValue(validating: nested(depth))
        }
        for depth in [512, 513, 100_000] {
            let error = #expect(throws: JSONSyntaxError.self) { try scanEnvelope(nested(depth).span) }
            #expect(error?.reason == .tooDeep)
            #expect(throws: JSONSyntaxError.self) { try JSONValue(validating: nested(depth)) }
        }
    }

    @Test func everyProperPrefixOfAnObjectIsRefused() throws {
        for line in try RecordedLines.load() {
            for end in 0..<line.count {
                #expect(throws: JSONSyntaxError.self) { try scanEnvelope(line.span.extracting(0..<end)) }
            }
        }
    }

    @Test(arguments: ["plain text ", "漢字", #"\n\"quoted\" "#, "😀é"])
    func stringsOfOneMebibyteAreScanned(piece: String) throws {
        let text = String(repeating: piece, count: 1 << 20 / piece.utf8.count)
        let line = Array(#"{"method":"\#(text)","id":7}"#.utf8)
        let envelope = try scanEnvelope(line.span)
        #expect(envelope.id == line.count - 2..<line.count - 1)
        #expect(envelope.method == 10..<line.count - 8)
    }
}
