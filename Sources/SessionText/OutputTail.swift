import TerminalText

/// The last lines of a command's output. Pure.
struct OutputTail: Sendable {
    /// 10 lines, in which most commands report their result.
    private static let lineLimit = 10
    /// 16 KiB, more than ten lines of some terminals' width. Earlier text is only counted.
    private static let limitBytes = 16 << 10

    private var bytes: ArraySlice<UInt8> = []
    /// The number of lines before `bytes`.
    private var earlierCount = 0

    init(_ text: String) { append(text) }

    mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
        guard bytes.count > Self.limitBytes else { return }
        let start = bytes.endIndex - Self.limitBytes
        // A longer line is cut at its beginning.
        let cut = bytes[start...].dropLast().firstIndex(of: 0x0a).map { $0 + 1 } ?? start
        earlierCount += bytes[..<cut].count { $0 == 0x0a }
        bytes = ArraySlice(Array(bytes[cut...]))
    }

    /// The last lines, after a line that names the number of earlier ones. Without escape sequences, and without the
    /// fence that some agents write around an output because their clients show it as Markdown.
    var lines: [DetailLine] {
        var decoder = OutputDecoder()
        var all = decoder.text(of: bytes).utf8.split(separator: 0x0a, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        while let last = all.last, last.allSatisfy(\.isWhitespace) || last == "```" { all.removeLast() }
        if earlierCount == 0, let first = all.first, first.hasPrefix("```") { all.removeFirst() }
        let leftOut = earlierCount + max(0, all.count - Self.lineLimit)
        let head = leftOut == 0 ? [] : [DetailLine("  … \(leftOut) earlier \(leftOut == 1 ? "line" : "lines")")]
        return head + all.suffix(Self.lineLimit).map { DetailLine("  " + DetailLine.shown($0)) }
    }
}
