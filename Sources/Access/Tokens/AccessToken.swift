import EventLoop
import Glibc
import Posix

/// The secret that a bridge makes at its first start for its own user's programs: `acpbridge_` and 32 random bytes in
/// hexadecimal, in a file that only that user can read. Its bearer is an admin.
package struct AccessToken: Sendable {
    package let text: String
    /// The file of a token that this process has made.
    private let newFile: String?

    /// Programs that hide secrets know a token by its prefix. A file of an earlier version, without it, stays valid.
    private static let prefix = "acpbridge_"
    /// Longer than any token, a JWT included.
    private static let limitBytes = 16 << 10
    /// 128 random bits in base64. A shorter token is probably a word that a person chose, and can be guessed.
    private static let shortestBytes = 22

    init(text: String, newFile: String? = nil) {
        self.text = text
        self.newFile = newFile
    }

    /// Reads the file, or makes it with mode 0600 if it does not exist, without a sync: see ``settle()``.
    ///
    /// Rejects a short token, and a file that every user can read or that another user can change, because its token grants
    /// admin rights.
    package static func load(path: String) throws(SystemError) -> AccessToken {
        if let text = try readSecret(path) {
            guard text.utf8.count >= shortestBytes else {
                let fault = "its token has fewer than \(shortestBytes) characters, so that it can be guessed"
                throw SystemError(refusing: path, because: "\(fault); remove the file, and the bridge makes a new one")
            }
            return AccessToken(text: text)
        }
        guard let secret = RandomText.hexadecimal(byteCount: 32) else { throw SystemError("getrandom") }
        let text = prefix + secret
        try PrivateFile.replace(path, with: Array((text + "\n").utf8), isSynced: false)
        return AccessToken(text: try read(path) ?? text, newFile: path)
    }

    /// Puts a new token on disk. The bridge calls this after its start, of which it would be a tenth. After a power cut before
    /// it, the file can be empty, and the next start makes another token.
    package func settle() throws(SystemError) {
        if let newFile { try PrivateFile.sync(newFile) }
    }

    /// Returns the first word of a token file, or nil if the file does not exist or has no word. The file's owner is
    /// not checked, because a client only shows the token.
    package static func read(_ path: String) throws(SystemError) -> String? { try read(path, isBelieved: false) }

    /// Like ``read(_:)``, for a file that the bridge itself reads: one that every user can read, or that another user can
    /// change, is refused.
    package static func readSecret(_ path: String) throws(SystemError) -> String? {
        let text = try read(path, isBelieved: true)
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IROTH != 0 {
            throw SystemError(refusing: path, because: "every user of this machine can read it; `chmod 600` it")
        }
        return text
    }

    private static func read(_ path: String, isBelieved: Bool) throws(SystemError) -> String? {
        let read = try PrivateFile.read(path, limitBytes: limitBytes, isBelieved: isBelieved)
        guard let bytes = read else { return nil }
        let text = bytes.prefix { $0 > 0x20 }
        return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }

    package func matches(_ candidate: String) -> Bool {
        ConstantTime.areEqual(Array(text.utf8), Array(candidate.utf8))
    }
}
