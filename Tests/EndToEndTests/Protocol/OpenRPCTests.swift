import JSONScan
import Testing
import Tinyvex

/// Checks that `Protocol/openrpc.json` agrees with the code and the schema.
@Suite(.blocking) struct OpenRPCTests {
    let document: JSONValue
    let schema: JSONValue

    init() throws {
        document = try JSONValue(validating: try #require(FileBytes.read(ProtocolFiles.openRPCPath)))
        schema = try ProtocolFiles.schema()
    }

    private var methods: [JSONValue] { document["methods"]?.elements ?? [] }

    @Test func theDocumentListsTheCodesMethodsInOrder() {
        #expect(methods.map { $0["name"]?.stringValue } == ClientRequest.Method.allCases.map(\.rawValue))
    }

    @Test func theDocumentListsTheCataloguesFunctions() {
        let listed = document["x-functions"]?.elements.map(Self.function) ?? []
        #expect(listed == Catalogue.functions)
    }

    private static func function(_ value: JSONValue) -> FunctionDescription? {
        guard let name = value["name"]?.stringValue,
            let kind = value["kind"]?.stringValue.flatMap(FunctionDescription.Kind.init),
            let role = value["role"]?.stringValue.flatMap(Role.init), let summary = value["summary"]?.stringValue,
            let isIdempotent = value["idempotent"]?.boolValue
        else { return nil }
        let parameters = value["params"]?.elements.map { parameter in
            FunctionDescription.Parameter(
                name: parameter["name"]?.stringValue ?? "", isRequired: parameter["required"]?.boolValue ?? false)
        }
        return FunctionDescription(
            name: name, kind: kind, summary: summary, parameters: parameters ?? [], role: role,
            isIdempotent: isIdempotent)
    }

    @Test func theParamsMatchTheSchema() throws {
        for method in methods {
            let name = try #require(method["name"]?.stringValue)
            let params = try #require(schema["$defs"]?["\(name).request"]?["properties"]?["params"])
            let listed = method["params"]?.elements ?? []
            #expect(
                Set(listed.compactMap { $0["name"]?.stringValue })
                    == Set(params["properties"]?.members.map(\.name) ?? []))
            let required = listed.filter { $0["required"]?.boolValue == true }.compactMap { $0["name"]?.stringValue }
            #expect(Set(required) == Set(params["required"]?.elements.compactMap(\.stringValue) ?? []), "\(name)")
        }
    }

    @Test func everyReferenceResolves() throws {
        let references = document.rawString.matches(of: /"\$ref": "schema\/tinyvex\.schema\.json#\/([^"]+)"/)
        #expect(references.count > 2 * methods.count)
        for reference in references {
            var place: JSONValue? = schema
            for step in reference.output.1.split(separator: "/") {
                place = place?[String(step).replacing("~1", with: "/").replacing("~0", with: "~")]
            }
            #expect(place != nil, "\(reference.output.1)")
        }
    }

    @Test func theExamplesMatchTheSchema() throws {
        var recording = MessageRecording()
        for method in methods {
            let name = try #require(method["name"]?.stringValue)
            let examples = method["examples"]?.elements ?? []
            #expect(!examples.isEmpty, "\(name) has no example")
            for example in examples {
                let request = JSONWriter.object { writer in
                    writer.member("jsonrpc", "2.0")
                    writer.member("id", 1)
                    writer.member("method", name)
                    writer.memberObject("params") { writer in
                        for param in example["params"]?.elements ?? [] {
                            writer.member(param["name"]?.stringValue ?? "", raw: param["value"]?.rawText ?? [])
                        }
                    }
                }
                let response = JSONWriter.object { writer in
                    writer.member("jsonrpc", "2.0")
                    writer.member("id", 1)
                    writer.member("result", raw: example["result"]?["value"]?.rawText ?? [])
                }
                recording.add("\(name).request", try JSONValue(validating: request))
                recording.add("\(name).response", try JSONValue(validating: response))
            }
        }
        try BridgeHome.with { home in
            let path = home.path + "/messages.ndjson"
            try recording.write(to: path)
            try ProtocolFiles.expectValid("messages", path, in: home)
        }
    }
}
