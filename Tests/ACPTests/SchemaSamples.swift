import JSONCoding

/// Sample values that are generated only from the digest, with all members that the schema defines.
struct SchemaSamples {
    /// An object, with the description of each of its members.
    struct Sample {
        var object: Members<RawJSON> = [:]
        var members: [String: SchemaDigest.Member] = [:]
        /// The name of the alternative.
        var kind = ""

        var value: RawJSON { RawJSON(object.map { (name: $0.name, value: $0.value) }) }
    }

    let digest: SchemaDigest

    /// One sample for each combination of the definition's alternatives.
    func objects(_ definition: SchemaDigest.Definition) -> [Sample] {
        var base = Sample()
        fill(&base, definition.members)
        if definition.hasMeta == true { base.object["_meta"] = ["traceparent": "00-1"] }
        guard let alternatives = definition.alternatives else { return [base] }
        return alternatives.flatMap { alternative in
            var sample = base
            if let tag = alternative.tag, let value = alternative.value {
                sample.object[tag] = RawJSON(value)
                sample.kind += " \(tag)=\(value)"
            }
            fill(&sample, alternative.members)
            guard let type = alternative.type.flatMap(digest.definition) else { return [sample] }
            return objects(type).map { merged(sample, $0, type.name) }
        }
    }

    private func merged(_ sample: Sample, _ inner: Sample, _ name: String) -> Sample {
        var sample = sample
        for member in inner.object { sample.object[member.name] = member.value }
        sample.members.merge(inner.members) { $1 }
        sample.kind += " \(name)\(inner.kind)"
        return sample
    }

    private func fill(_ sample: inout Sample, _ members: [String: SchemaDigest.Member]?) {
        for (name, member) in members ?? [:] {
            sample.object[name] = value(of: member.type)
            sample.members[name] = member
        }
    }

    /// Generates a value of a type in the digest's notation. Numbers are the largest that must fit.
    func value(of type: String) -> RawJSON {
        if type.hasPrefix("[") { return [value(of: String(type.dropFirst().dropLast()))] }
        if type.hasPrefix("{") { return ["some": value(of: String(type.dropFirst().dropLast()))] }
        return switch type {
        case "string": "text"
        case "bool": true
        case "number": 0.1
        case "uint16": RawJSON(UInt16.max)
        case "uint32": RawJSON(UInt32.max)
        case "uint64": RawJSON(UInt64.max)
        case "int64": RawJSON(Int64.min)
        case "null": .null
        case "object", "any": ["any": [1.5, .null]]
        default: value(of: digest.definition(type), type)
        }
    }

    private func value(of definition: SchemaDigest.Definition?, _ name: String) -> RawJSON {
        switch definition?.kind {
        case .object?: definition.flatMap { objects($0).first?.value } ?? .null
        case .enum?: definition?.values?.first ?? .null
        case .choice?: value(of: definition?.types?.last ?? "null")
        case .string?: "text"
        case .uint16?: value(of: "uint16")
        case .any?, .envelope?: value(of: "any")
        case nil: RawJSON("no definition \(name)")
        }
    }

    /// Generates a value that is not valid for `type`; nil if any value is valid. An object without known members
    /// is not valid.
    func badValue(of type: String) -> RawJSON? {
        if ["any", "object"].contains(type) { return nil }
        if type == "string" { return 7 }
        let definition = digest.definition(type)
        switch definition?.kind {
        case .any?, .choice?: return nil
        case .string?: return 7
        case .enum?: return definition?.values?.first?.value.kind == .string ? 7 : "bad"
        default: return "bad"
        }
    }
}
