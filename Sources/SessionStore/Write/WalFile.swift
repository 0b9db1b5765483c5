import Glibc
import Posix
import SessionRecords

/// The log's own descriptor on the `-wal` file, used to sync it. SQLite keeps no locks on this file, so closing the
/// descriptor drops none.
package struct WalFile: ~Copyable {
    private let descriptor: Descriptor
    private let path: String

    /// The file must exist. It exists from the first commit until the last connection closes.
    package init(path: String) throws(LogError) {
        descriptor = try LogFile.open(path, flags: O_RDONLY)
        self.path = path
    }

    /// Returns when everything written so far is on disk.
    package func sync() throws(LogError) {
        guard fdatasync(descriptor.raw) == 0 else { throw .lastSystemError("sync", path) }
    }
}
