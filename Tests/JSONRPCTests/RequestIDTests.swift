import JSONRPC
import JSONScan
import Testing

@Suite struct RequestIDTests {
    private func id(_ text: String) throws -> RequestID? {
        RequestID(try JSONValue(validating: Array(text.utf8)))
    }

    @Test(arguments: ["1", "-1", "1.0", "1e0", "0.5", "null", #""1""#, #""""#, #""\u0031""#, #""a\/b""#, #""\ud800""#])
    func idsKeepTheirSpelling(text: String) throws {
        let id = try #require(try id(text))
        #expect(String(decoding: id.rawText, as: UTF8.self) == text)
        #expect(String(decoding: JSONWriter.scalar(id), as: UTF8.self) == text)
    }

    @Test(arguments: ["true", "false", "{}", "[]", "[1]"])
    func otherTypesAreRefused(text: String) throws {
        #expect(try id(text) == nil)
    }

    @Test(arguments: [
        ("1", #""1""#), ("1", "1.0"), ("1", "1e0"), ("null", #""null""#), (#""a""#, #""A""#), ("0", "-0"),
        (#""\ud800""#, #""\ud801""#), (#""\ud800""#, "\"\u{fffd}\""), ("\"\u{e9}\"", "\"e\u{301}\""),
    ])
    func idsOfDifferentTypeOrSpellingDiffer(left: String, right: String) throws {
        #expect(try id(left) != id(right))
    }

    @Test(arguments: [(#""1""#, #""\u0031""#), (#""a/b""#, #""a\/b""#), (#""😀""#, #""\ud83d\ude00""#), ("1", "1")])
    func everySpellingOfAStringIsEqual(left: String, right: String) throws {
        let (left, right) = (try #require(try id(left)), try #require(try id(right)))
        #expect(left == right)
        #expect(Set([left, right]).count == 1)
    }

    @Test func idsCanBeCreatedFromSwiftValues() throws {
        #expect(RequestID(7) == (try id("7")))
        #expect(RequestID("a\"b") == (try id(#""a\"b""#)))
        #expect(RequestID("a\"b").rawText == Array(#""a\"b""#.utf8))
    }

    @Test func theIdOfAnEnvelopeIsRead() throws {
        let line = Array(#"{"id" : "x\u0031" ,"method":"m"}"#.utf8)
        let envelope = try scanEnvelope(line.span)
        let id = RequestID(in: line.span, at: try #require(envelope.id))
        #expect(id == RequestID("x1"))
        #expect(id?.rawText == Array(#""x\u0031""#.utf8))
    }
}
