// The standard library's own functions for this are in its module for regular expressions, which Sources/build.sh leaves
// out: it would add 1 MB to the program and 5 % to each start.

extension Collection<UInt8> {
    /// The first place where the bytes of `other` are; nil if there is none, or if `other` is empty.
    package func range(of other: some Collection<UInt8>) -> Range<Index>? {
        guard let first = other.first else { return nil }
        var rest = self[...]
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.starts(with: other) { return start..<rest.index(start, offsetBy: other.count) }
            rest = rest.dropFirst()
        }
        return nil
    }
}

extension StringProtocol {
    /// The first place of `other`, compared byte by byte: é as one character is not e with an accent.
    package func range(of other: String) -> Range<Index>? { utf8.range(of: other.utf8) }

    /// Compares byte by byte, as ``range(of:)`` does.
    package func contains(text: String) -> Bool { range(of: text) != nil }

    /// The parts between the places of `separator`, without empty ones.
    package func split(at separator: String) -> [SubSequence] {
        var parts: [SubSequence] = []
        var rest = self[...]
        while let place = rest.range(of: separator) {
            parts.append(rest[..<place.lowerBound])
            rest = rest[place.upperBound...]
        }
        return (parts + [rest]).filter { !$0.isEmpty }
    }
}

extension StringProtocol where SubSequence == Substring {
    /// The parts between line feeds, with empty ones. A carriage return stays at the end of its line.
    ///
    /// `split(separator: "\n")` finds no end of a line that ends with CR and LF: both together are one `Character`.
    package var lines: [Substring] {
        self[...].utf8.split(separator: 0x0a, omittingEmptySubsequences: false).map { Substring($0) }
    }

    /// ``lines`` without empty ones.
    package var filledLines: [Substring] { lines.filter { !$0.isEmpty } }

    /// Compares byte by byte. For `hasPrefix`, a combining mark after the prefix belongs to its last character, and a prefix
    /// of another form of Unicode is the same one.
    package func begins(with prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }
}

extension [String] {
    /// True if each of the words is in one of these texts, in upper or lower case.
    package func contain(words: [String]) -> Bool {
        let texts = map { $0.lowercased() }
        return words.allSatisfy { word in
            let word = word.lowercased()
            return texts.contains { $0.contains(text: word) }
        }
    }
}
