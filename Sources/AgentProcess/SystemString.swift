import Glibc

/// A string as the system has it: bytes without a zero among them, nearly always UTF-8, but nobody promises that. A
/// file's name, an argument or a variable in another encoding must come through unharmed.
public struct SystemString: Hashable, Sendable, Codable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    public let bytes: [UInt8]

    public init(_ string: String) { bytes = Array(string.utf8) }
    public init(bytes: [UInt8]) { self.bytes = bytes }
    public init(stringLiteral value: String) { self.init(value) }

    public init(cString: UnsafePointer<CChar>) {
        bytes = Array(UnsafeRawBufferPointer(start: cString, count: strlen(cString)))
    }

    /// For people; bytes that are no UTF-8 are shown as U+FFFD.
    public var description: String { String(decoding: bytes, as: UTF8.self) }

    /// Calls `body` with the bytes and a zero behind them; what follows a zero among them is lost.
    public func withCString<Value>(_ body: (UnsafePointer<CChar>) -> Value) -> Value {
        (bytes + [0]).withUnsafeBytes { buffer in
            buffer.withMemoryRebound(to: CChar.self) { chars in
                chars.baseAddress.map(body) ?? "".withCString(body)
            }
        }
    }

    public static func + (a: SystemString, b: SystemString) -> SystemString { SystemString(bytes: a.bytes + b.bytes) }
}
