import Glibc

/// An open file descriptor, closed once, when its owner is gone.
///
/// A type of its own, and nothing that throws in it once it is open: a throwing `init` whose properties all have their
/// values runs `deinit` too, and a descriptor closed twice may by then be another thread's file.
struct Descriptor: ~Copyable, Sendable {
    let number: Int32

    /// Not inherited by the agents that are started. A file that is created has mode 0600.
    init(path: String, flags: Int32) throws(LogError) {
        let number = open(path, flags | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw .lastSystemError("open", path) }
        self.number = number
    }

    deinit { close(number) }
}
