import EventLoop
import Glibc

/// The secret that opens the TCP listener: 32 random bytes in hexadecimal, in a file only its user can read.
public struct AccessToken: Sendable {
    public let text: String

    /// Reads the file; makes it, mode 0600, where there is none.
    public static func load(path: String) throws(SystemError) -> AccessToken {
        if let text = try read(path) { return AccessToken(text: text) }
        guard let text = RandomText.hexadecimal(byteCount: 32) else { throw SystemError("getrandom") }
        try create(path, text)
        return AccessToken(text: try read(path) ?? text)
    }

    public static func read(_ path: String) throws(SystemError) -> String? {
        let fd = open(path, O_RDONLY | O_CLOEXEC)
        guard fd >= 0 else {
            if errno == ENOENT { return nil }
            throw SystemError("open \(path)")
        }
        let descriptor = Descriptor(owning: fd)
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(descriptor.raw, &buffer, buffer.count)
        guard count >= 0 else { throw SystemError("read \(path)") }
        let text = buffer.prefix(count).prefix { $0 > 0x20 }
        return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }

    /// Written whole under another name first, so that nobody reads half a token.
    private static func create(_ path: String, _ text: String) throws(SystemError) {
        let temporary = path + ".\(getpid())"
        let fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard fd >= 0 else { throw SystemError("open \(temporary)") }
        let descriptor = Descriptor(owning: fd)
        let line = Array((text + "\n").utf8)
        guard write(descriptor.raw, line, line.count) == line.count else { throw SystemError("write \(temporary)") }
        guard rename(temporary, path) == 0 else { throw SystemError("rename \(path)") }
    }

    /// Takes as long for a wrong token as for a right one of the same length.
    public func matches(_ candidate: String) -> Bool {
        let mine = Array(text.utf8)
        let theirs = Array(candidate.utf8)
        guard mine.count == theirs.count else { return false }
        var difference: UInt8 = 0
        for (a, b) in zip(mine, theirs) { difference |= a ^ b }
        return difference == 0
    }
}
