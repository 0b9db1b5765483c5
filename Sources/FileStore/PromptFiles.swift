import JSONScan
import Tinyvex

/// The content blocks of a prompt that name stored files: `{"type":"image","storageId":"5f…"}`. Pure.
///
/// `image` and `audio` become ACP's blocks with `data` and `mimeType`. `resource` becomes an embedded resource: with
/// `text` if the file is text in UTF-8, otherwise with `blob`. Other members of the block are kept.
package struct PromptFiles: Sendable {
    private let blocks: JSONValue
    package let ids: Set<String>
    /// The types of blocks that name files: `image`, `audio`, `resource`.
    package let types: Set<String>

    /// More would not fit in the limit of the prompt's bytes, as a rule.
    private static let limit = 64
    private static let knownTypes: Set<String> = ["image", "audio", "resource"]

    /// Returns nil if no block names a file. The prompt is then passed on unchanged.
    ///
    /// - Throws: invalid params if a block names a file and cannot.
    package init?(_ blocks: JSONValue) throws(Rejection) {
        var ids: Set<String> = []
        var types: Set<String> = []
        for block in blocks.elements {
            guard let named = block["storageId"] else { continue }
            guard let id = named.stringValue else { throw .invalidParams("storageId must be a string") }
            guard let type = block["type"]?.stringValue, Self.knownTypes.contains(type) else {
                throw .invalidParams("a block with storageId must have the type image, audio or resource")
            }
            guard !["data", "mimeType", "resource"].contains(where: { block[$0] != nil }) else {
                throw .invalidParams("a block with storageId cannot have data, mimeType or resource")
            }
            ids.insert(id)
            types.insert(type)
        }
        guard !ids.isEmpty else { return nil }
        guard ids.count <= Self.limit else { throw .invalidParams("a prompt can name \(Self.limit) files at most") }
        self.blocks = blocks
        self.ids = ids
        self.types = types
    }

    /// The blocks as JSON text.
    func resolved(by contents: [String: FileContents]) throws(Rejection) -> [UInt8] {
        var texts: [[UInt8]] = []
        var size = 0
        for block in blocks.elements {
            let text = try resolved(block, contents)
            // One file can be named in many blocks.
            size += text.count
            guard size <= Self.limitBytes else {
                throw Rejection(
                    .limitExceeded, "the prompt with its files is longer than \(Self.limitBytes) bytes",
                    rpcCode: .invalidRequest)
            }
            texts.append(text)
        }
        return JSONWriter.array { for text in texts { $0.element(raw: text) } }
    }

    /// 63 MiB: below the default limit of one line, with room for the rest of the line.
    private static let limitBytes = 63 << 20

    private func resolved(_ block: JSONValue, _ contents: [String: FileContents]) throws(Rejection) -> [UInt8] {
        guard let id = block["storageId"]?.stringValue, let type = block["type"]?.stringValue,
            let file = contents[id]
        else { return Array(block.rawText) }
        let kind = file.contentType
        guard type != "image" || kind.isImage, type != "audio" || kind.isAudio else {
            throw .invalidParams("the file \(quoted(id)) has the type \(kind.essence), which is not \(type)")
        }
        return JSONWriter.object { writer in
            // The URI of an image is optional; a resource must have one.
            for (name, value) in block.members where name != "storageId" && (name != "uri" || type != "resource") {
                writer.member(name, raw: value.rawText)
            }
            guard type == "resource" else {
                writer.member("mimeType", kind.essence)
                return writer.member("data", raw: Self.base64(file.bytes))
            }
            writer.memberObject("resource") { writer in
                writer.member("uri", block["uri"]?.stringValue ?? "acpbridge:files/\(id)")
                writer.member("mimeType", kind.essence)
                if kind.isText, let text = String(validating: file.bytes, as: UTF8.self) {
                    writer.member("text", text)
                } else {
                    writer.member("blob", raw: Self.base64(file.bytes))
                }
            }
        }
    }

    private static func base64(_ bytes: [UInt8]) -> [UInt8] {
        var text = [UInt8(ascii: "\"")]
        Base64Text.encode(bytes, to: &text)
        text.append(UInt8(ascii: "\""))
        return text
    }
}
