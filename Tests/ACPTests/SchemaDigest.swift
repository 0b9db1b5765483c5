import Foundation
import JSONCoding
import Testing

/// A short form of ACP's schema of version 1 (1.21.0), stable and unstable: each definition with its members,
/// values or kinds, and each method. `Fixtures/schema-digest.json` was generated from the schema only, not from
/// this module's types.
struct SchemaDigest: Decodable {
    struct Definition: Decodable {
        enum Kind: String, Decodable {
            case object, `enum`, choice, string, uint16, any, envelope
        }

        /// The name in the schema.
        let name: String
        let isUnstable: Bool?
        let kind: Kind
        let members: [String: Member]?
        let hasMeta: Bool?
        /// The alternatives of an object that is a union; each value has exactly one of them.
        let alternatives: [Alternative]?
        /// The values of an enum.
        let values: [RawJSON]?
        /// The types of a choice, or the params and results that an envelope can carry.
        let types: [String]?
    }

    struct Member: Decodable {
        /// `string`, `uint32`, `any`, a definition's name, `[…]` for an array, `{…}` for an object of such values.
        let type: String
        let isRequired: Bool?
        /// A bad value is read as absent.
        let isLenient: Bool?
        /// Bad elements are dropped.
        let skipsBadElements: Bool?
    }

    struct Alternative: Decodable {
        let tag: String?
        let value: String?
        /// A definition with members in the same object as the tag.
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
