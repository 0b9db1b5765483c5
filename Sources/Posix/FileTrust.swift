import Glibc

/// Checks who can change a file or a folder before the program acts on its content, like StrictModes of sshd_config(5).
///
/// A file or folder is trusted if its owner is this user or root, and neither the group nor others can write to it. The
/// folders above it are not checked. Access control lists are checked only as far as they show in the mode.
package enum FileTrust {
    /// Throws if another user can change the open file.
    package static func check(_ fd: Int32, path: String) throws(SystemError) {
        var status = stat()
        guard fstat(fd, &status) == 0 else { throw SystemError("fstat \(path)") }
        try check(status, path)
    }

    /// Opens a folder. Throws if another user can change the folder, or can change the symbolic link at `path`.
    ///
    /// - Parameter followsLink: Accept a symbolic link to a folder.
    package static func openFolder(_ path: String, followsLink: Bool = true) throws(SystemError) -> Descriptor {
        var status = stat()
        // This check comes before `open`, because another user's folder can make `open` fail with a misleading error.
        guard lstat(path, &status) == 0 else { throw SystemError(path) }
        let isLink = status.st_mode & S_IFMT == S_IFLNK
        guard !isLink || followsLink else {
            throw SystemError(refusing: path, because: "it is a symbolic link")
        }
        try check(status, path)
        let fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW))
        guard fd >= 0 else { throw SystemError("open \(path)") }
        let folder = Descriptor(owning: fd)
        try check(folder.raw, path: path)
        return folder
    }

    package enum OpenFailure: Error, Equatable {
        case foreign(owner: uid_t)
        case system(SystemError)
    }

    /// Opens a file and refuses it if its owner is neither this user nor root. The mode is not checked.
    ///
    /// Started programs do not inherit the descriptor. A new file has mode 0600.
    package static func openOwnFile(_ path: String, flags: Int32) throws(OpenFailure) -> Descriptor {
        let fd = open(path, flags | O_CLOEXEC, 0o600)
        guard fd >= 0 else { throw .system(SystemError("open \(path)")) }
        let file = Descriptor(owning: fd)
        var status = stat()
        guard fstat(fd, &status) == 0, !isTrusted(status.st_uid, by: geteuid()) else { return file }
        throw .foreign(owner: status.st_uid)
    }

    static func check(_ status: stat, _ path: String, user: uid_t = geteuid()) throws(SystemError) {
        guard isTrusted(status.st_uid, by: user) else {
            throw SystemError(refusing: path, because: "it belongs to another user (uid \(status.st_uid))")
        }
        // A link has no mode of its own.
        guard status.st_mode & S_IFMT == S_IFLNK || status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
            throw SystemError(refusing: path, because: "other users can write to it; run `chmod go-w` on it")
        }
    }

    /// Root is trusted because root can change every file anyway.
    package static func isTrusted(_ owner: uid_t, by user: uid_t) -> Bool { owner == user || owner == 0 }
}
