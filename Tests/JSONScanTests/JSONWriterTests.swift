import JSONScan
import Testing

@Suite struct JSONWriterTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func membersAreSeparatedByCommas() {
        let bytes = JSONWriter.object {
            $0.member("ok", true)
            $0.member("n", -1)
            $0.member("s", "a")
            $0.member("d", 0.5)
            $0.memberNull("z")
            $0.member("absent", ifPresent: nil as Int?)
            $0.member("present", ifPresent: 2)
            $0.memberObject("o") { _ in }
            $0.memberArray("a") { _ in }
            $0.member("raw", raw: Array("[1]".utf8))
        }
        #expect(text(bytes) == #"{"ok":true,"n":-1,"s":"a","d":0.5,"z":null,"present":2,"o":{},"a":[],"raw":[1]}"#)
    }

    @Test func elementsAreSeparatedByCommas() {
        let bytes = JSONWriter.array {
            $0.element(1)
            $0.null()
            $0.object { $0.member("a", 1) }
            $0.array {
                $0.array { _ in }
                $0.element("x")
            }
            $0.element(raw: "true".utf8)
        }
        #expect(text(bytes) == #"[1,null,{"a":1},[[],"x"],true]"#)
    }

    @Test(arguments: [
        ("", #""""#), ("a/b", #""a/b""#), ("\"\\", #""\"\\""#), ("\u{8}\u{9}\u{a}\u{c}\u{d}", #""\b\t\n\f\r""#),
        ("\u{0}\u{1f}\u{7f}", "\"\\u0000\\u001f\u{7f}\""), ("é漢😀\u{2028}\u{2029}", "\"é漢😀\u{2028}\u{2029}\""),
    ])
    func onlyRequiredCharactersAreEscaped(string: String, expected: String) {
        #expect(text(JSONWriter.scalar(string)) == expected)
        #expect(text(JSONWriter.object { $0.member(string, 1) }) == "{\(expected):1}")
    }

    @Test(
        arguments: [
            (0, "0.0"), (-0.0, "-0.0"), (1.5e300, "1.5e+300"), (.infinity, "null"), (-.infinity, "null"),
            (.nan, "null"),
        ] as [(Double, String)])
    func doublesAreWrittenAsJSON(number: Double, expected: String) {
        #expect(text(JSONWriter.scalar(number)) == expected)
    }

    @Test func integersRoundTrip() throws {
        for number in [Int64.min, -1, 0, 1, .max] {
            #expect(try JSONValue(validating: JSONWriter.scalar(number)).int64Value == number)
        }
        #expect(text(JSONWriter.scalar(UInt64.max)) == "18446744073709551615")
    }

    @Test func everyScalarRoundTrips() throws {
        let all = (0...0x10ffff as ClosedRange<UInt32>).lazy.filter { $0 < 0x3000 || $0 % 251 == 0 }
        var string = ""
        for scalar in all.compactMap(Unicode.Scalar.init) { string.unicodeScalars.append(scalar) }
        let value = try JSONValue(validating: JSONWriter.object { $0.member(string, string) })
        #expect(value.members.first.map { Array($0.name.utf8) } == Array(string.utf8))
        #expect(value[string]?.stringValue.map { Array($0.utf8) } == Array(string.utf8))
    }

    @Test func recordedValuesRoundTripByteForByte() throws {
        for line in try RecordedLines.load() {
            let value = try JSONValue(validating: line)
            let written = JSONWriter.array {
                for (name, member) in value.members { $0.object { $0.member(name, member) } }
            }
            let read = try JSONValue(validating: written).elements.flatMap(\.members)
            #expect(read.map(\.name) == value.members.map(\.name))
            #expect(read.map(\.value.rawString) == value.members.map(\.value.rawString))
        }
    }
}
