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
    enum Part: CaseIterable {
        case database, wal, sharedMemory, lines, spool, lock
    }

    private let file: LogFile
    private var identities: [Part: FileIdentity] = [:]

    /// - Parameters:
    ///   - database: The identity of the open database. Its path, and those of the other two, can name another file by
    ///     now, or none.
    ///   - lines: The same for the file of floods.
    ///   - spool: The same for the spool; nil without a spool.
    init(_ file: LogFile, database: FileIdentity?, lines: FileIdentity?, spool: FileIdentity?) {
        self.file = file
        for part in Part.allCases { identities[part] = FileIdentity(path: file.path(of: part)) }
        identities[.database] = database
        identities[.lines] = lines
        identities[.spool] = spool
    }

    /// Records that a file was restored, so that it is not restored again if the next step fails.
    mutating func restored(_ part: Part, as identity: FileIdentity?) { identities[part] = identity }

    /// The files that have lost their names, also to other files.
    var lost: [Part] {
        Part.allCases.filter { part in
            identities[part].map { $0 != FileIdentity(path: file.path(of: part)) } ?? false
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
