/// The id of a log as text, for example in journals: eight lowercase hexadecimal digits.
package enum LogName {
    package static func text(_ id: UInt32) -> String {
        let digits = String(id, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// Nil for any text that ``text(_:)`` would not return.
    package static func id(_ text: String) -> UInt32? {
        guard let id = UInt32(text, radix: 16), self.text(id) == text else { return nil }
        return id
    }
}
