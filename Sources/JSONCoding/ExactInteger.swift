/// The integer value of a JSON number in any spelling: `1000`, `1e3`, `1000.0` and `10000e-1` are equal.
///
/// Returns `nil` when the number is not whole or does not fit `type`. It never rounds and never traps, and
/// `1e999999999` takes no longer than any other number of that length. `number` must be a valid number of RFC 8259
/// section 6.
func exactInteger<Integer: FixedWidthInteger>(_ number: ArraySlice<UInt8>, as type: Integer.Type) -> Integer? {
    plainInteger(number, as: type) ?? scientificInteger(number, as: type)
}

/// Reads a number without fraction and exponent. Digits of a negative number are subtracted, because the smallest
/// integer has no positive counterpart.
@inline(__always)
private func plainInteger<Integer: FixedWidthInteger>(_ number: ArraySlice<UInt8>, as: Integer.Type) -> Integer? {
    let isNegative = number.first == UInt8(ascii: "-")
    var value: Integer = 0
    for byte in isNegative ? number.dropFirst() : number {
        let digit = byte &- UInt8(ascii: "0")
        guard digit < 10, value.append(digit: digit, isNegative: isNegative) else { return nil }
    }
    return value
}

private func scientificInteger<Integer: FixedWidthInteger>(
    _ number: ArraySlice<UInt8>, as: Integer.Type
) -> Integer? {
    let parts = NumberParts(number)
    guard parts.significantDigits > 0 else { return 0 }
    guard parts.exponent >= 0 else { return nil }
    var value: Integer = 0
    for byte in number.lazy.filter(isDigit).prefix(parts.significantDigits) {
        guard value.append(digit: byte &- UInt8(ascii: "0"), isNegative: parts.isNegative) else { return nil }
    }
    // The value is not 0, so this overflows after a few steps or not at all.
    for _ in 0..<parts.exponent {
        guard value.append(digit: 0, isNegative: parts.isNegative) else { return nil }
    }
    return value
}

/// A number as its significant digits and a power of ten.
private struct NumberParts {
    let isNegative: Bool
    /// The number of digits up to the last one that is not 0; 0 for the number zero.
    private(set) var significantDigits = 0
    /// The power of ten by which those digits are multiplied.
    private(set) var exponent = 0

    /// Exponents are clamped here: farther from 0 than the length of any text, and far from overflow.
    private static let exponentLimit = 1 << 40

    init(_ number: ArraySlice<UInt8>) {
        isNegative = number.first == UInt8(ascii: "-")
        let exponentMark = number.firstIndex { $0 | 0x20 == UInt8(ascii: "e") }
        var digits = 0
        var isFraction = false
        var digitsBehindSignificant = 0
        for byte in number[..<(exponentMark ?? number.endIndex)] {
            if byte == UInt8(ascii: ".") { isFraction = true }
            guard isDigit(byte) else { continue }
            digits += 1
            if isFraction { exponent -= 1 }
            digitsBehindSignificant += 1
            guard byte != UInt8(ascii: "0") else { continue }
            significantDigits = digits
            digitsBehindSignificant = 0
        }
        exponent += digitsBehindSignificant
        if let exponentMark { exponent += Self.exponent(number[(exponentMark + 1)...]) }
    }

    private static func exponent(_ text: ArraySlice<UInt8>) -> Int {
        var value = 0
        for byte in text where isDigit(byte) {
            value = min(value * 10 + Int(byte &- UInt8(ascii: "0")), exponentLimit)
        }
        return text.first == UInt8(ascii: "-") ? -value : value
    }
}

private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

extension FixedWidthInteger {
    /// Appends one decimal digit to the number. Returns false when the result does not fit.
    @inline(__always)
    fileprivate mutating func append(digit: UInt8, isNegative: Bool) -> Bool {
        let (shifted, shiftOverflows) = multipliedReportingOverflow(by: 10)
        let digit = Self(truncatingIfNeeded: digit)
        let (sum, sumOverflows) =
            isNegative ? shifted.subtractingReportingOverflow(digit) : shifted.addingReportingOverflow(digit)
        self = sum
        return !shiftOverflows && !sumOverflows
    }
}
