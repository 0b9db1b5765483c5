import Glibc

/// A rule for texts to hide: a POSIX extended regular expression, as in `grep -E`.
///
/// The expression is matched against bytes, so `.` is one byte of UTF-8, and `^` and `$` are the ends of one text.
package final class RedactionRule {
    private var compiled: regex_t

    /// The expression is wrong. The text is the C library's.
    package struct Invalid: Error {
        package let reason: String
    }

    package init(_ expression: String) throws(Invalid) {
        compiled = regex_t()
        let code = regcomp(&compiled, expression, REG_EXTENDED)
        guard code == 0 else {
            var text = [CChar](repeating: 0, count: 256)
            regerror(code, &compiled, &text, text.count)
            throw Invalid(
                reason: String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
    }

    deinit { regfree(&compiled) }

    /// The matches in a text, in rising order. Matches of no bytes are left out.
    func ranges(in text: [UInt8]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var offset = 0
        text.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
            while offset < text.count {
                var match = regmatch_t(rm_so: regoff_t(offset), rm_eo: regoff_t(text.count))
                let flags = REG_STARTEND | (offset > 0 ? REG_NOTBOL : 0)
                guard regexec(&compiled, base, 1, &match, flags) == 0 else { return }
                let (start, end) = (Int(match.rm_so), Int(match.rm_eo))
                if end > start { ranges.append(start..<end) }
                offset = max(end, start + 1)
            }
        }
        return ranges
    }
}

/// Hides texts by rules, and tokens of known forms. Pure.
package struct Redaction {
    /// The text in place of a hidden one.
    package static let mark = "[redacted]"

    private let rules: [RedactionRule]
    private let hidesTokens: Bool

    /// - Parameter hidesTokens: Also hide what ``SecretPattern`` finds.
    package init(rules: [RedactionRule], hidesTokens: Bool) {
        self.rules = rules
        self.hidesTokens = hidesTokens
    }

    /// True if nothing is hidden.
    package var isEmpty: Bool { rules.isEmpty && !hidesTokens }

    /// The parts of a text to hide, in rising order, without overlaps.
    func ranges(in text: [UInt8]) -> [Range<Int>] { ranges(in: text, by: rules) }

    private func ranges(in text: [UInt8], by rules: [RedactionRule]) -> [Range<Int>] {
        var found = hidesTokens ? SecretPattern.ranges(in: text) : []
        for rule in rules { found += rule.ranges(in: text) }
        return Self.merged(found)
    }

    /// Joins ranges that overlap, in rising order.
    static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
        guard ranges.count > 1 else { return ranges }
        let found = ranges.sorted { $0.lowerBound < $1.lowerBound }
        var merged: [Range<Int>] = []
        for range in found {
            if let last = merged.last, range.lowerBound < last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged
    }

    /// Returns the text with marks, or nil if there is nothing to hide.
    ///
    /// - Parameter usesRules: False for a text in which only tokens are hidden.
    func hiding(in text: [UInt8], usesRules: Bool = true) -> (text: [UInt8], count: Int)? {
        let ranges = ranges(in: text, by: usesRules ? rules : [])
        guard !ranges.isEmpty else { return nil }
        let marks = ranges.map { (range: $0, with: Array(Self.mark.utf8)) }
        return (JSONStrings.replacing(text, marks), ranges.count)
    }
}
