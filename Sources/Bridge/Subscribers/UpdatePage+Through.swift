import Glibc
import SessionLog

extension UpdatePage {
    /// The page without what comes after number `limit`.
    ///
    /// The log may have committed more than the session has been told of yet. That is the session's to publish: a reader
    /// who had it already would get it twice.
    func through(_ limit: Int64) -> UpdatePage {
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
