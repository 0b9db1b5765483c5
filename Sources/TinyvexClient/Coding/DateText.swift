import Tinyvex

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Dates as text (RFC 3339, and the variants that servers send).
///
/// Dates are written in one form, `2024-01-15T10:30:00Z`. They are read with or without a fraction of one to nine
/// digits, and with `Z`, an offset (`+02:00`, `+0200`, `+02`) or no zone, which means UTC. A date without a time
/// means midnight in UTC.
enum DateText {
    static func date(_ text: String) -> Date? {
        var reader = DigitReader(text)
        guard let day = reader.day() else { return nil }
        if reader.isAtEnd { return Date(timeIntervalSince1970: Double(day) * 86_400) }
        guard reader.skip("T") || reader.skip("t") || reader.skip(" "), let time = reader.time(),
            let offset = reader.offset(), reader.isAtEnd
        else { return nil }
        return Date(timeIntervalSince1970: Double(day * 86_400 + time.seconds - offset) + time.fraction)
    }

    /// Rounds down to whole seconds. Returns nil for years outside the four digits of the format.
    static func text(_ date: Date) -> String? {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        guard (-62_135_596_800..<253_402_300_800).contains(seconds) else { return nil }
        let days = CivilDate.days(ofSeconds: Int64(seconds))
        let rest = Int(Int64(seconds) - days * 86_400)
        let (year, month, day) = CivilDate.date(days)
        return "\(padded(Int(year), 4))-\(padded(Int(month), 2))-\(padded(Int(day), 2))"
            + "T\(padded(rest / 3_600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2))Z"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
}

/// Parses the parts of a date from the beginning of a text.
private struct DigitReader {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    mutating func day() -> Int? {
        guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2) else { return nil }
        return CivilDate.days(Int64(year), Int64(month), Int64(day)).map { Int($0) }
    }

    /// Reads a leap second as the second before it.
    mutating func time() -> (seconds: Int, fraction: Double)? {
        guard let hour = number(2), hour < 24, skip(":"), let minute = number(2), minute < 60 else { return nil }
        var second = 0
        if skip(":") {
            guard let number = number(2), number <= 60 else { return nil }
            second = min(number, 59)
        }
        guard let fraction = fraction() else { return nil }
        return (hour * 3_600 + minute * 60 + second, fraction)
    }

    private mutating func fraction() -> Double? {
        guard skip(".") || skip(",") else { return 0 }
        let digits = rest.prefix { isDigit($0) }
        let text = "0." + String(decoding: digits, as: UTF8.self)
        guard (1...9).contains(digits.count), let value = Double(text) else { return nil }
        rest = rest.dropFirst(digits.count)
        return value
    }

    /// Seconds east of UTC.
    mutating func offset() -> Int? {
        if isAtEnd || skip("Z") || skip("z") { return 0 }
        let sign = skip("+") ? 1 : skip("-") ? -1 : 0
        guard sign != 0, let hours = number(2), hours < 24 else { return nil }
        if isAtEnd { return sign * hours * 3_600 }
        _ = skip(":")
        guard let minutes = number(2), minutes < 60 else { return nil }
        return sign * (hours * 3_600 + minutes * 60)
    }

    private mutating func number(_ width: Int) -> Int? {
        let digits = rest.prefix(width)
        guard digits.count == width, digits.allSatisfy({ isDigit($0) }) else { return nil }
        rest = rest.dropFirst(width)
        return Int(String(decoding: digits, as: UTF8.self))
    }

    private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
