import Foundation
import JSONCoding
import JSONScan
import Testing

@Suite struct RawJSONTests {
    struct Envelope: Codable, Equatable {
        var before = 1
        var raw: RawJSON
        var maybe: RawJSON?
        var all: [RawJSON] = []
        var named: [String: RawJSON] = [:]
    }

    private static let spelt = #"{ "b" : 1.50e+1, "a":[ 123456789012345678901234567890,"\u0061\/" ] , "a":null}"#

    @Test func theTextKeepsItsSpelling() throws {
        let text = Array(
            #"{"before":1,"raw":\#(Self.spelt),"all":[1.0, {"x" :1}],"named":{"n":-0}}"#.utf8)
        let value = try JSONTextDecoder().decode(Envelope.self, from: text)
        #expect(value.raw.description == Self.spelt)
        #expect(value.all.map(\.description) == ["1.0", #"{"x" :1}"#])
        let written = String(decoding: try JSONTextEncoder().encode(value), as: UTF8.self)
        #expect(written == #"{"before":1,"raw":\#(Self.spelt),"all":[1.0,{"x" :1}],"named":{"n":-0}}"#)
    }

    @Test func surroundingWhitespaceIsRemoved() throws {
        let raw = try JSONTextDecoder().decode(RawJSON.self, from: Array(" [1] ".utf8))
        #expect(raw.description == "[1]")
        #expect(try JSONTextEncoder().encode(raw) == Array("[1]".utf8))
    }

    @Test func nullIsAValueUnlessOptional() throws {
        let value = try JSONTextDecoder().decode(
            Envelope.self,
            from: Array(
                #"{"before":1,"raw":null,"maybe":null,"all":[null],"named":{}}"#.utf8))
        #expect(value.raw == .null && value.maybe == nil && value.all == [.null])
    }

    @Test func valuesAreBuiltFromLiterals() {
        let raw: RawJSON = ["limit": 50, "tags": ["a/\"", .null], "on": true, "ratio": 0.5, "none": [:]]
        #expect(raw.description == #"{"limit":50,"tags":["a/\"",null],"on":true,"ratio":0.5,"none":{}}"#)
    }

    @Test func rawJSONCanBeDecodedLater() throws {
        let raw: RawJSON = ["a": [1, 2]]
        #expect(try raw.decode(as: [String: [Int]].self) == ["a": [1, 2]])
        #expect(throws: JSONCodingError.mismatch(expected: "array", found: "object", path: CodingPath())) {
            try raw.decode(as: [Int].self)
        }
        #expect(try RawJSON(encoding: ["a": [1, 2]]) == raw)
    }

    @Test func onlyValidJSONIsAccepted() {
        #expect(throws: JSONSyntaxError.self) { try RawJSON(validating: "{") }
    }

    @Test func anotherCoderPreservesTheValue() throws {
        let value = Envelope(
            raw: try RawJSON(validating: #"{"z":[true,null,1.5,"é/\n"],"a":{"i":-9223372036854775808}}"#),
            all: [18_446_744_073_709_551_615 as UInt64, 1].map { RawJSON($0) }, named: ["x": [[:], []]])
        let theirs = try JSONDecoder().decode(Envelope.self, from: JSONEncoder().encode(value))
        let canonical = { (value: Envelope) in
            canonicalText(of: try JSONValue(validating: JSONTextEncoder().encode(value)))
        }
        #expect(try canonical(theirs) == canonical(value))
        #expect(String(decoding: try canonical(value), as: UTF8.self).contains("18446744073709551615"))
    }
}
