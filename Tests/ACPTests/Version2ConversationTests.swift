import ACP
import Foundation
import JSONCoding
import JSONScan
import Testing

/// A conversation of version 2, and lines with the kinds that it lacks. Each line must have its type, and must lose
/// nothing.
@Suite struct Version2ConversationTests {
    struct Line: Decodable, CustomTestStringConvertible {
        let from: String
        /// The name of the Swift type of the params or the result; for an update, also the name of its case.
        let type: String
        let message: RawJSON

        var testDescription: String { "\(type) " + message.description.prefix(120) }
        var method: String? { message["method"]?.value.stringValue }
        /// The params or the result.
        var content: RawJSON { message["params"] ?? message["result"] ?? [:] }
    }

    static let lines: [Line] = {
        do {
            let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
            let file = try Data(contentsOf: folder.appending(path: "conversation-v2.ndjson"))
            return try file.split(separator: UInt8(ascii: "\n")).map {
                try JSONTextDecoder().decode(Line.self, from: Array($0))
            }
        } catch {
            Issue.record(error)
            return []
        }
    }()

    private typealias Coded = Codable & Hashable & Sendable

    /// Decodes the params or the result by the table of methods.
    private func decode(_ line: Line, content: RawJSON) throws -> any Coded {
        let call = try #require(line.method == nil ? request(of: line) : line)
        let name = try #require(call.method)
        let kind: ACP.Method.Kind = call.message["id"] == nil ? .notification : .request
        let side: ACP.Method.Side = call.from == "client" ? .agent : .client
        let method = try #require(ACP.Method.named(name, kind, handledBy: side, version: .v2))
        if line.method == nil { return try method.decodeResult(content) }
        return try method.decodeParams(content)
    }

    /// Finds the last request before the line that has the line's id and comes from the other side.
    private func request(of line: Line) -> Line? {
        let place = Self.lines.firstIndex { $0.message == line.message && $0.from == line.from && $0.type == line.type }
        return Self.lines[..<(place ?? 0)].last {
            $0.from != line.from && $0.method != nil && $0.message["id"] == line.message["id"]
        }
    }

    private func canonical(_ value: RawJSON) -> String {
        String(decoding: canonicalText(of: value.value), as: UTF8.self)
    }

    private func written(_ value: any Coded) throws -> RawJSON {
        try RawJSON(validating: JSONTextEncoder().encode(value))
    }

    @Test(arguments: lines)
    func linesAreDecodedAsTheirTypes(line: Line) throws {
        let value = try decode(line, content: line.content)
        var name = "\(type(of: value))"
        if let notification = value as? ACP.V2.Client.SessionNotification {
            name += " " + (Mirror(reflecting: notification.update).children.first?.label ?? "")
        }
        #expect(name == line.type)
    }

    @Test(arguments: lines)
    func decodedLinesAreEncodedUnchanged(line: Line) throws {
        let written = try written(decode(line, content: line.content))
        #expect(canonical(written) == canonical(line.content))
        func expectRoundTrip<Value: Codable & Hashable>(_ value: Value) throws {
            #expect(try written.decode(as: Value.self) == value)
        }
        try expectRoundTrip(decode(line, content: line.content))
    }

    @Test(arguments: lines)
    func unknownMembersAreKeptInEachObject(line: Line) throws {
        let extended = withUnknownMember(line.content)
        #expect(try canonical(written(decode(line, content: extended))) == canonical(extended))
    }

    /// Adds a member to each object. A map is left unchanged, because its members are values.
    private func withUnknownMember(_ value: RawJSON) -> RawJSON {
        switch value.value.kind {
        case .object:
            let members = value.value.members.map { member in
                let isMap = member.name == "properties" || member.name == "content" && value["action"] != nil
                let inner = RawJSON(member.value)
                return (name: member.name, value: isMap ? inner : withUnknownMember(inner))
            }
            return RawJSON(members + [(name: "x-new", value: ["any": 1.5])])
        case .array: return RawJSON(value.value.elements.map { withUnknownMember(RawJSON($0)) })
        default: return value
        }
    }

    @Test func theFixtureHasEachKindOfUpdateAndEachMethod() {
        let updates = Set(Self.lines.filter { $0.type.hasPrefix("SessionNotification ") }.map(\.type))
        #expect(updates.count == 24)
        let methods = Set(Self.lines.compactMap(\.method))
        #expect(methods == Set(ACP.Method.methods(of: .v2).map(\.name)))
    }
}
