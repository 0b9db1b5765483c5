/// An absolute path without `.` and `..`. Symbolic links are not resolved: the file system is not read.
struct AbsolutePath: Equatable {
    let components: [String]

    /// Returns nil if the path is unclear: it is relative without a known folder, leaves the root, or has a NUL.
    ///
    /// - Parameter folder: The folder of a relative path.
    init?(_ path: String, in folder: String?) {
        var text = path
        if text.hasPrefix("file:///") { text = String(text.dropFirst(7)) }
        if !text.hasPrefix("/") {
            guard let folder, folder.hasPrefix("/"), !text.isEmpty, !text.hasPrefix("~") else { return nil }
            text = "\(folder)/\(text)"
        }
        // A percent sign could be an escape of a URL.
        guard !text.utf8.contains(0), !(path.hasPrefix("file:") && text.contains("%")) else { return nil }
        var components: [String] = []
        for component in text.utf8.split(separator: UInt8(ascii: "/")).map({ String($0) ?? "\u{0}" }) {
            switch component {
            case ".": continue
            case "..": if components.popLast() == nil { return nil }
            case "\u{0}": return nil
            default: components.append(component)
            }
        }
        self.components = components
    }
}

/// A pattern for absolute paths: `*` matches any bytes within one component, `?` one character, and `**` as a whole
/// component any number of components, also none. They also match components that begin with a dot.
package struct PathGlob: Equatable, Sendable {
    /// The pattern in its original spelling.
    package let text: String
    /// True if the pattern begins with `./`: it is then relative to the session's folder.
    private let isRelative: Bool
    private let components: [String]

    /// The largest number of components. Paths have at most some dozens.
    private static let componentLimit = 64

    /// Returns nil if the text begins neither with `/` nor with `./`, if it has `..`, or too many components.
    package init?(_ text: String) {
        let components = text.split(separator: "/").map(String.init).filter { $0 != "." }
        guard text.hasPrefix("/") || text.hasPrefix("./") || text == ".", components.count <= Self.componentLimit,
            !components.contains(".."), !text.utf8.contains(0)
        else { return nil }
        self.text = text
        isRelative = !text.hasPrefix("/")
        self.components = components
    }

    /// False if the session's folder is needed and unknown.
    func matches(_ path: AbsolutePath, in folder: String?) -> Bool { pattern(in: folder)?.matches(path) ?? false }

    /// True if the session's folder is needed and unknown.
    func mayMatch(_ path: AbsolutePath, in folder: String?) -> Bool { pattern(in: folder)?.matches(path) ?? true }

    private func pattern(in folder: String?) -> Pattern? {
        guard isRelative else { return Pattern(prefix: [], components: components) }
        guard let folder, folder.hasPrefix("/"), let path = AbsolutePath(folder, in: nil) else { return nil }
        return Pattern(prefix: path.components, components: components)
    }

    private struct Pattern {
        /// Literal components.
        let prefix: [String]
        let components: [String]

        func matches(_ path: AbsolutePath) -> Bool {
            guard path.components.starts(with: prefix) else { return false }
            let rest = path.components.dropFirst(prefix.count)
            // reachable[i]: the first components of the pattern match the first i of the path.
            var reachable = [true] + [Bool](repeating: false, count: rest.count)
            for component in components {
                var next = [Bool](repeating: false, count: rest.count + 1)
                for (index, isReachable) in reachable.enumerated() where isReachable {
                    if component == "**" {
                        for later in index...rest.count { next[later] = true }
                    } else if index < rest.count, wildcard(component, matches: rest[rest.startIndex + index]) {
                        next[index + 1] = true
                    }
                }
                reachable = next
            }
            return reachable[rest.count]
        }
    }
}

/// True if the text matches the pattern: `*` matches any characters, and `?` one. The time is at
/// most the product of both lengths.
func wildcard(_ pattern: String, matches text: String) -> Bool {
    let (pattern, text) = (Array(pattern.unicodeScalars), Array(text.unicodeScalars))
    var (position, offset) = (0, 0)
    var star: (position: Int, offset: Int)?
    while offset < text.count {
        if position < pattern.count, pattern[position] == "*" {
            star = (position, offset)
            position += 1
        } else if position < pattern.count, pattern[position] == "?" || pattern[position] == text[offset] {
            position += 1
            offset += 1
        } else if let last = star {
            star = (last.position, last.offset + 1)
            (position, offset) = (last.position + 1, last.offset + 1)
        } else {
            return false
        }
    }
    return pattern[position...].allSatisfy { $0 == "*" }
}
