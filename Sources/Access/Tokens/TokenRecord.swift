import Hashing
import JSONScan
import Posix
import Tinyvex

/// The stored form of a token: the hash of its text, never the text itself.
///
/// `{"id":"tk_3f9a01c2","hash":"9f86…","role":"observe","name":"phone","createdTs":1763697600123,"expiresTs":…}`
package struct TokenRecord: Sendable, Equatable {
    /// Identifies the token to people and in the audit log. It is not secret.
    package let id: String
    /// SHA-256 of the whole text. The text has 256 random bits, so a salt or a slow hash would add nothing.
    let hash: [UInt8]
    /// The only session that the token opens; nil for all sessions.
    package let session: SharedSession?
    package let role: Role
    package let name: String?
    /// Milliseconds since 1970.
    package let createdTs: Int64
    /// The token is invalid from this time on; nil if it never expires. Milliseconds since 1970.
    package let expiresTs: Int64?
    /// See ``TokenOrder/maker``.
    let maker: String?

    package func hasExpired(at now: Int64) -> Bool { expiresTs.map { $0 <= now } ?? false }

    /// The record as one line of the token file.
    func storedJSON() -> [UInt8] {
        JSONWriter.object { writer in
            writeFacts(to: &writer, rolePrefix: session == nil ? "" : Self.sharedPrefix)
            writer.member("hash", Hexadecimal.text(of: hash))
            writer.member("maker", ifPresent: maker)
        }
    }

    /// In the file, the role of a token for one session has this prefix. A bridge that does not know such tokens then
    /// ignores the line, instead of admitting the token to all sessions.
    private static let sharedPrefix = "session-"

    /// Writes the members that are not secret.
    package func writeFacts(to writer: inout JSONWriter) { writeFacts(to: &writer, rolePrefix: "") }

    private func writeFacts(to writer: inout JSONWriter, rolePrefix: String) {
        writer.member("id", id)
        writer.member("role", rolePrefix + role.rawValue)
        if let session { writer.memberObject("session") { session.write(to: &$0) } }
        writer.member("name", ifPresent: name)
        writer.member("createdTs", createdTs)
        writer.member("expiresTs", ifPresent: expiresTs)
    }

    init?(storedJSON line: [UInt8]) {
        guard let value = try? JSONValue(validating: line), let id = value["id"]?.stringValue,
            let hash = value["hash"]?.stringValue.flatMap(Hexadecimal.bytes), hash.count == SHA256.digestBytes,
            let roleText = value["role"]?.stringValue, let createdTs = value["createdTs"]?.int64Value
        else { return nil }
        // A token for one session must never turn into one for all sessions.
        let session = value["session"].flatMap(SharedSession.init)
        let isShared = roleText.hasPrefix(Self.sharedPrefix)
        guard isShared == (session != nil), isShared == (value["session"] != nil),
            let role = Role(rawValue: isShared ? String(roleText.dropFirst(Self.sharedPrefix.count)) : roleText),
            !isShared || role < .admin
        else { return nil }
        // An unreadable expiry must not turn into no expiry.
        let expiry = value["expiresTs"]
        guard expiry == nil || expiry?.int64Value != nil else { return nil }
        self.init(
            id: id, hash: hash, role: role, name: value["name"]?.stringValue, createdTs: createdTs,
            expiresTs: expiry?.int64Value, session: session, maker: value["maker"]?.stringValue)
    }

    init(
        id: String, hash: [UInt8], role: Role, name: String?, createdTs: Int64, expiresTs: Int64?,
        session: SharedSession? = nil, maker: String? = nil
    ) {
        self.session = session
        self.maker = maker
        self.id = id
        self.hash = hash
        self.role = role
        self.name = name
        self.createdTs = createdTs
        self.expiresTs = expiresTs
    }
}

extension Identity {
    static func token(_ record: TokenRecord) -> Identity {
        Identity(
            who: "token \(record.id)", role: record.role, tokenId: record.id, expiresTs: record.expiresTs,
            session: record.session)
    }
}
