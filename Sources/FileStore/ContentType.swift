import HTTPTokens

/// The media type of a file, as its sender named it. Pure. Source: RFC 9110, section 8.3.1.
package struct ContentType: Sendable, Equatable {
    /// The whole text with its parameters: `text/plain; charset=utf-8`. It is sent back unchanged.
    package let text: String
    /// The type in lower case, without parameters: `text/plain`.
    package let essence: String

    /// The type of a file without one.
    package static let unknown = ContentType(text: "application/octet-stream", essence: "application/octet-stream")

    /// Longer than any registered type with its parameters.
    private static let limitBytes = 256

    private init(text: String, essence: String) {
        self.text = text
        self.essence = essence
    }

    /// Returns nil unless the text is `type/subtype` of token characters, with any parameters in visible ASCII. So it
    /// cannot add another header field.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.limitBytes, text.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else {
            return nil
        }
        let essence = text.prefix { $0 != ";" && $0 != " " }
        let parts = essence.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ HTTPToken.isValid($0.utf8) }) else { return nil }
        let rest = text.dropFirst(essence.count).drop { $0 == " " }
        guard rest.isEmpty || rest.first == ";" else { return nil }
        self.init(text: text, essence: essence.lowercased())
    }

    package var isImage: Bool { essence.hasPrefix("image/") }
    package var isAudio: Bool { essence.hasPrefix("audio/") }

    /// True for types that are text in every editor. Whether the bytes are UTF-8 must be checked too.
    package var isText: Bool {
        essence.hasPrefix("text/") || essence.hasSuffix("+json") || essence.hasSuffix("+xml")
            || ["application/json", "application/xml", "application/yaml", "application/javascript"].contains(essence)
    }

    /// True if a browser can show the type without the risk that it runs a script of the file. An SVG image can contain
    /// scripts, so it is downloaded.
    package var isSafeInline: Bool {
        (isAudio || isImage || essence == "application/pdf") && !essence.hasSuffix("xml")
    }
}
