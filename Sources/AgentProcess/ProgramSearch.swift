import Glibc

/// The reason why a command could not be started, with the exit status that a shell returns for it.
package enum SpawnError: Error, Equatable, CustomStringConvertible {
    case emptyCommand
    case notFound(program: String)
    case notExecutable(program: String)
    case badDirectory(String, reason: String)
    case failed(program: String, reason: String)

    /// 127 for a missing program and 126 for one that cannot be run, as in POSIX shells.
    package var exitStatus: Int32 {
        switch self {
        case .emptyCommand, .notFound: 127
        case .notExecutable, .badDirectory, .failed: 126
        }
    }

    package var description: String {
        switch self {
        case .emptyCommand: "no command was given"
        case .notFound(let program): "\(program): command not found"
        case .notExecutable(let program): "\(program): permission denied, or not a program"
        case .badDirectory(let directory, let reason): "working directory \(directory): \(reason)"
        case .failed(let program, let reason): "\(program): \(reason)"
        }
    }
}

/// Finds a command's file like a shell, with the caller's `PATH` and directory instead of this process's own.
package struct ProgramSearch: Sendable {
    private let folders: [SystemString]
    private let directory: SystemString

    private static let standardPath = Array("/usr/local/bin:/usr/bin:/bin".utf8)

    /// - Parameter environment: `NAME=value` strings. Without a `PATH`, the system's default folders are searched.
    package init(environment: [SystemString], directory: SystemString) {
        let path = environment.last { $0.bytes.starts(with: "PATH=".utf8) }?.bytes.dropFirst(5)
        folders = (path ?? Self.standardPath[...]).split(separator: UInt8(ascii: ":")).map {
            SystemString(bytes: Array($0))
        }
        self.directory = directory
    }

    package func file(for program: SystemString) throws(SpawnError) -> SystemString {
        guard !program.bytes.isEmpty else { throw .emptyCommand }
        if program.bytes.contains(UInt8(ascii: "/")) { return try check(absolute(program), program) }
        for folder in folders {
            let candidate = absolute(folder + "/" + program)
            if Self.isExecutableFile(candidate) { return candidate }
        }
        throw .notFound(program: program.description)
    }

    private func check(_ path: SystemString, _ program: SystemString) throws(SpawnError) -> SystemString {
        guard path.withCString({ access($0, F_OK) }) == 0 else { throw .notFound(program: program.description) }
        guard Self.isExecutableFile(path) else { throw .notExecutable(program: program.description) }
        return path
    }

    private func absolute(_ path: SystemString) -> SystemString {
        path.bytes.first == UInt8(ascii: "/") ? path : directory + "/" + path
    }

    private static func isExecutableFile(_ path: SystemString) -> Bool {
        path.withCString { path in
            var status = stat()
            return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
        }
    }
}
