import Posix

/// The file with a bridge's port, by which the next bridge of a home gets the same port.
///
/// It holds a decimal number. A file that cannot be read, or has no port above 1023, counts as missing: the system chooses
/// the port then.
struct KeptPort {
    let path: String

    /// More than any port and a line feed.
    private static let limitBytes = 16

    var last: UInt16? {
        guard let bytes = (try? PrivateFile.read(path, limitBytes: Self.limitBytes, followsLink: false)) ?? nil
        else { return nil }
        return Self.port(bytes)
    }

    static func port(_ bytes: [UInt8]) -> UInt16? {
        guard let port = UInt16(String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self)), port > 1_023 else {
            return nil
        }
        return port
    }

    /// Writes the file only if it has another port.
    func store(_ port: UInt16) throws(SystemError) {
        guard last != port else { return }
        try PrivateFile.replace(path, with: Array("\(port)\n".utf8))
    }
}
