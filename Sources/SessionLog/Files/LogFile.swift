import Glibc

/// The paths of one log, and the mode of its files.
struct LogFile: Sendable {
    let path: String

    var lockPath: String { path + ".lock" }
    var walPath: String { path + "-wal" }
    var spoolPath: String { path + "-spool" }

    /// Makes sure that the file is there and nobody else's to read. SQLite gives `-wal` and `-shm` the same mode.
    ///
    /// Only under the lock, and before SQLite opens the file: closing a descriptor drops the process's locks on it.
    func create() throws(LogError) {
        let descriptor = try Descriptor(path: path, flags: O_RDWR | O_CREAT)
        guard fchmod(descriptor.number, 0o600) == 0 else { throw .lastSystemError("change mode of", path) }
    }
}
