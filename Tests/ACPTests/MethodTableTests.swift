import ACP
import ACPMethods
import Testing

/// Compares the table of method names with the schema.
@Suite struct MethodTableTests {
    private static let digest = SchemaDigest.shared

    private static let version1 = ACPMethod.allCases.filter { $0.versions.contains(.v1) && $0.stability != .removed }

    @Test func theTableHasTheMethodsOfTheSchemaAndNoOthers() {
        let ours = Self.version1.map(\.name)
        #expect(Set(ours) == Set(Self.digest.methods.map(\.name)))
    }

    @Test func theTypedTableHasTheSameMethods() {
        let ours = Self.version1.map(\.name)
        #expect(Set(ours) == Set(ACP.Method.all.map(\.name)))
    }

    @Test(arguments: digest.methods)
    func sideAndStabilityMatchTheSchema(method: SchemaDigest.Method) throws {
        let ours = try #require(ACPMethod(named: method.name))
        #expect("\(ours.side)" == "\(method.side)")
        #expect((ours.stability == .unstable) == (method.isUnstable == true))
    }

    @Test(arguments: version1)
    func kindsMatchTheSchema(method: ACPMethod) {
        let kinds = Set(Self.digest.methods.filter { $0.name == method.name }.map(\.kind))
        switch method.kind {
        case .request: #expect(kinds == [.request])
        case .notification: #expect(kinds == [.notification])
        case .requestOrNotification: #expect(kinds == [.request, .notification])
        }
    }

    /// A method names a session if the schema's params or result have the member `sessionId`.
    @Test(arguments: digest.methods)
    func methodsNameSessionsAsInTheSchema(method: SchemaDigest.Method) throws {
        let params = sessionIsRequired(in: method.params)
        let result = method.result.flatMap(sessionIsRequired)
        switch try #require(ACPMethod(named: method.name)).session {
        case .absent: #expect(params == nil && result == nil)
        case .named: #expect(params == true && result == nil)
        case .namedOrRequest: #expect(params == false && result == nil)
        case .opened: #expect(params == nil && result == true)
        case .copied: #expect(params == true && result == true)
        }
    }

    @Test(arguments: ["", "session", "session/New", "_example.com/new", "tinyvex/data"])
    func otherNamesAreNotMethods(name: String) {
        #expect(ACPMethod(named: name) == nil)
    }

    /// Returns true if each value of a definition has the member `sessionId`, false if some do, and nil if none does.
    private func sessionIsRequired(in definition: String) -> Bool? {
        let definition = Self.digest.definition(definition)
        if let member = definition?.members?["sessionId"] { return member.isRequired == true }
        let alternatives = (definition?.alternatives ?? []).map { alternative in
            alternative.members?["sessionId"]?.isRequired ?? alternative.type.flatMap(sessionIsRequired)
        }
        guard alternatives.contains(where: { $0 != nil }) else { return nil }
        return alternatives.allSatisfy { $0 == true }
    }
}
