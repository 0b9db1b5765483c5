/// The HTTP exchange that opens a connection. Source: RFC 6455, sections 4.1 and 4.2.
///
/// This module contains no HTTP parser. Header fields are read through a lookup function, which returns all values of a
/// field, in order, for a case-insensitive name.
package enum Handshake {
    /// The only version that exists. Source: RFC 6455, section 4.1, item 9.
    package static let version = "13"

    package typealias FieldLookup = (_ name: String) -> [String]

    /// The value of `Sec-WebSocket-Accept` for a `Sec-WebSocket-Key`.
    package static func acceptKey(for key: String) -> String {
        let salted = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        return Base64.encode(SHA1.digest(of: Array(salted.utf8)))
    }

    /// A client's `Sec-WebSocket-Key` from 16 random bytes. The caller must draw new bytes for each connection.
    package static func key(nonce: (UInt64, UInt64)) -> String {
        let bytes = [nonce.0, nonce.1].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
        return Base64.encode(bytes)
    }
}
