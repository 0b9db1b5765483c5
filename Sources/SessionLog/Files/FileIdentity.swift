import Glibc
import SessionStore

/// Distinguishes a file from another file of the same name.
struct FileIdentity: Equatable {
    private let device: dev_t
    private let inode: ino_t

    /// Nil if the file does not exist.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (device, inode) = (status.st_dev, status.st_ino)
    }

    init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        (device, inode) = (status.st_dev, status.st_ino)
    }
}

/// The identities of an open log's files when they were opened. For the writer's thread.
struct OpenedFiles {
    enum Part: Int, CaseIterable {
        case database, wal, sharedMemory, lines, spool, lock

        /// A connection in use has both. One that is missing when the identities are recorded was deleted after SQLite had
        /// opened it.
        fileprivate var isOfSQLite: Bool { self == .wal || self == .sharedMemory }
    }

    private let file: LogFile
    /// One for each part, in their order.
    private var identities: [FileIdentity?]

    /// - Parameters:
    ///   - lock: Has the database and the lock's file open. Their paths, and those of the next two files, can name other
    ///     files by now, or none.
    ///   - lines: The same for the file of floods.
    ///   - spool: The same for the spool; nil without a spool.
    init(_ file: LogFile, lock: LogLock, lines: FileIdentity?, spool: FileIdentity?) {
        self.file = file
        identities = Part.allCases.map { part in
            switch part {
            case .database: lock.database
            // SQLite has no function for the descriptors of these files.
            case .wal, .sharedMemory: FileIdentity(path: file.path(of: part))
            case .lines: lines
            case .spool: spool
            case .lock: lock.file
            }
        }
    }

    /// Records that a file was restored, so that it is not restored again if the next step fails.
    mutating func restored(_ part: Part, as identity: FileIdentity?) { identities[part.rawValue] = identity }

    /// The files that have lost their names, also to other files.
    var lost: [Part] {
        Part.allCases.filter { part in
            identities[part.rawValue].map { $0 != FileIdentity(path: file.path(of: part)) } ?? part.isOfSQLite
        }
    }
}

extension LogFile {
    func path(of part: OpenedFiles.Part) -> String {
        switch part {
        case .database: path
        case .wal: walPath
        case .sharedMemory: sharedMemoryPath
        case .lines: linesPath
        case .spool: spoolPath
        case .lock: lockPath
        }
    }
}

extension LinesFile {
    /// Of the open file, which can have lost its name.
    var identity: FileIdentity? { withDescriptor { FileIdentity(descriptor: $0) } }
}
