import Foundation
import Testing

#if TINYVEX_PORTABLE
    @testable import TinyvexClientPortable
#else
    @testable import TinyvexClient
#endif

@Suite struct ConvexNumberTests {
    private struct Row: Codable, Equatable {
        @ConvexInt var count: Int32
        @OptionalConvexInt var limit: Int64?
        @ConvexFloat var share: Double
        @OptionalConvexFloat var rest: Float?
    }

    private func read<Value: Decodable>(_ type: Value.Type = Row.self, _ text: String) throws -> Value {
        try ModelCoding.value(type, from: Array(text.utf8)[...])
    }

    @Test func numbersAreReadInConvexsEncoding() throws {
        let row = try read(
            Row.self,
            #"{"count":{"$integer":"//////////8="},"limit":{"$integer":"AQAAAAAAAAA="},"share":{"$float":"AAAAAAAA8H8="},"rest":null}"#
        )
        #expect(row == Row(count: -1, limit: 1, share: .infinity, rest: nil))
        let share = try read(Row.self, #"{"count":0,"share":{"$float":"AAAAAAAA+H8="}}"#).share
        #expect(share.isNaN)
    }

    @Test func numbersAreReadAndWrittenAsPlainNumbers() throws {
        let row = try read(Row.self, #"{"count":7,"limit":9007199254740993,"share":1.5,"rest":2}"#)
        #expect(row == Row(count: 7, limit: 9_007_199_254_740_993, share: 1.5, rest: 2))
        let text = String(decoding: try ModelCoding.text(row), as: UTF8.self)
        #expect(text == #"{"count":7,"limit":9007199254740993,"rest":2,"share":1.5}"#)
    }

    @Test func numbersThatJSONCannotExpressRoundTripInConvexsEncoding() throws {
        let row = Row(count: 0, limit: nil, share: -.infinity, rest: nil)
        #expect(try read(Row.self, String(decoding: try ModelCoding.text(row), as: UTF8.self)) == row)
    }

    @Test func missingNumbersAreNil() throws {
        let row = try read(Row.self, #"{"count":0,"share":0}"#)
        #expect(row.limit == nil && row.rest == nil)
    }

    @Test(arguments: [
        #"{"count":2147483648,"share":0}"#,
        #"{"count":{"$integer":"AAAAgAAAAAA="},"share":0}"#,
        #"{"count":{"$integer":"not base64"},"share":0}"#,
        #"{"count":{"$integer":"AAAA"},"share":0}"#,
        #"{"count":{"$integer":7},"share":0}"#,
        #"{"count":{},"share":0}"#,
        #"{"count":1.5,"share":0}"#,
        #"{"count":"1","share":0}"#,
        #"{"count":null,"share":0}"#,
    ])
    func numbersThatDoNotFitAreErrorsWithTheirPath(text: String) throws {
        do {
            _ = try read(Row.self, text)
            Issue.record("the value was decoded")
        } catch TinyvexError.decoding(let fault) {
            #expect(fault.path.hasPrefix("count"), "\(fault)")
        }
    }

    @Test func anErrorInANestedValueHasTheWholePath() throws {
        do {
            _ = try read([Row].self, #"{"data":[{"count":{"$integer":"AAAA"},"share":0}]}"#)
            Issue.record("the value was decoded")
        } catch TinyvexError.decoding(let fault) {
            #expect(fault.path == "data[0].count.$integer")
        }
    }
}
