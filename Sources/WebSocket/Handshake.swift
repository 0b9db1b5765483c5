/// The HTTP exchange that opens a connection. Source: RFC 6455, sections 4.1 and 4.2.
///
/// This module knows no HTTP parser: header fields come through a lookup, which returns all values of a field, in
/// order, for a name in whatever case.
public enum Handshake {
    /// The only version there is. Source: RFC 6455, section 4.1, item 9.
    public static let version = "13"

    public typealias FieldLookup = (_ name: String) -> [String]

    /// The value of `Sec-WebSocket-Accept` that answers a `Sec-WebSocket-Key`.
    public static func acceptKey(for key: String) -> String {
        let salted = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        return Base64.encode(SHA1.digest(of: Array(salted.utf8)))
    }

    /// A client's `Sec-WebSocket-Key` from 16 random bytes, which the caller draws anew for each connection.
    public static func key(nonce: (UInt64, UInt64)) -> String {
        let bytes = [nonce.0, nonce.1].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
        return Base64.encode(bytes)
    }
}
