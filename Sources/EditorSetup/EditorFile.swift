import CommandContext
import Glibc
import Posix

/// The settings file of an editor. A symbolic link is followed, so that the file it names is changed.
package struct EditorFile {
    /// The path of the file itself, not of a link.
    package let path: String

    /// The limit for a settings file. A larger one is most likely another file.
    private static let limitBytes = 8 << 20

    package init(path: String) { self.path = ProcessContext.realPath(path) }

    /// The copy of the previous file.
    package var backup: String { path + ".before-acpbridge" }

    /// Returns nil if the file does not exist.
    package func read() throws(Failure) -> [UInt8]? {
        let bytes: [UInt8]?
        do throws(SystemError) {
            bytes = try PrivateFile.read(path, limitBytes: Self.limitBytes, isBelieved: false)
        } catch {
            throw Failure(message: "\(path) cannot be read: \(error.reason)")
        }
        guard (bytes?.count ?? 0) < Self.limitBytes else {
            throw Failure(message: "\(path) is larger than \(Self.limitBytes >> 20) MiB")
        }
        return bytes
    }

    /// Writes the new content with the old file's mode, after a copy of the old content. The change is atomic.
    ///
    /// - Parameter old: The content that was read. If the file has changed since, nothing is written.
    package func replace(_ old: [UInt8]?, with new: [UInt8]) throws(Failure) {
        guard try read() == old else {
            throw Failure(message: "\(path) was changed by another program meanwhile; run the command again")
        }
        var status = stat()
        let mode = stat(path, &status) == 0 ? status.st_mode & 0o777 : 0o644
        do throws(SystemError) {
            if let old { try PrivateFile.replace(backup, with: old) } else { try makeFolder() }
            try PrivateFile.replace(path, with: new)
        } catch {
            throw Failure(message: "\(path) was not changed: \(error)")
        }
        chmod(path, mode)
    }

    private func makeFolder() throws(SystemError) {
        var created = ""
        for part in path.split(separator: "/").dropLast() {
            created += "/\(part)"
            guard mkdir(created, 0o755) == 0 || errno == EEXIST || errno == EROFS else {
                throw SystemError("mkdir \(created)")
            }
        }
    }
}
