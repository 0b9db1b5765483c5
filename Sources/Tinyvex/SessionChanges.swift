import JSONScan

/// Values that users can set for a session, read from the arguments of a mutation and checked against their limits.
public enum SessionChange {
    /// 1 KiB: enough for one long line.
    public static let titleLimitBytes = 1 << 10
    public static let tagsLimit = 32
    public static let tagLimitBytes = 64

    /// Reads `{"title":"Login"}`. Null, or only white space, removes the title.
    public static func title(_ arguments: Parameters) throws(Rejection) -> String? {
        let title = try arguments.optionalString("title").map(trimmed) ?? ""
        guard title.utf8.count <= titleLimitBytes else {
            throw .invalidParams("title is longer than \(titleLimitBytes) bytes")
        }
        guard isOneLine(title) else { throw .invalidParams("title must not have control characters") }
        return title.isEmpty ? nil : title
    }

    /// Reads `{"tags":["shop","urgent"]}`: the complete list, without duplicates.
    public static func tags(_ arguments: Parameters) throws(Rejection) -> [String] {
        guard let value = arguments.value("tags"), value.kind == .array else {
            throw .invalidParams("tags must be an array of strings")
        }
        var tags: [String] = []
        let elements = value.elements
        // Also with duplicates.
        guard elements.count <= tagsLimit else { throw .invalidParams("a session has at most \(tagsLimit) tags") }
        for element in elements {
            guard let tag = element.stringValue.map(trimmed) else { throw .invalidParams("tags must be strings") }
            guard !tag.isEmpty, tag.utf8.count <= tagLimitBytes, isOneLine(tag) else {
                throw .invalidParams("a tag must have 1 to \(tagLimitBytes) bytes and no control characters")
            }
            if !tags.contains(tag) { tags.append(tag) }
        }
        return tags
    }

    /// Reads `{"archived":false}`. The default is true.
    public static func archived(_ arguments: Parameters) throws(Rejection) -> Bool {
        try arguments.optionalBool("archived") ?? true
    }

    /// Reads `{"muted":false}`. The default is true.
    public static func muted(_ arguments: Parameters) throws(Rejection) -> Bool {
        try arguments.optionalBool("muted") ?? true
    }

    private static func trimmed(_ text: String) -> String {
        let start = text.drop(while: \.isWhitespace)
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }

    private static func isOneLine(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}
