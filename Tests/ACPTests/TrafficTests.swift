import ACP
import Foundation
import JSONCoding
import JSONScan
import Testing

/// Messages as current, old and unusual agents and clients send them. Each must be of a known type and must lose
/// nothing.
@Suite struct TrafficTests {
    struct Line: Decodable, CustomTestStringConvertible {
        let from: String
        let message: RawJSON

        var testDescription: String { message.description.prefix(90) + "" }
        var method: String? { message["method"]?.value.stringValue }
    }

    static let lines: [Line] = {
        do {
            let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/traffic.ndjson")
            return try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).map {
                try JSONTextDecoder().decode(Line.self, from: Array($0))
            }
        } catch {
            Issue.record(error)
            return []
        }
    }()

    /// A text that is equal for values with the same meaning: `null` means absence, and `null` means an empty
    /// result.
    private func meaning(_ value: RawJSON) -> String {
        String(decoding: canonicalText(of: withoutNulls(value).value), as: UTF8.self)
    }

    private func withoutNulls(_ value: RawJSON) -> RawJSON {
        switch value.value.kind {
        case .object:
            RawJSON(
                value.value.members.filter { !$0.value.isNull }.map {
                    (name: $0.name, value: withoutNulls(RawJSON($0.value)))
                })
        case .array: RawJSON(value.value.elements.map { withoutNulls(RawJSON($0)) })
        default: value
        }
    }

    private func expect(_ value: any Codable & Hashable & Sendable, toMean raw: RawJSON) throws {
        let written = try RawJSON(validating: JSONTextEncoder().encode(value))
        #expect(meaning(written) == meaning(raw))
        // The written text must decode to the same value.
        func expectRoundTrip<Value: Codable & Hashable>(_ value: Value) throws {
            #expect(try written.decode(as: Value.self) == value)
        }
        try expectRoundTrip(value)
    }

    @Test(arguments: lines.filter { $0.method?.hasPrefix("_") == false })
    func paramsRoundTrip(line: Line) throws {
        let name = try #require(line.method)
        let kind: ACP.Method.Kind = line.message["id"] == nil ? .notification : .request
        let method = try #require(ACP.Method.named(name, kind, handledBy: line.from == "client" ? .agent : .client))
        try expect(method.decodeParams(line.message["params"]), toMean: line.message["params"] ?? [:])
    }

    @Test(arguments: lines.filter { $0.message["result"] != nil })
    func resultsRoundTrip(line: Line) throws {
        let request = try #require(
            Self.lines.first { $0.from != line.from && $0.method != nil && $0.message["id"] == line.message["id"] })
        let name = try #require(request.method)
        let method = try #require(ACP.Method.named(name, .request, handledBy: line.from == "client" ? .client : .agent))
        let result = try #require(line.message["result"])
        try expect(method.decodeResult(result), toMean: result == .null ? [:] : result)
    }

    @Test(arguments: lines.filter { $0.message["error"] != nil })
    func errorsRoundTrip(line: Line) throws {
        let error = try #require(line.message["error"])
        try expect(error.decode(as: ACP.ErrorObject.self), toMean: error)
    }

    @Test func theFixtureHasEachKindOfMessage() {
        #expect(Self.lines.count > 45)
        #expect(Set(Self.lines.compactMap(\.method)).count > 15)
    }
}
