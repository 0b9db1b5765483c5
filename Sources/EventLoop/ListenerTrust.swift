import Glibc
import Posix

/// Checks who listens on a Unix socket before anything is sent to it: a path below `/tmp` can be taken by any user.
enum ListenerTrust {
    /// Throws unless the listener's user is this one or root.
    ///
    /// The kernel keeps the user who called listen(2), so a socket that `ssh -L` forwards counts as that ssh's user.
    static func check(_ fd: Int32, path: String) throws(SystemError) {
        if let refusal = refusal(of: Sockets.peerUser(of: fd), by: geteuid(), path: path) {
            throw SystemError(refusing: "connect", because: refusal)
        }
    }

    static func refusal(of listener: uid_t?, by user: uid_t, path: String) -> String? {
        if let listener, FileTrust.isTrusted(listener, by: user) { return nil }
        let name = listener.map { "another user (uid \($0))" } ?? "an unknown user"
        return "\(name) listens on \(path), so nothing was sent" + folderFault(path, user)
    }

    private static func folderFault(_ path: String, _ user: uid_t) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "" }
        let folder = String(path[..<slash])
        var status = stat()
        guard lstat(folder, &status) == 0, !FileTrust.isTrusted(status.st_uid, by: user) else { return "" }
        return "; its folder, \(folder), belongs to uid \(status.st_uid)"
    }
}
