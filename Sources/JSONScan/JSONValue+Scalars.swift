extension JSONValue {
    /// True only for `null`.
    public var isNull: Bool { kind == .null }

    /// `nil` when this is neither `true` nor `false`.
    public var boolValue: Bool? {
        kind == .boolean ? storage[range.lowerBound] == UInt8(ascii: "t") : nil
    }

    /// The decoded string, or `nil` when this is not a string. Lone surrogates (`"\ud800"`) become U+FFFD.
    public var stringValue: String? {
        guard kind == .string else { return nil }
        let text = storage[...]
        return StringContents(ofStringAt: range).decodedString(text.span)
    }

    /// The decoded string. `nil` when this is not a string, or has a lone surrogate: such a string would be equal to others
    /// after decoding.
    public var exactStringValue: String? {
        guard kind == .string else { return nil }
        let text = storage[...]
        return StringContents(ofStringAt: range).exactString(text.span)
    }

    /// The decoded bytes of the string. Different strings always have different bytes, because each lone surrogate is
    /// encoded as three bytes (WTF-8). For comparison, not for display. `nil` when this is not a string.
    public var stringBytes: [UInt8]? {
        guard kind == .string else { return nil }
        let text = storage[...]
        return StringContents(ofStringAt: range).decodedBytes(text.span, .keepingLoneSurrogates)
    }

    /// The number, if it is written as an integer and fits. `nil` for `1.0`, `1e2` and everything else.
    public var int64Value: Int64? {
        kind == .number ? Int64(rawString) : nil
    }

    /// The nearest double. `nil` when this is not a number or exceeds a double's range (`1e999`).
    public var doubleValue: Double? {
        guard kind == .number, let number = Double(rawString), number.isFinite else { return nil }
        return number
    }
}
