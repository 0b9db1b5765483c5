/// Comparing secrets.
enum ConstantTime {
    /// Takes as long for texts that differ in their first byte as for equal ones. The length is no secret.
    static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        guard a.count == b.count else { return false }
        var difference: UInt8 = 0
        for (left, right) in zip(a, b) { difference |= left ^ right }
        return difference == 0
    }
}
