import Glibc

extension Span<UInt8> {
    /// Byte for byte.
    ///
    /// A function of no actor's, on purpose: a closure in isolated code has its executor checked whenever it is called,
    /// which for a session id costs more than the comparison.
    func isEqual(to bytes: [UInt8]) -> Bool {
        guard count == bytes.count else { return false }
        return withUnsafeBytes { mine in
            bytes.withUnsafeBytes { theirs in
                guard let a = mine.baseAddress, let b = theirs.baseAddress else { return true }
                return memcmp(a, b, mine.count) == 0
            }
        }
    }
}
