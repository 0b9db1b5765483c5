import Posix
import SessionRecords

/// The paths of one log.
package struct LogFile: Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    package var lockPath: String { path + ".lock" }
    package var walPath: String { path + "-wal" }
    package var sharedMemoryPath: String { path + "-shm" }
    package var linesPath: String { path + "-lines" }
    package var spoolPath: String { path + "-spool" }
    /// If this file exists, the log gets a new id when it is opened.
    package var renewalPath: String { path + "-new-id" }

    /// Opens one of a log's files. A file that belongs to neither this user nor root is refused, because the log trusts
    /// the file's content.
    package static func open(_ path: String, flags: Int32) throws(LogError) -> Descriptor {
        do throws(FileTrust.OpenFailure) {
            return try FileTrust.openOwnFile(path, flags: flags)
        } catch {
            switch error {
            case .foreign(let owner): throw .foreignFile(path: path, owner: owner)
            case .system(let error): throw .system(operation: "open", path: path, errno: error.code)
            }
        }
    }
}
