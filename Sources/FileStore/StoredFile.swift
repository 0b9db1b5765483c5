import JSONScan
import Posix

/// The record of one stored file. The bytes are in a file of their own.
///
/// `{"storageId":"5f…","contentType":"image/png","size":1234,"sha256":"9f86…","createdTs":1763697600123}`, `name` if it
/// has one, and `tenant` on disk.
package struct StoredFile: Sendable, Equatable {
    /// 32 hexadecimal digits from 16 random bytes: see ``newId()``.
    package let id: String
    package var contentType: ContentType
    /// The name for people, as a client gave it; nil for none. It names no file on disk.
    package var name: String?
    package let byteCount: Int
    /// SHA-256 of the bytes, as 64 hexadecimal digits.
    package let sha256: String
    /// Milliseconds since 1970.
    package let createdTs: Int64
    /// The tenant that the file belongs to; nil for the bridge's own users.
    package let tenant: String?

    package init(
        id: String, contentType: ContentType, byteCount: Int, sha256: String, createdTs: Int64, tenant: String?
    ) {
        self.id = id
        self.contentType = contentType
        self.byteCount = byteCount
        self.sha256 = sha256
        self.createdTs = createdTs
        self.tenant = tenant
    }

    /// Returns an id that cannot be guessed, or nil if the system cannot supply random bytes.
    package static func newId() -> String? { RandomText.hexadecimal(byteCount: 16) }

    /// The strong entity tag of the bytes, with its quotation marks.
    package var entityTag: String { "\"\(sha256)\"" }

    /// The value of `files:get`.
    package var json: [UInt8] { JSONWriter.object { write(to: &$0) } }

    private func write(to writer: inout JSONWriter) {
        writer.member("storageId", id)
        writer.member("contentType", contentType.text)
        writer.member("size", byteCount)
        writer.member("sha256", sha256)
        writer.member("createdTs", createdTs)
        writer.member("name", ifPresent: name)
    }

    /// The record on disk.
    var record: [UInt8] {
        JSONWriter.object { writer in
            write(to: &writer)
            writer.member("tenant", ifPresent: tenant)
        }
    }

    /// Reads a record from disk. Returns nil if a member is missing or wrong.
    init?(record: [UInt8]) {
        guard let value = try? JSONValue(validating: record), let id = value["storageId"]?.stringValue,
            let type = value["contentType"]?.stringValue.flatMap(ContentType.init),
            let size = value["size"]?.int64Value, size >= 0, let sha256 = value["sha256"]?.stringValue,
            let createdTs = value["createdTs"]?.int64Value
        else { return nil }
        self.init(
            id: id, contentType: type, byteCount: Int(size), sha256: sha256, createdTs: createdTs,
            tenant: value["tenant"]?.stringValue)
        name = value["name"]?.stringValue
    }
}
