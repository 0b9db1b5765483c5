import JSONCoding
import Testing

/// Error messages for texts that do not match a type.
@Suite struct CodingErrorTests {
    struct Page: Decodable {
        var data: [Item]
        var total: UInt8?
    }
    struct Item: Decodable {
        var name: String
        var color: Color?
        var port: Port?
        var tags: [String: [Int]]?
    }
    enum Color: String, Decodable { case red, green }
    struct Port: Decodable {
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if try container.decode(Int.self) > 65535 {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "a port is at most 65535")
            }
        }
    }

    @Test(
        arguments: [
            (#"{"data":[{"name":7}]}"#, "expected String at data[0].name, found number 7"),
            (#"{"data":[{"name":"a"},{}]}"#, "expected String at data[1].name, found nothing"),
            (#"{"data":[{"name":null}]}"#, "expected String at data[0].name, found null"),
            (#"{"data":{}}"#, "expected array at data, found object"),
            (#"{"data":[1]}"#, "expected object at data[0], found number 1"),
            (#"[]"#, "expected object, found array"),
            (#"{"data":[],"total":256}"#, "expected UInt8 at total, found number 256"),
            (#"{"data":[],"total":"yesterday"}"#, #"expected UInt8 at total, found string "yesterday""#),
            (#"{"data":[{"name":"a","color":"mauve"}]}"#, #"expected Color at data[0].color, found string "mauve""#),
            (
                #"{"data":[{"name":"a","port":65536}]}"#,
                "at data[0].port, found number 65536: a port is at most 65535"
            ),
            (#"{"data":[{"name":"a","port":true}]}"#, "expected Int at data[0].port, found true"),
            (
                #"{"data":[{"name":"a","tags":{"x.y":[1,"2"]}}]}"#,
                #"expected Int at data[0].tags["x.y"][1], found string "2""#
            ),
            (#"{"data":[}"#, "invalid JSON at byte 9: unexpected byte"),
        ])
    func errorsNameTheExpectedTypeThePathAndTheValueFound(text: String, message: String) {
        let error = #expect(throws: JSONCodingError.self) {
            try JSONTextDecoder().decode(Page.self, from: Array(text.utf8))
        }
        #expect(error?.description == message)
    }

    @Test func longStringsAreDescribedByTheirLengthOnly() {
        let secret = String(repeating: "s3cret ", count: 9)
        let error = #expect(throws: JSONCodingError.self) {
            try JSONTextDecoder().decode([Int].self, from: Array("[\"\(secret)\"]".utf8))
        }
        #expect(error?.description == "expected Int at [0], found string of 63 bytes")
        let name = #expect(throws: JSONCodingError.self) {
            try JSONTextDecoder().decode([String: Int].self, from: Array("{\"\(secret)\":null}".utf8))
        }
        #expect(name?.description == #"expected Int at ["\#(secret.prefix(40))…"], found null"#)
    }

    @Test func anErrorThrownByATypeIsReportedWithItsPath() {
        struct Refusal: Error, CustomStringConvertible { var description: String { "not today" } }
        struct Stubborn: Decodable { init(from decoder: any Decoder) throws { throw Refusal() } }
        let error = #expect(throws: JSONCodingError.self) {
            try JSONTextDecoder().decode([String: Stubborn].self, from: Array(#"{"a":true}"#.utf8))
        }
        #expect(error?.description == "at a, found true: not today")
    }

    @Test func aStandardErrorThrownByATypeIsConverted() {
        struct Picky: Decodable {
            init(from decoder: any Decoder) throws {
                let path = decoder.codingPath + [Key(stringValue: "deep")]
                throw DecodingError.valueNotFound(Int.self, .init(codingPath: path, debugDescription: ""))
            }
            struct Key: CodingKey {
                var stringValue: String
                var intValue: Int? { nil }
                init(stringValue: String) { self.stringValue = stringValue }
                init?(intValue: Int) { nil }
            }
        }
        let error = #expect(throws: JSONCodingError.self) {
            try JSONTextDecoder().decode([Picky].self, from: Array(#"[{"deep":[]}]"#.utf8))
        }
        #expect(error?.description == "expected Int at [0].deep, found array")
    }

    /// Types that try several alternatives catch `DecodingError`.
    @Test func typesSeeDecodingErrors() throws {
        struct Lenient: Decodable {
            var wasCaught = false
            init(from decoder: any Decoder) throws {
                do { _ = try decoder.singleValueContainer().decode(Int.self) } catch is DecodingError {
                    wasCaught = true
                }
            }
        }
        #expect(try JSONTextDecoder().decode(Lenient.self, from: Array("true".utf8)).wasCaught)
    }

    @Test func errorsInsideRawJSONContainTheWholePath() {
        struct Outer: Decodable {
            init(from decoder: any Decoder) throws {
                _ = try RawJSON(from: decoder).decode(as: [String: Int].self)
            }
        }
        let error = #expect(throws: JSONCodingError.self) {
            try JSONTextDecoder().decode([Outer].self, from: Array(#"[{"a":"b"}]"#.utf8))
        }
        #expect(error?.description == #"expected Int at [0].a, found string "b""#)
    }

    /// Constructing an error must not scan the text from its beginning.
    @Test(.timeLimit(.minutes(10))) func theCostOfAnErrorIsIndependentOfTheTextSize() throws {
        struct Lossy: Decodable {
            var failures = 0
            init(from decoder: any Decoder) throws {
                var array = try decoder.unkeyedContainer()
                while !array.isAtEnd {
                    do { _ = try array.decode(Color.self) } catch {
                        failures += 1
                        _ = try array.decode(RawJSON.self)
                    }
                }
            }
        }
        let text = "[" + Array(repeating: #""mauve""#, count: 100_000).joined(separator: ",") + "]"
        #expect(try JSONTextDecoder().decode(Lossy.self, from: Array(text.utf8)).failures == 100_000)
    }
}
