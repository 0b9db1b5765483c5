import ACP
import JSONCoding
import JSONScan
import Testing

/// Compares the module with the schema. A type, member, value, kind or method that is missing or wrong is a
/// failure.
@Suite struct SchemaTests {
    private static let digest = SchemaDigest.shared
    private static let samples = SchemaSamples(digest: digest)

    private static func definitions(_ kinds: SchemaDigest.Definition.Kind...) -> [SchemaDigest.Definition] {
        digest.definitions.filter { kinds.contains($0.kind) && SchemaTypes.flattened[$0.name] == nil }
    }

    private func type(of definition: SchemaDigest.Definition) throws -> any SchemaTypes.Coded.Type {
        try #require(SchemaTypes.byName[definition.name], "no type for \(definition.name)")
    }

    private func decode(_ value: RawJSON, as definition: SchemaDigest.Definition) throws -> any SchemaTypes.Coded {
        let type = try type(of: definition)
        return try value.decode(as: type)
    }

    @Test func theDigestIsComplete() {
        #expect(Self.digest.definitions.count == 267 && Self.digest.methods.count == 43)
        #expect(Self.digest.definitions.filter { $0.isUnstable == true }.count == 97)
    }

    @Test func allTypesAreInTheSchema() {
        let known = Set(Self.digest.definitions.map(\.name))
        #expect(Set(SchemaTypes.byName.keys).isSubset(of: known))
        #expect(Set(SchemaTypes.flattened.keys).isSubset(of: known))
        #expect(Set(SchemaTypes.flattened.keys).isDisjoint(with: SchemaTypes.byName.keys))
    }

    // MARK: Objects

    @Test(arguments: definitions(.object))
    func objectsHaveAllMembersOfTheSchema(definition: SchemaDigest.Definition) throws {
        for sample in Self.samples.objects(definition) {
            let value = try decode(sample.value, as: definition)
            #expect(try canonical(value) == canonical(sample.value), "lost by \(definition.name)\(sample.kind)")
            for name in unnamedMembers(of: value) {
                Issue.record("\(definition.name)\(sample.kind) does not name \(name)")
            }
            #expect(!isUnknown(value), "\(definition.name)\(sample.kind) is decoded as unknown")
            if definition.hasMeta == true, let object = value as? any ACP.Object {
                #expect(object.meta == ["traceparent": "00-1"])
            }
        }
    }

    @Test(arguments: definitions(.object))
    func onlyRequiredMembersAreRequired(definition: SchemaDigest.Definition) throws {
        for sample in Self.samples.objects(definition) {
            for (name, member) in sample.members {
                for absence in [nil, RawJSON.null] {
                    let decides = decidesKind(name, definition)
                    var partial = sample
                    partial.object[name] = absence
                    let value = try? decode(partial.value, as: definition)
                    // An absent required member is an error. So is null, unless the schema tolerates any bad value.
                    let isNeeded = member.isRequired == true && (absence == nil || member.isLenient != true)
                    let message: Comment =
                        "\(definition.name)\(sample.kind) with \(name) \(absence?.description ?? "absent")"
                    if isNeeded {
                        #expect(value == nil || decides || isAny(member), message)
                    } else {
                        #expect(value != nil, message)
                    }
                }
            }
        }
    }

