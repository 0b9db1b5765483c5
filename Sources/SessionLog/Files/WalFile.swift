import Glibc

/// A descriptor of our own on the `-wal` file, to sync it. SQLite keeps no locks there, so closing it drops none.
struct WalFile: ~Copyable {
    private let descriptor: Int32
    private let path: String

    /// The file must be there: it is, from the first commit until the last connection closes.
    init(path: String) throws(LogError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .lastSystemError("open", path) }
    }

    deinit { Glibc.close(descriptor) }

    /// Returns when everything written so far is on disk.
    func sync() throws(LogError) {
        guard fdatasync(descriptor) == 0 else { throw .lastSystemError("sync", path) }
    }
}
