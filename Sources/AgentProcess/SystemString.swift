import Glibc

/// A string in the system's form: bytes without a zero byte. It is usually UTF-8, but that is not guaranteed. File
/// names, arguments and variables in another encoding must be passed on unchanged.
package struct SystemString: Hashable, Sendable, Codable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    package let bytes: [UInt8]

    package init(_ string: String) { bytes = Array(string.utf8) }
    package init(bytes: [UInt8]) { self.bytes = bytes }
    package init(stringLiteral value: String) { self.init(value) }

    package init(cString: UnsafePointer<CChar>) {
        bytes = Array(UnsafeRawBufferPointer(start: cString, count: strlen(cString)))
    }

    /// The string for display. Invalid UTF-8 becomes U+FFFD.
    package var description: String { String(decoding: bytes, as: UTF8.self) }

    /// Calls `body` with the bytes and a terminating zero. If the bytes contain a zero, the rest is lost.
    package func withCString<Value>(_ body: (UnsafePointer<CChar>) -> Value) -> Value {
        (bytes + [0]).withUnsafeBytes { buffer in
            buffer.withMemoryRebound(to: CChar.self) { chars in
                chars.baseAddress.map(body) ?? "".withCString(body)
            }
        }
    }

    package static func + (a: SystemString, b: SystemString) -> SystemString { SystemString(bytes: a.bytes + b.bytes) }
}
