import Foundation
import JSONCoding
import Testing

/// What ACP's schema of version 1 (1.21.0) says, stable and unstable, in short: each definition with its members,
/// values or kinds, and each method. `Fixtures/schema-digest.json` was made from the schema; no type of ours went into it.
struct SchemaDigest: Decodable {
    struct Definition: Decodable {
        enum Kind: String, Decodable {
            case object, `enum`, choice, string, uint16, any, envelope
        }

        /// The schema's name.
        let name: String
        let isUnstable: Bool?
        let kind: Kind
        let members: [String: Member]?
        let hasMeta: Bool?
        /// What an object is besides: one of these.
        let alternatives: [Alternative]?
        /// Of an enum.
        let values: [RawJSON]?
        /// Of a choice, and the params or results that an envelope carries.
        let types: [String]?
    }

    struct Member: Decodable {
        /// `string`, `uint32`, `any`, a definition's name, `[…]` for an array, `{…}` for an object of such values.
        let type: String
        let isRequired: Bool?
        /// A bad value counts as absent.
        let isLenient: Bool?
        /// Bad elements are left out.
        let skipsBadElements: Bool?
    }

    struct Alternative: Decodable {
        let tag: String?
        let value: String?
        /// A definition whose members stand beside the tag.
        let type: String?
        let members: [String: Member]?
    }

    struct Method: Decodable, CustomTestStringConvertible {
        enum Side: String, Decodable { case agent, client, both }
        enum Kind: String, Decodable { case request, notification }

        let name: String
        let side: Side
        let kind: Kind
        let params: String
        let result: String?
        let isUnstable: Bool?

        var testDescription: String { "\(kind) \(name)" }
    }

    let definitions: [Definition]
    let methods: [Method]

    static let shared: SchemaDigest = {
        do {
            let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
                path: "Fixtures/schema-digest.json")
            return try JSONTextDecoder().decode(SchemaDigest.self, from: Array(Data(contentsOf: file)))
        } catch {
            Issue.record(error)
            return SchemaDigest(definitions: [], methods: [])
        }
    }()

    func definition(_ name: String) -> Definition? { byName[name] }

    private var byName: [String: Definition] {
        Dictionary(definitions.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

extension SchemaDigest.Definition: CustomTestStringConvertible {
    var testDescription: String { name }
}
