#if TINYVEX_PORTABLE && os(Linux)
    import TinyvexClientPortable
#else
    import TinyvexClient
#endif

/// A value that can be an argument of a function, under its name in Convex's client: `["count": 3, "name": nil]` as
/// `[String: (any ConvexEncodable)?]`.
///
/// Every `Encodable` type can declare it and needs no further code. Numbers are sent as plain JSON numbers, because a bridge's
/// functions take no other ones.
public protocol ConvexEncodable: Encodable {}

extension ConvexEncodable {
    /// The JSON text of the value, as ``ConvexClient`` sends it.
    public func convexEncode() throws -> String { String(decoding: try ModelCoding.text(self), as: UTF8.self) }
}

extension Int: ConvexEncodable {}
extension Int32: ConvexEncodable {}
extension Int64: ConvexEncodable {}
extension Float: ConvexEncodable {}
extension Double: ConvexEncodable {}
extension Bool: ConvexEncodable {}
extension String: ConvexEncodable {}
extension Optional: ConvexEncodable where Wrapped: ConvexEncodable {}
extension Array: ConvexEncodable where Element: ConvexEncodable {}
extension Dictionary: ConvexEncodable where Key == String, Value: ConvexEncodable {}
