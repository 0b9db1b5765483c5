import JSONScan
import Testing

@Suite struct CanonicalTextTests {
    private func canonical(_ text: String) throws -> String {
        String(decoding: canonicalText(of: try JSONValue(validating: Array(text.utf8))), as: UTF8.self)
    }

    @Test(arguments: [
        (" { } ", "{}"), ("[ ]", "[]"), (" 1.0 ", "1.0"), ("-0", "-0"), ("1E+2", "1E+2"), ("null", "null"),
        (#"{ "b" : 1 , "a" : [ true , { "d" : 1 , "c" : 2 } ] }"#, #"{"a":[true,{"c":2,"d":1}],"b":1}"#),
        (#"{"b":1,"\u0061":2,"":3}"#, #"{"":3,"a":2,"b":1}"#), (#"{"a":1,"b":2,"a":3}"#, #"{"a":3,"b":2}"#),
        (#"{"a":{"x":1},"\u0061":{"y":[]}}"#, #"{"a":{"y":[]}}"#), (#"[3,1,2,[],{},"z"]"#, #"[3,1,2,[],{},"z"]"#),
        (#""\u0061\/\u00e9\u001F\n\"\\\u007f""#, "\"a/é\\u001f\\n\\\"\\\\\u{7f}\""),
        (#"{"\ud800":"\uDFFF","\ud83d\ude00":"\ud83d\ud83d\ude00"}"#, #"{"\ud800":"\udfff","😀":"\ud83d😀"}"#),
        ("{\"\u{ffff}\":1,\"😀\":2,\"z\":3,\"Z\":4}", "{\"Z\":4,\"z\":3,\"\u{ffff}\":1,\"😀\":2}"),
        (#"[[[1],[2]],[]]"#, #"[[[1],[2]],[]]"#), (#"["{","[",1]"#, #"["{","[",1]"#),
    ])
    func everySpellingHasTheSameCanonicalText(text: String, expected: String) throws {
        #expect(try canonical(text) == expected)
    }

    @Test func canonicalTextOfCanonicalTextIsUnchanged() throws {
        for line in try RecordedLines.load() {
            let once = try canonical(String(decoding: line, as: UTF8.self))
            #expect(try canonical(once) == once)
            #expect(once.utf8.count <= line.count)
        }
    }

    @Test func aPartOfALargerValueCanBeWritten() throws {
        let value = try JSONValue(validating: Array(#"{"params": {"b": 1, "a": 2}, "x": 1}"#.utf8))
        let params = try #require(value["params"])
        #expect(String(decoding: canonicalText(of: params), as: UTF8.self) == #"{"a":2,"b":1}"#)
    }

    @Test func aValueAtTheDepthLimitCanBeWritten() throws {
        let nested = String(repeating: #"{"a":"#, count: 511) + "[]" + String(repeating: "}", count: 511)
        #expect(try canonical(nested) == nested)
    }
}
