import JSONScan
import Tinyvex

/// What the bridge keeps of a token: what its text hashes to, never the text.
///
/// `{"id":"tk_3f9a01c2","hash":"9f86…","role":"observe","name":"phone","createdTs":1763697600123,"expiresTs":…}`
public struct TokenRecord: Sendable, Equatable {
    /// Says which token is meant, to people and in the audit log. No secret.
    public let id: String
    /// SHA-256 of the whole text. The text has 256 random bits, so neither salt nor slowness would add to it.
    let hash: [UInt8]
    public let role: Role
    public let name: String?
    /// Milliseconds since 1970.
    public let createdTs: Int64
    /// From then on it is worth nothing; nil for never. Milliseconds since 1970.
    public let expiresTs: Int64?

    public func hasExpired(at now: Int64) -> Bool { expiresTs.map { $0 <= now } ?? false }

    /// As the file keeps it, on one line.
    func storedJSON() -> [UInt8] {
        JSONWriter.object { writer in
            writeFacts(to: &writer)
            writer.member("hash", Hexadecimal.text(of: hash))
        }
    }

    /// What anyone may know of it.
    public func writeFacts(to writer: inout JSONWriter) {
        writer.member("id", id)
        writer.member("role", role.rawValue)
        writer.member("name", ifPresent: name)
        writer.member("createdTs", createdTs)
        writer.member("expiresTs", ifPresent: expiresTs)
    }

    init?(storedJSON line: [UInt8]) {
        guard let value = try? JSONValue(validating: line), let id = value["id"]?.stringValue,
            let hash = value["hash"]?.stringValue.flatMap(Hexadecimal.bytes), hash.count == SHA256.digestBytes,
            let role = value["role"]?.stringValue.flatMap(Role.init), let createdTs = value["createdTs"]?.int64Value
        else { return nil }
        // An end that cannot be read must not become no end.
        let expiry = value["expiresTs"]
        guard expiry == nil || expiry?.int64Value != nil else { return nil }
        self.init(
            id: id, hash: hash, role: role, name: value["name"]?.stringValue, createdTs: createdTs,
            expiresTs: expiry?.int64Value)
    }

    init(id: String, hash: [UInt8], role: Role, name: String?, createdTs: Int64, expiresTs: Int64?) {
        self.id = id
        self.hash = hash
        self.role = role
        self.name = name
        self.createdTs = createdTs
        self.expiresTs = expiresTs
    }
}
