import JSONScan
import Testing

@Suite struct JSONValueTests {
    private func value(_ text: String) throws -> JSONValue {
        try JSONValue(validating: Array(text.utf8))
    }

    @Test(
        arguments: [
            ("{}", .object), (" [] ", .array), (#""a""#, .string), ("-1", .number), ("0", .number), ("true", .boolean),
            ("false", .boolean), ("null", .null),
        ] as [(String, JSONValue.Kind)])
    func theKindIsRecognized(text: String, kind: JSONValue.Kind) throws {
        #expect(try value(text).kind == kind)
        #expect(try value(text).isNull == (kind == .null))
    }

    @Test func membersAreFoundByTheirDecodedName() throws {
        let object = try value(#"{ "a" : 1 , "\u0062" : [ 2 ] , "c" : { "d" : "e" } , "" : 3 }"#)
        #expect(object["a"]?.int64Value == 1)
        #expect(object["b"]?.rawString == "[ 2 ]")
        #expect(object["c"]?["d"]?.stringValue == "e")
        #expect(object[""]?.int64Value == 3)
        #expect(object["\\u0062"] == nil)
        #expect(object["x"] == nil)
        #expect(object["a"]?["a"] == nil)
        #expect(object.members.map(\.name) == ["a", "b", "c", ""])
    }

    @Test func theLastOfRepeatedMembersIsUsed() throws {
        let object = try value(#"{"a":1,"b":2,"\u0061":3}"#)
        #expect(object["a"]?.int64Value == 3)
        #expect(object.members.count == 3)
    }

    /// Swift's `String` treats the two spellings of é as equal, but they are different JSON names.
    @Test func namesAreComparedByTheirBytes() throws {
        let object = try value("{\"\u{e9}\":1,\"e\u{301}\":2}")
        #expect(object["\u{e9}"]?.int64Value == 1)
        #expect(object["e\u{301}"]?.int64Value == 2)
    }

    @Test func elementsKeepTheirOrder() throws {
        #expect(
            try value(#"[ 1 , "a" , [ ] , {"b":[1,2]} ]"#).elements.map(\.rawString) == [
                "1", #""a""#, "[ ]", #"{"b":[1,2]}"#,
            ])
        #expect(try value("[]").elements.isEmpty)
        #expect(try value("{}").elements.isEmpty)
        #expect(try value("[1]").members.isEmpty)
    }

    @Test func partsShareTheBytesOfTheWhole() throws {
        let object = try value(#"  {"a":[10,20]}"#)
        #expect(object.rawText.startIndex == 2)
        #expect(object["a"]?.elements[1].rawText.startIndex == 11)
    }

    @Test(arguments: [
        (#""""#, ""), (#""a\"\\\/\b\f\n\r\t""#, "a\"\\/\u{8}\u{c}\n\r\t"), (#""\u00e9\u6F22""#, "é漢"),
        (#""\ud83d\ude00""#, "😀"), (#""\ud800""#, "\u{fffd}"), (#""\ud83dx\ude00""#, "\u{fffd}x\u{fffd}"),
        (#""\ud83d\ud83d\ude00\ude00""#, "\u{fffd}😀\u{fffd}"), (#""\ud83d\n""#, "\u{fffd}\n"),
        (#""\u0000\u007f\u0080\u07ff\u0800\uffff""#, "\u{0}\u{7f}\u{80}\u{7ff}\u{800}\u{ffff}"), (#""é漢😀""#, "é漢😀"),
    ])
    func stringsAreDecoded(text: String, expected: String) throws {
        #expect(try value(text).stringValue.map { Array($0.unicodeScalars) } == Array(expected.unicodeScalars))
    }

    @Test func aStringWithALoneSurrogateHasNoExactValue() throws {
        #expect(try value(#""\ud83d\ude00\u00e9""#).exactStringValue == "😀é")
        #expect(try value(#""\ufffd""#).exactStringValue == "\u{fffd}")
        for text in [#""\ud800""#, #""a\udc00b""#, "1"] { #expect(try value(text).exactStringValue == nil) }
    }

    @Test func differentLoneSurrogatesHaveDifferentBytes() throws {
        #expect(try value(#""\ud800""#).stringBytes == [0xed, 0xa0, 0x80])
        #expect(try value(#""\ud801""#).stringBytes == [0xed, 0xa0, 0x81])
        #expect(try value(#""\ud83d\ude00""#).stringBytes == Array("😀".utf8))
        #expect(try value("1").stringBytes == nil)
    }

    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("-7", -7), ("9223372036854775807", .max), ("-9223372036854775808", .min),
            ("9223372036854775808", nil), ("1.0", nil), ("1e2", nil), ("1E0", nil), (#""1""#, nil), ("true", nil),
            ("[1]", nil),
        ] as [(String, Int64?)])
    func onlyExactIntegersAreReturned(text: String, expected: Int64?) throws {
        #expect(try value(text).int64Value == expected)
    }

    @Test(
        arguments: [
            ("1", 1), ("-2.5e-3", -0.0025), ("1E2", 100), ("1e999", nil), ("-1e999", nil), ("1e-999", 0),
            (#""1""#, nil),
        ] as [(String, Double?)])
    func doublesAreReturnedWithinTheirRange(text: String, expected: Double?) throws {
        #expect(try value(text).doubleValue == expected)
    }

    @Test func booleansAreReturned() throws {
        #expect(try value("true").boolValue == true)
        #expect(try value("false").boolValue == false)
        #expect(try value("null").boolValue == nil)
        #expect(try value("1").boolValue == nil)
    }

    @Test func theDeepestAllowedValueCanBeWalked() throws {
        var value = try value(String(repeating: "[", count: 512) + String(repeating: "]", count: 512))
        var depth = 1
        while let inner = value.elements.first {
            value = inner
            depth += 1
        }
        #expect(depth == 512)
    }
}
