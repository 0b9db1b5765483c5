/// A parameter of a statement, in PostgreSQL's binary format.
package enum PostgresValue: Sendable, Equatable {
    /// `int8`.
    case integer(Int64?)
    /// `bool`.
    case bool(Bool?)
    /// `text`. U+0000 is left out, because `text` cannot contain it.
    case text(String?)
    /// `bytea`.
    case bytes([UInt8]?)
    /// `int8[]`.
    case integers([Int64?])
    /// `text[]`. U+0000 is left out.
    case texts([String?])
    /// `bytea[]`.
    case byteArrays([[UInt8]?])

    /// The type's OID in every PostgreSQL server.
    package var type: UInt32 {
        switch self {
        case .integer: 20
        case .bool: 16
        case .text: 25
        case .bytes: 17
        case .integers: 1016
        case .texts: 1009
        case .byteArrays: 1001
        }
    }

    /// The bytes that are sent; nil for NULL.
    package var encoded: [UInt8]? {
        switch self {
        case .integer(let value): value.map(Self.bigEndian)
        case .bool(let value): value.map { [$0 ? 1 : 0] }
        case .text(let value): value.map(Self.utf8)
        case .bytes(let value): value
        case .integers(let values): Self.array(of: 20, values.map { $0.map(Self.bigEndian) })
        case .texts(let values): Self.array(of: 25, values.map { $0.map(Self.utf8) })
        case .byteArrays(let values): Self.array(of: 17, values)
        }
    }

    private static func utf8(_ text: String) -> [UInt8] { text.utf8.filter { $0 != 0 } }

    static func bigEndian<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }

    /// Dimensions, whether there are NULLs, the elements' type; for the one dimension its length and first index; then
    /// each element's length, or -1 for NULL, and its bytes.
    private static func array(of type: Int32, _ elements: [[UInt8]?]) -> [UInt8] {
        let hasNull: Int32 = elements.contains { $0 == nil } ? 1 : 0
        guard !elements.isEmpty else { return [0, hasNull, type].flatMap { bigEndian($0) } }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20 + elements.reduce(0) { $0 + 4 + ($1?.count ?? 0) })
        for word in [1, hasNull, type, Int32(truncatingIfNeeded: elements.count), 1] { bytes += bigEndian(word) }
        for element in elements {
            bytes += bigEndian(element.map { Int32(truncatingIfNeeded: $0.count) } ?? -1)
            if let element { bytes += element }
        }
        return bytes
    }
}
