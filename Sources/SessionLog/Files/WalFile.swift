import Glibc

/// The log's own descriptor on the `-wal` file, used to sync it. SQLite keeps no locks on this file, so closing the
/// descriptor drops none.
struct WalFile: ~Copyable {
    private let descriptor: Descriptor
    private let path: String

    /// The file must exist. It exists from the first commit until the last connection closes.
    init(path: String) throws(LogError) {
        descriptor = try Descriptor(path: path, flags: O_RDONLY)
        self.path = path
    }

    /// Returns when everything written so far is on disk.
    func sync() throws(LogError) {
        guard fdatasync(descriptor.number) == 0 else { throw .lastSystemError("sync", path) }
    }
}
