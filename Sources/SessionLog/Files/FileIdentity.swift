import Glibc

/// Tells a file from another one of the same name.
struct FileIdentity: Equatable {
    private let device: dev_t
    private let inode: ino_t

    /// Nil if there is no such file.
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

/// The files of an open log as they were opened, for the writer's thread.
struct OpenedFiles {
    enum Part: CaseIterable {
        case database, wal, sharedMemory, spool, lock
    }

    private let file: LogFile
    private var identities: [Part: FileIdentity] = [:]

    /// - Parameter database: as it is open, which need not be the file of that name any more.
    init(_ file: LogFile, database: FileIdentity?) {
        self.file = file
        for part in Part.allCases { identities[part] = FileIdentity(path: file.path(of: part)) }
        identities[.database] = database
    }

    /// Those whose names are gone, or belong to other files now.
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
        case .sharedMemory: path + "-shm"
        case .spool: spoolPath
        case .lock: lockPath
        }
    }
}
