import Glibc

/// An open file descriptor that is closed once, when its owner goes out of scope.
///
/// This is a separate type, and its `init` does not throw once the descriptor is open. A throwing `init` runs `deinit`
/// too if all properties have their values, and a descriptor number that is closed twice can belong to another thread's
/// file by then.
struct Descriptor: ~Copyable, Sendable {
    let number: Int32

    /// Started agents do not inherit the descriptor. A new file has mode 0600. A file that belongs to neither this user
    /// nor root is refused, because the log trusts the file's content.
    init(path: String, flags: Int32) throws(LogError) {
        let number = open(path, flags | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw .lastSystemError("open", path) }
        if let owner = Self.stranger(owning: number) {
            close(number)
            throw .foreignFile(path: path, owner: owner)
        }
        self.number = number
    }

    private static func stranger(owning number: Int32) -> uid_t? {
        var status = stat()
        guard fstat(number, &status) == 0, status.st_uid != geteuid(), status.st_uid != 0 else { return nil }
        return status.st_uid
    }

    deinit { close(number) }
}
