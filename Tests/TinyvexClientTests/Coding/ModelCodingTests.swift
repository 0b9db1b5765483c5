import Foundation
import JSONScan
import Testing

#if TINYVEX_PORTABLE
    @testable import TinyvexClientPortable
#else
    @testable import TinyvexClient
#endif

@Suite struct ModelCodingTests {
    private struct Row: Codable, Equatable {
        var id: String
        var createdAt: Date?
        var link: URL?
        var price: Decimal?
    }

    private func read<Value: Decodable>(_ type: Value.Type, _ text: String) throws(TinyvexError) -> Value {
        try ModelCoding.value(type, from: Array(text.utf8)[...])
    }

    private func fault(_ body: () throws(TinyvexError) -> some Any) -> DecodingFault? {
        do throws(TinyvexError) {
            _ = try body()
            return nil
        } catch {
            switch error {
            case .decoding(let fault), .encoding(let fault): return fault
            default: return nil
            }
        }
    }

    // MARK: Reading

    @Test(arguments: [#"[{"id":"a"}]"#, #"{"data":[{"id":"a"}],"total":1,"page":1,"limit":50}"#])
    func aListIsReadFromAnArrayAndFromAPage(text: String) throws {
        #expect(try read([Row].self, text) == [Row(id: "a")])
    }

    @Test func aPageIsAlsoReadAsAnObject() throws {
        struct Page: Decodable { var data: [Row], total: Int }
        #expect(try read(Page.self, #"{"data":[{"id":"a"}],"total":7}"#).total == 7)
        #expect(try read([String: Int].self, #"{"data":1}"#) == ["data": 1])
    }

    @Test func nullIsReadAsNil() throws {
        #expect(try read(Row.self, #"{"id":"a","createdAt":null,"link":null}"#) == Row(id: "a"))
        #expect(try read(Row?.self, "null") == nil)
    }

    @Test func foundationsTypesAreRead() throws {
        let row = try read(
            Row.self, #"{"id":"a","createdAt":"2024-01-15","link":"https://a.example/b","price":12.10}"#)
        #expect(row.link?.host == "a.example" && row.price == Decimal(string: "12.1"))
    }

    @Test(arguments: [
        (#"{"data":[{"id":"a","createdAt":"soon"}]}"#, "data[0].createdAt", "Date"),
        (#"[{"id":"a"},{"id":7}]"#, "[1].id", "string"),
        (#"[{"createdAt":null}]"#, "[0].id", "string"),
        (#"[{"id":"a","link":5}]"#, "[0].link", "URL"),
        ("7", "", "array"),
    ])
    func anErrorNamesThePathAndTheExpectedType(text: String, path: String, expected: String) throws {
        let fault = try #require(fault { () throws(TinyvexError) in try read([Row].self, text) })
        #expect(fault.path == path)
        #expect(
            fault.description.lowercased().contains(expected.lowercased())
                && (path.isEmpty || fault.description.contains(path)))
    }

    @Test(arguments: ["", "{", "[1,]", "nul", "\u{0}", #"{"a":"\#u{1}"}"#])
    func invalidJSONIsAnError(text: String) {
        #expect(fault { () throws(TinyvexError) in try read([Int].self, text) } != nil)
    }

    @Test func anUnknownCaseIsKept() throws {
        let kind = try read(ACP.ToolKind.self, #""teleport""#)
        #expect(kind.rawValue == "teleport")
        #expect(try ModelCoding.text(kind) == Array(#""teleport""#.utf8))
    }

    @Test func numbersOutOfRangeAreErrors() {
        #expect(fault { () throws(TinyvexError) in try read([Int8].self, "[128]") }?.path == "[0]")
        #expect(fault { () throws(TinyvexError) in try read([Int].self, "[1e400]") }?.path == "[0]")
    }

    // MARK: Writing

    /// The text that Foundation's `JSONEncoder` generates.
    private func foundation(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test func paramsAreWrittenLikeJSONEncoderWithSortedKeysAndUnescapedSlashes() throws {
        struct Params: Encodable {
            var path = "/a/b"
            var agent: String? = "x"
            var none: String?
            var live = true
            var when = Date(timeIntervalSince1970: 1_705_314_600)
            var nested = ["b": [1, 2], "a": [], "B": [3]]
            var text = "\"\\\u{8}\n\u{1f}é😀\u{2028}"
            var number = 1.5
            var large = Int64.max
            var link = URL(string: "https://a.example/b?c=d")
        }
        let text = String(decoding: try ModelCoding.object(Params()), as: UTF8.self)
        #expect(text == (try foundation(Params())))
    }

    @Test func equalParamsHaveEqualTextsInAnyOrder() throws {
        struct Forward: Encodable { var a = 1, b = "x" }
        struct Backward: Encodable { var b = "x", a = 1 }
        let texts = [
            try ModelCoding.object(Forward()), try ModelCoding.object(Backward()),
            try ModelCoding.object(NamedArguments(["b": "x", "a": 1])),
        ]
        #expect(Set(texts).count == 1)
    }

    @Test func namesAreEscapedAndNilIsWrittenAsNull() throws {
        let text = try ModelCoding.object(NamedArguments([#"a"b"#: nil, "c": [1]]))
        #expect(String(decoding: text, as: UTF8.self) == #"{"a\"b":null,"c":[1]}"#)
    }

    @Test func absentParamsAreAnEmptyObject() throws {
        #expect(try ModelCoding.object(nil) == Array("{}".utf8))
        #expect(try ModelCoding.object(EmptyObject()) == Array("{}".utf8))
        #expect(try ModelCoding.object(String?.none) == Array("{}".utf8))
    }

    @Test func paramsThatAreNotAnObjectAreAnError() throws {
        let fault = try #require(fault { () throws(TinyvexError) in try ModelCoding.object([1]) })
        #expect(fault.description.contains("object"))
        #expect(self.fault { () throws(TinyvexError) in try ModelCoding.object(["a": Double.nan]) }?.path == "a")
    }
}
