import JSONScan
import Testing

@Suite struct MemberSearchTests {
    private func find(_ name: StaticString, in text: String) -> (place: MemberPlace, text: String?) {
        let bytes = Array(text.utf8)
        let start = bytes.firstIndex { $0 != UInt8(ascii: " ") } ?? 0
        let place = memberPlace(name, ofObjectAt: start..<bytes.count, in: bytes.span)
        return (place, place.range.map { String(decoding: bytes[$0], as: UTF8.self) })
    }

    @Test(arguments: [
        (#"{"text":"a"}"#, #""a""#), (#"  { "x" : {"text":1} , "text" : [ 2 ] }"#, "[ 2 ]"),
        (#"{"\u0074ext":null}"#, "null"), (#"{"texts":1,"text":{}}"#, "{}"), (#"{"y":"text","text":-1.5e3}"#, "-1.5e3"),
    ])
    func theRangeCoversTheValueAsWritten(object: String, value: String) {
        #expect(find("text", in: object).text == value)
    }

    @Test(arguments: ["{}", "{ }", #"{"Text":1}"#, #"{"a":{"text":1}}"#, #"["text"]"#, #""text""#, "null"])
    func aMissingMemberIsAbsent(text: String) {
        #expect(find("text", in: text).place == .absent)
    }

    @Test(arguments: [#"{"text":1,"text":1}"#, #"{"text":1,"b":2,"te\u0078t":3,"text":4}"#])
    func aRepeatedNameIsReportedAsRepeated(text: String) {
        #expect(find("text", in: text).place == .repeated)
    }

    /// The search is meant for valid text only, but invalid text must not make it crash.
    @Test func aTruncatedTextEndsTheSearch() {
        let whole = Array(#"{"a":[1,{"b":"\u0041"}],"text":"x"}"#.utf8)
        for end in whole.indices {
            let cut = Array(whole[..<end])
            _ = memberPlace("text", ofObjectAt: 0..<cut.count, in: cut.span)
        }
    }
}
