import Foundation
import JSONScan
import TinyvexClient
import TinyvexTransport

/// The files that a bridge stores for prompts. The requests are HTTP requests, because the bytes of a file do not fit
/// into a WebSocket message.
///
///     let id = try await client.files.upload(contentsOf: photo, contentType: "image/jpeg") { show($0.fraction) }
///     try await client.action("sessions:prompt", args: SessionPrompt("s1", [.text("What is this?"), .image(id)]))
public struct BridgeFiles: Sendable {
    let caller: HTTPCaller

    // MARK: Uploads

    /// Stores a file, and returns its `storageId`. The file is read while it is sent, so it need not fit into memory.
    ///
    /// A lost upload is not sent again: the bridge could then have the file twice.
    ///
    /// - Parameters:
    ///   - file: A file URL of a regular file. It must not change during the upload.
    ///   - contentType: The media type, such as `image/png`. Nil: the bridge stores `application/octet-stream`.
    ///   - progress: Called with the bytes sent so far, on any thread. If the bridge rejects the token, the upload
    ///     begins again with a new token, and so does the count.
    /// - Throws: `.encoding` if the file cannot be read; `.outcomeUnknown` if the answer was lost; `.server` if the file is too
    ///   large or the bridge has no room for it; `.unauthorized`; `.transport` if there is no connection; `.cancelled`.
    public nonisolated(nonsending) func upload(
        contentsOf file: URL, contentType: String? = nil,
        progress: @escaping @Sendable (UploadProgress) -> Void = { _ in }
    ) async throws(TinyvexError) -> String {
        try await upload(try Self.body(of: file), contentType, progress)
    }

    /// Stores bytes as a file, and returns its `storageId`. See ``upload(contentsOf:contentType:progress:)``.
    public nonisolated(nonsending) func upload(
        _ bytes: [UInt8], contentType: String? = nil,
        progress: @escaping @Sendable (UploadProgress) -> Void = { _ in }
    ) async throws(TinyvexError) -> String {
        try await upload(.bytes(bytes), contentType, progress)
    }

    private nonisolated(nonsending) func upload(
        _ body: UploadBody, _ contentType: String?, _ progress: @escaping @Sendable (UploadProgress) -> Void
    ) async throws(TinyvexError) -> String {
        let response = try await caller.upload(
            caller.request("POST", "/v1/files"), body, contentType: contentType, progress)
        guard let id = (try? JSONValue(validating: response.body))?["storageId"]?.stringValue else {
            throw .transport(.notWebSocket(reason: "the answer to an upload has no storageId"))
        }
        return id
    }

    /// Checks the file first, because URLSession's errors do not name it.
    private static func body(of file: URL) throws(TinyvexError) -> UploadBody {
        guard file.isFileURL else { throw unreadable(file, "it is not a file URL") }
        let path = file.path(percentEncoded: false)
        let attributes: [FileAttributeKey: Any]
        do {
            attributes = try FileManager.default.attributesOfItem(atPath: path)
        } catch {
            throw unreadable(file, error.localizedDescription)
        }
        guard attributes[.type] as? FileAttributeType == .typeRegular, let size = attributes[.size] as? NSNumber else {
            throw unreadable(file, "it is not a regular file")
        }
        guard FileManager.default.isReadableFile(atPath: path) else { throw unreadable(file, "permission denied") }
        return .file(file, byteCount: size.intValue)
    }

    private static func unreadable(_ file: URL, _ reason: String) -> TinyvexError {
        .encoding(DecodingFault(path: "", description: "the file \(file.absoluteString) cannot be read: \(reason)"))
    }

    // MARK: Stored files

    /// Returns one page of the stored files, the newest first.
    ///
    /// - Parameters:
    ///   - limit: 1 to 1,000; nil for 100.
    ///   - cursor: The `nextCursor` of the page before; nil for the first page.
    /// - Throws: As ``TinyvexHTTPClient/query(_:params:as:)``.
    public nonisolated(nonsending) func list(
        limit: Int? = nil, after cursor: String? = nil
    ) async throws(TinyvexError) -> StoredFilePage {
        try await caller.value(of: "files:list", params: ListParams(limit: limit, cursor: cursor))
    }

    /// Returns the facts of a stored file, or nil if there is no such file.
    ///
    /// - Throws: As ``TinyvexHTTPClient/query(_:params:as:)``.
    public nonisolated(nonsending) func facts(of storageId: String) async throws(TinyvexError) -> FileRow? {
        try await caller.value(of: "files:get", params: ["storageId": storageId])
    }

    /// Returns the bytes of a stored file.
    ///
    /// - Throws: `.tooLarge` if they exceed the configuration's `responseLimitBytes`; `.server` if there is no
    ///   such file; `.unauthorized`; `.transport` if there is no connection; `.cancelled`.
    public nonisolated(nonsending) func contents(of storageId: String) async throws(TinyvexError) -> [UInt8] {
        let target = "/v1/files/" + percentEncoded(Array(storageId.utf8))
        return try await caller.sendOnce(caller.request("GET", target)).body
    }

    /// Gives a stored file a name for people, and another media type.
    ///
    /// - Parameters:
    ///   - name: 1 to 255 bytes without control characters; nil removes the name.
    ///   - contentType: Nil keeps the type.
    /// - Throws: `.server` if there is no such file; otherwise as ``TinyvexHTTPClient/mutation(_:args:as:)``.
    public nonisolated(nonsending) func rename(
        _ storageId: String, to name: String?, contentType: String? = nil
    ) async throws(TinyvexError) {
        let label = Label(storageId: storageId, filename: name, mimeType: contentType)
        let _: String = try await caller.mutate("files:saveFile", args: label)
    }

    /// Deletes a stored file. Returns false if there is no such file.
    ///
    /// - Throws: As ``TinyvexHTTPClient/mutation(_:args:as:)``.
    @discardableResult public nonisolated(nonsending) func delete(
        _ storageId: String
    ) async throws(TinyvexError) -> Bool {
        let deletion: Deletion = try await caller.mutate("files:delete", args: ["storageId": storageId])
        return deletion.deleted
    }

    private struct Deletion: Decodable { let deleted: Bool }

    private struct Label: Encodable {
        let storageId: String
        let filename: String?
        let mimeType: String?
    }

    private struct ListParams: Encodable {
        let limit: Int?
        let cursor: String?
    }
}

extension TinyvexHTTPClient {
    /// The files that the bridge stores.
    public var files: BridgeFiles { BridgeFiles(caller: caller) }
}

extension BridgeClient {
    /// The files that the bridge stores. Their requests use the client's endpoint and its current token. If the bridge
    /// rejects the token, they fail with `.unauthorized`; the client's connection gets the new token.
    ///
    /// A `unix:` endpoint fails with `.transport(.invalidEndpoint)`, because URLSession has no Unix sockets.
    public var files: BridgeFiles { files(over: URLSessionHTTPTransport.shared) }

    /// - Parameter transport: In tests, ``InProcessHTTPTransport`` replaces the bridge.
    public func files(over transport: any HTTPTransport) -> BridgeFiles {
        let engine = engine
        let configuration = HTTPConfiguration(engine.endpoint)
        return BridgeFiles(caller: HTTPCaller(configuration, SharedToken { engine.token }, transport, HTTPTime()))
    }
}
