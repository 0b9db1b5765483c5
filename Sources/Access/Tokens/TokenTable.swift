import Hashing
import Tinyvex

/// The tokens of one bridge. Pure: the caller passes in randomness and time.
///
/// The file has one record per line. Other lines, from a later version or an editing mistake, admit no client and are
/// kept unchanged.
package struct TokenTable: Sendable {
    package private(set) var records: [TokenRecord] = []
    /// Lines that are not records.
    private(set) var otherLines: [[UInt8]] = []

    /// Far more tokens than a person can keep track of. A program that makes tokens and forgets them reaches this
    /// limit.
    static let limit = 1000

    init() {}

    init(file bytes: [UInt8]) {
        for line in bytes.split(separator: 0x0a).map({ Array($0) }) {
            if let record = TokenRecord(storedJSON: line) { records.append(record) } else { otherLines.append(line) }
        }
    }

    func fileBytes() -> [UInt8] {
        Array((records.map { $0.storedJSON() } + otherLines).map { $0 + [0x0a] }.joined())
    }

    /// Returns the token with this text if there is one and it has not expired.
    func record(showing text: String, at now: Int64) -> TokenRecord? {
        guard let record = records.first(where: { text.hasPrefix($0.id + "_") }) else { return nil }
        let isSame = ConstantTime.areEqual(record.hash, SHA256.digest(of: text.utf8))
        return isSame && !record.hasExpired(at: now) ? record : nil
    }

    /// Makes a token from new random bytes. It also removes the expired tokens.
    ///
    /// - Parameter name: 4 random bytes, in hexadecimal.
    /// - Parameter secret: 32 random bytes, in hexadecimal.
    mutating func issue(
        _ order: TokenOrder, name: String, secret: String, at now: Int64
    ) throws(Rejection) -> IssuedToken {
        records.removeAll { $0.hasExpired(at: now) }
        guard records.count < Self.limit else {
            throw Rejection(.limitExceeded, "there are \(Self.limit) tokens, which is the limit; revoke some")
        }
        let id = "tk_" + name
        guard !records.contains(where: { $0.id == id }) else {
            throw Rejection(.mutationFailed, "no id was free; try again", rpcCode: .internalError)
        }
        let text = "\(id)_\(secret)"
        let record = TokenRecord(
            id: id, hash: SHA256.digest(of: text.utf8), role: order.role, name: order.name, createdTs: now,
            expiresTs: order.lifeSeconds.map { now + $0 * 1000 }, session: order.session, maker: order.maker)
        records.append(record)
        return IssuedToken(record: record, text: text)
    }

    /// The ids of the tokens that open only this incarnation of a session.
    ///
    /// - Parameter isSame: compares the session of a token with it.
    package func ids(whereSession isSame: (SharedSession) -> Bool) -> [String] {
        records.filter { $0.session.map(isSame) == true }.map(\.id)
    }

    /// Also revokes the links that were made with the token: a person who has lost a device cannot know of them.
    ///
    /// - Throws: `invalidParams` if no token has this id.
    package mutating func revoke(_ id: String) throws(Rejection) {
        guard records.contains(where: { $0.id == id }) else {
            throw .invalidParams("there is no token \(quoted(id)); `acpbridge token list` lists the tokens")
        }
        records.removeAll { $0.id == id || $0.maker == id }
    }
}
