import ACP
import ACPMethods
import Foundation
import JSONCoding
import Testing

/// Compares the table of methods with the methods of version 2.
@Suite struct Version2MethodTests {
    /// A method of schema 2.0.0-alpha.3, taken from its files `meta.json` and `meta.unstable.json`.
    struct SchemaMethod: Decodable, CustomTestStringConvertible {
        let name: String
        let side: String
        let kinds: [String]
        let isStable: Bool

        var testDescription: String { name }
    }

    /// Methods that alpha.3 has and later versions of the schema do not.
    private static let gone: Set = ["mcp/connect", "mcp/disconnect"]
    /// Methods that are newer than alpha.3.
    private static let added: Set = ["tool_call/cancel", "terminal/cancel"]

    static let schema: [SchemaMethod] = {
        do {
            let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
            let file = try Data(contentsOf: folder.appending(path: "methods-v2-alpha3.ndjson"))
            return try file.split(separator: UInt8(ascii: "\n")).map {
                try JSONTextDecoder().decode(SchemaMethod.self, from: Array($0))
            }
        } catch {
            Issue.record(error)
            return []
        }
    }()

    private static let version2 = ACPMethod.allCases.filter { $0.versions.contains(.v2) }

    @Test func theTableHasTheMethodsOfTheSchemaAndTheNewerOnes() {
        let expected = Set(Self.schema.map(\.name)).subtracting(Self.gone).union(Self.added)
        #expect(Set(Self.version2.map(\.name)) == expected)
        #expect(Self.version2.allSatisfy { $0.stability != .removed })
    }

    @Test(arguments: schema.filter { !gone.contains($0.name) })
    func sideKindAndStabilityMatchTheSchema(method: SchemaMethod) throws {
        let ours = try #require(ACPMethod(named: method.name))
        #expect("\(ours.side)" == method.side)
        #expect((ours.stability == .stable) == method.isStable)
        switch ours.kind {
        case .request: #expect(method.kinds == ["request"])
        case .notification: #expect(method.kinds == ["notification"])
        case .requestOrNotification: #expect(method.kinds == ["notification", "request"])
        }
    }

    @Test func theTypedTableHasTheStableMethods() {
        let expected = Set(Self.version2.filter { $0.stability == .stable }.map(\.name))
        let typed = ACP.Method.methods(of: .v2)
        #expect(Set(typed.map(\.name)) == expected && typed.count == expected.count)
        #expect(typed.allSatisfy { $0.stability == .stable })
    }

    @Test func theVersionDecidesTheTypes() {
        let old = ACP.Method.named("session/prompt", .request, handledBy: .agent)
        let new = ACP.Method.named("session/prompt", .request, handledBy: .agent, version: .v2)
        #expect(old?.params == ACP.Agent.SessionPromptRequest.self)
        #expect(new?.params == ACP.V2.Agent.SessionPromptRequest.self)
        #expect(ACP.Method.named("session/load", .request, handledBy: .agent, version: .v2) == nil)
        #expect(ACP.Method.methods(of: 3).isEmpty)
    }
}
