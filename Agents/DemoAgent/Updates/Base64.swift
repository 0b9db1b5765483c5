import JSONScan

/// Encodes bytes in base64 (RFC 4648 section 4, with padding).
func base64(_ bytes: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    Base64Text.encode(Array(bytes), to: &text)
    return String(decoding: text, as: UTF8.self)
}
