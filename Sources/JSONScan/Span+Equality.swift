import CVector

extension Span<UInt8> {
    /// True if all bytes are equal.
    ///
    /// This function deliberately belongs to no actor: Swift checks the executor at each call of a closure in isolated
    /// code. For a session id the check costs more than the comparison.
    package func isEqual(to bytes: [UInt8]) -> Bool {
        guard count == bytes.count else { return false }
        return withUnsafeBytes { mine in
            bytes.withUnsafeBytes { theirs in
                guard let a = mine.baseAddress, let b = theirs.baseAddress else { return true }
                return cvector_is_equal(a, b, mine.count)
            }
        }
    }
}
