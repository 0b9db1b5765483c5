import Foundation
import JSONCoding
import Testing

@Suite struct ConversionTests {
    struct Event: Codable, Equatable {
        var at: Date
        var ends: Date?
        var more: [Date] = []
        var byName: [String: Date] = [:]
        var link: URL?
    }

    private var decoder: JSONTextDecoder {
        var decoder = JSONTextDecoder()
        decoder.conversions.add(Date.self) { value in
            value.stringValue.flatMap { try? Date($0, strategy: .iso8601) }
        }
        decoder.conversions.add(URL.self) { $0.stringValue.flatMap { URL(string: $0) } }
        return decoder
    }

    private var encoder: JSONTextEncoder {
        var encoder = JSONTextEncoder()
        encoder.conversions.add(Date.self) { date in
            date < .distantFuture ? RawJSON(date.formatted(.iso8601)) : nil
        }
        encoder.conversions.add(URL.self) { RawJSON($0.absoluteString) }
        return encoder
    }

    private static let text =
        #"{"at":"2024-01-15T10:30:00Z","more":["2024-01-16T10:30:00Z"],"#
        + #""byName":{"x":"2024-01-17T10:30:00Z"},"link":"https://example.com/a"}"#

    @Test func conversionsApplyWhereverTheTypeOccurs() throws {
        let event = try decoder.decode(Event.self, from: Array(Self.text.utf8))
        #expect(event.at == Date(timeIntervalSince1970: 1_705_314_600))
        #expect(event.more.count == 1 && event.byName["x"] != nil && event.ends == nil)
        #expect(String(decoding: try encoder.encode(event), as: UTF8.self) == Self.text)
        #expect(try decoder.decode(Date.self, from: Array(#""2024-01-15T10:30:00Z""#.utf8)) == event.at)
    }

    @Test(
        arguments: [
            (#"{"at":"yesterday"}"#, #"expected Date at at, found string "yesterday""#),
            (#"{"at":5}"#, "expected Date at at, found number 5"),
            (#"{"more":[]}"#, "expected Date at at, found nothing"),
            (#"{"at":"2024-01-15T10:30:00Z","more":[null]}"#, "expected Date at more[0], found null"),
        ])
    func aFailedConversionNamesTypePathAndValue(text: String, message: String) {
        let error = #expect(throws: JSONCodingError.self) { try decoder.decode(Event.self, from: Array(text.utf8)) }
        #expect(error?.description == message)
    }

    @Test func aValueThatCannotBeEncodedIsAnError() {
        let error = #expect(throws: JSONCodingError.self) {
            try encoder.encode(Event(at: .distantPast, more: [.distantFuture]))
        }
        #expect(error?.description == "cannot encode at more[0]: Date cannot encode this value")
    }

    @Test func userInfoIsPassedToTypes() throws {
        let key = try #require(CodingUserInfoKey(rawValue: "unit"))
        struct Measured: Codable {
            var unit: String?
            init(unit: String?) { self.unit = unit }
            init(from decoder: any Decoder) throws {
                unit = CodingUserInfoKey(rawValue: "unit").flatMap { decoder.userInfo[$0] as? String }
            }
        }
        var decoder = JSONTextDecoder()
        decoder.userInfo[key] = "bytes"
        #expect(try decoder.decode([Measured].self, from: Array("[{}]".utf8)).first?.unit == "bytes")
    }
}
