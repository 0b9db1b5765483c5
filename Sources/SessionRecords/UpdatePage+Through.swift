import Glibc

extension UpdatePage {
    /// Returns the page without the updates after number `limit`.
    ///
    /// The log can have committed more updates than it has reported to the session. The session must publish those
    /// updates: a reader that already had them would get them twice.
    package func through(_ limit: Int64) -> UpdatePage {
        guard last > limit else { return self }
        var page = self
        page.count = Int(max(0, limit - first + 1))
        page.lines.removeLast(page.lines.count - byteCount(ofLines: page.count))
        page.isAtEnd = false
        return page
    }

    private func byteCount(ofLines count: Int) -> Int {
        lines.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return 0 }
            var end = 0
            for _ in 0..<count {
                guard let lineEnd = memchr(base + end, 0x0a, bytes.count - end) else { return bytes.count }
                end = UnsafeRawPointer(lineEnd) - base + 1
            }
            return end
        }
    }
}
