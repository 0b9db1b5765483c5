import Glibc

/// An open file descriptor, closed once, when its owner is gone.
///
/// A type of its own, and nothing that throws in it once it is open: a throwing `init` whose properties all have their
/// values runs `deinit` too, and a descriptor closed twice may by then be another thread's file.
struct Descriptor: ~Copyable, Sendable {
    let number: Int32

    /// Not inherited by the agents that are started. A file that is created has mode 0600; one that belongs to neither
    /// this user nor root is refused, because its content is believed.
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
