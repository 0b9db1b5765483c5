import ACP

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The facts of a file that the bridge stores: the value of `files:get`, and an element of `files:list`.
public struct FileRow: Codable, Hashable, Sendable, Identifiable {
    public var storageId: String
    /// The media type as the sender named it.
    public var contentType: String
    /// Bytes.
    public var size: Int
    /// SHA-256 of the bytes, as 64 hexadecimal digits.
    public var sha256: String
    public var createdTs: Date
    /// The name for people, as a client gave it; nil for none.
    public var name: String?

    public var id: String { storageId }
}

/// The value of `files:list`: one page of the stored files, the newest first.
public struct StoredFilePage: Codable, Hashable, Sendable {
    public var data: [FileRow]
    /// The `cursor` of the next page; nil on the last one.
    public var nextCursor: String?
}

/// A block of a prompt for `sessions:prompt`.
///
///     try await client.action("sessions:prompt", args: SessionPrompt("s1", [.text("What is this?"), .image(id)]))
public enum PromptBlock: Encodable, Hashable, Sendable {
    case text(String)
    /// A stored image, by its `storageId`.
    case image(String)
    /// A stored recording.
    case audio(String)
    /// A stored file of any type. A nil `uri` makes the bridge choose one.
    case resource(String, uri: String? = nil)

    private enum CodingKeys: CodingKey {
        case type, text, storageId, uri
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .text(let text):
            try members.encode("text", forKey: .type)
            try members.encode(text, forKey: .text)
        case .image(let id):
            try members.encode("image", forKey: .type)
            try members.encode(id, forKey: .storageId)
        case .audio(let id):
            try members.encode("audio", forKey: .type)
            try members.encode(id, forKey: .storageId)
        case .resource(let id, let uri):
            try members.encode("resource", forKey: .type)
            try members.encode(id, forKey: .storageId)
            try members.encodeIfPresent(uri, forKey: .uri)
        }
    }
}
