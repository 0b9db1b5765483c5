import ACP
import Foundation
import JSONScan
import Testing

#if TINYVEX_PORTABLE
    @testable import TinyvexClientPortable
#else
    @testable import TinyvexClient
#endif

/// The models of the bridge's own values against the protocol's schema.
@Suite struct ModelSchemaTests {
    /// Writes examples of a definition of the schema.
    private struct Examples {
        let definitions: JSONValue
        /// With optional members, too.
        let isComplete: Bool

        func example(_ schema: JSONValue?) -> String {
            guard let schema else { return #"{"any":[1]}"# }
            if let name = schema["$ref"]?.stringValue { return example(definitions[String(name.dropFirst(8))]) }
            if let constant = schema["const"] { return constant.rawString }
            if let first = schema["enum"]?.elements.first { return first.rawString }
            if let first = (schema["oneOf"] ?? schema["anyOf"] ?? schema["allOf"])?.elements.first {
                return example(first)
            }
            switch schema["type"]?.stringValue ?? schema["type"]?.elements.first?.stringValue {
            case "object": return object(schema)
            case "array": return "[\(example(schema["items"]))]"
            case "string": return #""text""#
            case "integer", "number": return "3"
            case "boolean": return "true"
            default: return #"{"any":[1]}"#
            }
        }

        private func object(_ schema: JSONValue) -> String {
            let required = Set(schema["required"]?.elements.compactMap(\.stringValue) ?? [])
            let members = (schema["properties"]?.members ?? []).filter {
                isComplete || required.contains($0.name)
            }
            let known = Set(members.map(\.name))
            // Required members of the agent have no schema here.
            let texts =
                members.map { #""\#($0.name)":\#(example($0.value))"# }
                + required.subtracting(known).sorted().map { #""\#($0)":1"# }
            return "{\(texts.joined(separator: ","))}"
        }
    }

    private static let schema = Result {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Protocol/schema/tinyvex.schema.json").standardized
        return try JSONValue(validating: Array(try Data(contentsOf: file)))
    }

    /// The paths of all members, such as `data[].end.reason`.
    private static func paths(_ value: JSONValue, _ path: String = "") -> Set<String> {
        switch value.kind {
        case .object:
            value.members.reduce(into: [path]) { $0.formUnion(paths($1.value, path + "." + $1.name)) }
        case .array: value.elements.reduce(into: [path]) { $0.formUnion(paths($1, path + "[]")) }
        default: [path]
        }
    }

    private static func check<Model: Codable>(_ name: String, _ type: Model.Type) throws {
        let definitions = try #require(try schema.get()["$defs"])
        let definition = try #require(definitions[name])
        for isComplete in [true, false] {
            let text = Array(Examples(definitions: definitions, isComplete: isComplete).example(definition).utf8)
            let model = try ModelCoding.value(type, from: text[...])
            let written = try JSONValue(validating: try ModelCoding.text(model))
            let (expected, found) = (paths(try JSONValue(validating: text)), paths(written))
            #expect(found == expected, "\(name): \(found.symmetricDifference(expected).sorted())")
        }
    }

    @Test func theModelsHaveTheMembersOfTheSchema() throws {
        try Self.check("sessions:list.value", SessionPage.self)
        try Self.check("sessionSummary", SessionRow.self)
        try Self.check("sessions:get.value", SessionDetails.self)
        try Self.check("sessions:search.value", SearchPage.self)
        try Self.check("usage:byDay.value", UsageByDay.self)
        try Self.check("agents:list.value", AgentList.self)
        try Self.check("permissions:pending.value", [PermissionRow].self)
        try Self.check("elicitations:pending.value", [ElicitationRow].self)
        try Self.check("bridge:status.value", BridgeState.self)
        try Self.check("files:list.value", StoredFilePage.self)
        try Self.check("storedFile", FileRow.self)
        try Self.check("push:list.value", PushRegistrationList.self)
        try Self.check("pushRegistration", PushRegistration.self)
    }

    @Test func everyEndingOfASessionIsRead() throws {
        let endings = try #require(try Self.schema.get()["$defs"]?["end"]?["oneOf"]).elements
        let reasons = endings.compactMap { $0["properties"]?["reason"]?["const"]?.stringValue }
        #expect(reasons == SessionEnding.Reason.allCases.map(\.rawValue))
        for ending in endings {
            let text = Examples(definitions: ending, isComplete: true).example(ending)
            let read = try ModelCoding.value(SessionEnding.self, from: Array(text.utf8)[...])
            #expect(read.reason.isKnown)
            #expect(
                (read.exitCode != nil) == (read.reason == .exited) && (read.signal != nil) == (read.reason == .signaled)
            )
        }
        let states = try Self.schema.get()["$defs"]?["sessionSummary"]?["properties"]?["state"]?["enum"]?.elements
        #expect(states?.compactMap(\.stringValue) == SessionActivity.allCases.map(\.rawValue))
    }

    @Test func everyKindOfAHitIsRead() throws {
        let page = try #require(try Self.schema.get()["$defs"]?["sessions:search.value"]?["properties"])
        let kinds = page["data"]?["items"]?["properties"]?["kind"]?["enum"]?.elements.compactMap(\.stringValue)
        #expect(kinds == SearchRow.Kind.allCases.map(\.rawValue))
    }

    @Test(arguments: [
        #"{"sessionId":"s","toolCall":{"toolCallId":"t","title":"Edit","kind":"edit"},"options":OPTIONS}"#,
        #"{"sessionId":"s","title":"Edit","subject":{"type":"tool_call","toolCall":{"toolCallId":"t","kind":"edit"}},"options":OPTIONS}"#,
    ])
    func aRequestOfEitherVersionHasATitleAndOptions(params: String) throws {
        let options = #"[{"optionId":"a","name":"Allow","kind":"allow_once"}]"#
        let row = try Self.permission(params.replacing("OPTIONS", with: options))
        #expect(row.title == "Edit" && row.toolKind == .edit)
        let option = try #require(row.options.first)
        #expect(option.kind == .allowOnce && row.options.map(\.id) == ["a"])
    }

    @Test func aShortenedRequestHasNoTitle() throws {
        let row = try Self.permission(
            #"{"sessionId":"s","toolCall":{"toolCallId":"t"},"options":[{"optionId":"a","name":"A","kind":"new"}],"omittedBytes":9}"#
        )
        #expect(row.title == nil && row.toolKind == nil && row.options.count == 1)
        #expect(try Self.permission(#"{"options":"none"}"#).options.isEmpty)
    }

    private static func permission(_ params: String) throws -> PermissionRow {
        let text = #"{"sessionId":"s","agent":"demo","journal":"j","requestId":7,"askedTs":1,"params":\#(params)}"#
        return try ModelCoding.value(PermissionRow.self, from: Array(text.utf8)[...])
    }

    @Test func aHitsExcerptMarksTheMatches() throws {
        let text = #"""
            {"sessionId":"s","agent":"a","journal":"j","kind":"prompt","seq":0,"timelineSeq":1,"ts":1000,
            "snippet":["","login"," page, ","test"]}
            """#
        let hit = try ModelCoding.value(SearchRow.self, from: Array(text.utf8)[...])
        #expect(hit.excerpt.map(\.text) == ["login", " page, ", "test"])
        #expect(hit.excerpt.map(\.isMatch) == [true, false, true])
    }

    @Test func theStopReasonOfTheLastTurnIsRead() throws {
        let row = #"""
            {"sessionId":"s","agent":"a","title":"t","tags":[],"archived":false,"createdTs":1,"lastTs":2,"updateCount":0,
            "live":true,"state":"idle","stopReason":"refusal","journal":"j"}
            """#
        #expect(try ModelCoding.value(SessionRow.self, from: Array(row.utf8)[...]).stopReason == "refusal")
        let other = row.replacing(#""stopReason":"refusal","#, with: "")
        #expect(try ModelCoding.value(SessionRow.self, from: Array(other.utf8)[...]).stopReason == nil)
    }

    @Test func aNullTitleAndAnUnknownStateAreRead() throws {
        let text = #"""
            [{"sessionId":"s","agent":"a","title":null,"tags":[],"archived":false,"createdTs":1000,"lastTs":2000,
            "updateCount":0,"live":true,"state":"sleeping","journal":"j","member of a later version":1}]
            """#
        let row = try #require(try ModelCoding.value([SessionRow].self, from: Array(text.utf8)[...]).first)
        #expect(row.title == nil && row.state.rawValue == "sleeping" && !row.state.isKnown)
        #expect(row.createdTs == Date(timeIntervalSince1970: 1) && row.id.sessionId == "s")
    }
}
