import JSONScan
import TinyvexClient
import TinyvexTransport

/// The facts of a stored file: the value of `files:get`.
public struct StoredFileFacts: Codable, Hashable, Sendable {
    public var storageId: String
    public var contentType: String
    /// Bytes.
    public var size: Int
    /// 64 hexadecimal digits.
    public var sha256: String
    /// Milliseconds since 1970.
    public var createdTs: Int64
}

extension TinyvexHTTPClient {
    /// Stores a file, and returns its `storageId`, which a content block of a prompt can name.
    ///
    /// A lost upload is not sent again: the bridge could then have the file twice.
    ///
    /// - Parameter contentType: The media type, such as `image/png`.
    /// - Throws: `.outcomeUnknown` if the answer was lost.
    public nonisolated(nonsending) func upload(
        _ bytes: [UInt8], contentType: String
    ) async throws(TinyvexError) -> String {
        let response = try await caller.sendOnce(
            caller.request("POST", "/v1/files", body: bytes), contentType: contentType)
        guard let id = (try? JSONValue(validating: response.body))?["storageId"]?.stringValue else {
            throw .transport(.notWebSocket(reason: "the answer to an upload has no storageId"))
        }
        return id
    }

    /// Returns the bytes of a stored file. They must fit in the configuration's `responseLimitBytes`.
    public nonisolated(nonsending) func file(_ storageId: String) async throws(TinyvexError) -> [UInt8] {
        try await caller.sendOnce(caller.request("GET", Self.target(storageId))).body
    }

    /// Returns the facts of a stored file, or nil if there is no such file.
    public nonisolated(nonsending) func fileFacts(
        _ storageId: String
    ) async throws(TinyvexError) -> StoredFileFacts? {
        try await query("files:get", params: ["storageId": storageId], as: StoredFileFacts?.self)
    }

    /// Deletes a stored file. Returns false if there is no such file.
    @discardableResult public nonisolated(nonsending) func deleteFile(
        _ storageId: String
    ) async throws(TinyvexError) -> Bool {
        try await mutation("files:delete", args: ["storageId": storageId], as: FileDeletion.self).deleted
    }

    private static func target(_ storageId: String) -> String {
        "/v1/files/" + percentEncoded(Array(storageId.utf8))
    }
}

private struct FileDeletion: Decodable { let deleted: Bool }