    @Test(arguments: definitions(.object))
    func invalidMembersAreToleratedIfTheSchemaAllowsIt(definition: SchemaDigest.Definition) throws {
        for sample in Self.samples.objects(definition) {
            for (name, member) in sample.members where !decidesKind(name, definition) {
                guard let bad = Self.samples.badValue(of: member.type) else { continue }
                var invalid = sample
                invalid.object[name] = bad
                let value = try? decode(invalid.value, as: definition)
                #expect(
                    (value != nil) == (member.isLenient == true),
                    "\(definition.name)\(sample.kind) with \(name): \(bad)")
            }
        }
    }

    @Test(arguments: definitions(.object))
    func invalidElementsAreDroppedIfTheSchemaAllowsIt(definition: SchemaDigest.Definition) throws {
        for sample in Self.samples.objects(definition) {
            for (name, member) in sample.members where member.type.hasPrefix("[") && !decidesKind(name, definition) {
                let element = String(member.type.dropFirst().dropLast())
                guard let bad = Self.samples.badValue(of: element) else { continue }
                var invalid = sample
                invalid.object[name] = [bad, Self.samples.value(of: element), bad]
                let value = try? decode(invalid.value, as: definition)
                let message: Comment = "\(definition.name)\(sample.kind) with \(name)"
                if member.skipsBadElements == true {
                    #expect(try value.map(canonical) == canonical(sample.value), message)
                } else {
                    #expect(value == nil, message)
                }
            }
        }
    }

    @Test(arguments: definitions(.object))
    func unknownMembersAreKept(definition: SchemaDigest.Definition) throws {
        let type = try type(of: definition)
        // The kinds of a union are tested under their own names. Two objects are parts of other objects.
        guard type is any ACP.Object.Type else { return }
        for var sample in Self.samples.objects(definition) {
            sample.object["x-new"] = try RawJSON(validating: #"{ "a" : 1.0 }"#)
            let value = try sample.value.decode(as: type)
            #expect((value as? any ACP.Object)?.otherMembers["x-new"]?.description == #"{ "a" : 1.0 }"#)
            #expect(try canonical(value) == canonical(sample.value), "\(definition.name)\(sample.kind)")
        }
    }

    /// True if the member decides the kind of a union without a tag.
    private func decidesKind(_ name: String, _ definition: SchemaDigest.Definition) -> Bool {
        SchemaTypes.decidingMembers[definition.name]?.contains(name) == true
    }

    private func isAny(_ member: SchemaDigest.Member) -> Bool { Self.samples.badValue(of: member.type) == nil }

    // MARK: Unions

    @Test(arguments: definitions(.object).filter { $0.alternatives?.contains { $0.tag != nil } == true })
    func unknownKindsAreKept(definition: SchemaDigest.Definition) throws {
        let tag = try #require(definition.alternatives?.compactMap(\.tag).first)
        var sample = try #require(Self.samples.objects(definition).first)
        sample.object[tag] = "_example.com/new"
        sample.object["x-new"] = try RawJSON(validating: #"[ 1.0, "\u00e9" ]"#)
        // The members of the known kinds have no meaning in an unknown kind.
        for name in Self.ownMembers(of: definition) { sample.object[name] = ["another": "shape"] }
        let value = try decode(sample.value, as: definition)
        #expect(try canonical(value) == canonical(sample.value))
        #expect(String(decoding: try JSONTextEncoder().encode(value), as: UTF8.self).contains(#"[ 1.0, "\u00e9" ]"#))
    }

    private static func ownMembers(of definition: SchemaDigest.Definition) -> [String] {
        let types = (definition.alternatives ?? []).compactMap { $0.type.flatMap(digest.definition) }
        return types.flatMap { ($0.members ?? [:]).keys }
    }

    // MARK: Values

    @Test(arguments: definitions(.enum))
    func enumsHaveTheirValuesAndKeepUnknownOnes(definition: SchemaDigest.Definition) throws {
        let values = try #require(definition.values)
        for value in values {
            let decoded = try decode(value, as: definition)
            #expect(try canonical(decoded) == canonical(value))
            if let known = decoded as? any OpenEnum {
                #expect(known.isKnown, "\(definition.name) does not know \(value)")
            }
        }
        let unknown: RawJSON = values.first?.value.kind == .number ? -31999 : "_example.com/new"
        let decoded = try decode(unknown, as: definition)
        #expect(try canonical(decoded) == canonical(unknown))
        if let open = decoded as? any OpenEnum {
            #expect(!open.isKnown)
            #expect(caseCount(open) == values.count)
        }
    }

    private func caseCount<Value: OpenEnum>(_ value: Value) -> Int { Value.allCases.count }

    @Test(arguments: definitions(.string, .uint16, .any))
    func scalarsAreKept(definition: SchemaDigest.Definition) throws {
        let sample = Self.samples.value(of: definition.name)
        #expect(try canonical(decode(sample, as: definition)) == canonical(sample))
    }

    @Test(arguments: definitions(.choice))
    func choicesAcceptEachOfTheirTypes(definition: SchemaDigest.Definition) throws {
        for type in try #require(definition.types) {
            let sample = Self.samples.value(of: type)
            let value = try decode(sample, as: definition)
            #expect(try canonical(value) == canonical(sample))
            #expect(!isUnknown(value), "\(definition.name) does not know \(type)")
        }
    }

    // MARK: Methods

    @Test func theMethodTableHasEachMethodOnce() {
        let ours = ACP.Method.all.map { "\($0.kind) \($0.name)" }
        #expect(ours.sorted() == Self.digest.methods.map { "\($0.kind) \($0.name)" }.sorted())
    }

    @Test(arguments: digest.methods)
    func methodsMatchTheSchema(method: SchemaDigest.Method) throws {
        let ours = try #require(ACP.Method.all.first { $0.name == method.name && "\($0.kind)" == "\(method.kind)" })
        #expect("\(ours.side)" == "\(method.side)")
        #expect((ours.stability == .unstable) == (method.isUnstable == true))
        #expect(SchemaTypes.byName[method.params].map { ObjectIdentifier($0) } == ObjectIdentifier(ours.params))
        let result = method.result.flatMap { SchemaTypes.byName[$0] }
        #expect(result.map { ObjectIdentifier($0) } == ours.result.map { ObjectIdentifier($0) })
        let side: ACP.Method.Side = method.side == .client ? .client : .agent
        #expect(ACP.Method.named(method.name, ours.kind, handledBy: side)?.name == method.name)
    }

    /// The params and results in each side's envelopes are in the method table, or belong to an extension.
    @Test(arguments: digest.definitions.filter { $0.kind == .envelope })
    func messagesCarryOnlyTypesOfTheMethodTable(definition: SchemaDigest.Definition) throws {
        let carried = ACP.Method.all.flatMap {
            [ObjectIdentifier($0.params)] + ($0.result.map { [ObjectIdentifier($0)] } ?? [])
        }
        for name in try #require(definition.types) where !name.hasPrefix("Ext") {
            let type = try #require(SchemaTypes.byName[name], "no type for \(name)")
            #expect(carried.contains(ObjectIdentifier(type)), "no method carries \(name)")
        }
    }

    // MARK: -

    private func canonical(_ value: RawJSON) -> String {
        String(decoding: canonicalText(of: value.value), as: UTF8.self)
    }

    private func canonical(_ value: any SchemaTypes.Coded) throws -> String {
        canonical(try RawJSON(validating: JSONTextEncoder().encode(value)))
    }

    private func unnamedMembers(of value: Any) -> [String] {
        (value as? any ACP.Object)?.otherMembers.names.filter { $0 != "_meta" } ?? []
    }

    /// True for a union's case that holds an unknown value.
    private func isUnknown(_ value: Any) -> Bool {
        Mirror(reflecting: value).children.contains { child in
            child.label == "unknown" || ["kind", "mode", "value"].contains(child.label) && isUnknown(child.value)
        }
    }
}
