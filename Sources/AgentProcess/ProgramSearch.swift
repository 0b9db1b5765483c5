import Glibc

/// Why a command could not be started, with the exit status a shell gives for it.
public enum SpawnError: Error, Equatable, CustomStringConvertible {
    case emptyCommand
    case notFound(program: String)
    case notExecutable(program: String)
    case badDirectory(String, reason: String)
    case failed(program: String, reason: String)

    /// 127 for a program that is not there, 126 for one that cannot be run, as POSIX shells do.
    public var exitStatus: Int32 {
        switch self {
        case .emptyCommand, .notFound: 127
        case .notExecutable, .badDirectory, .failed: 126
        }
    }

    public var description: String {
        switch self {
        case .emptyCommand: "no command was given"
        case .notFound(let program): "\(program): command not found"
        case .notExecutable(let program): "\(program): permission denied, or not a program"
        case .badDirectory(let directory, let reason): "working directory \(directory): \(reason)"
        case .failed(let program, let reason): "\(program): \(reason)"
        }
    }
}

/// Finds a command's file as a shell would, with the caller's `PATH` and directory rather than this process's own.
public struct ProgramSearch: Sendable {
    private let folders: [String]
    private let directory: String

    /// - Parameter environment: `NAME=value` strings; without a `PATH` the system's usual folders are searched.
    public init(environment: [String], directory: String) {
        let path = environment.last { $0.hasPrefix("PATH=") }.map { String($0.dropFirst(5)) }
        folders = (path ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").map(String.init)
        self.directory = directory
    }

    public func file(for program: String) throws(SpawnError) -> String {
        guard !program.isEmpty else { throw .emptyCommand }
        if program.contains("/") { return try check(absolute(program), program) }
        for folder in folders {
            let candidate = absolute(folder + "/" + program)
            if Self.isExecutableFile(candidate) { return candidate }
        }
        throw .notFound(program: program)
    }

    private func check(_ path: String, _ program: String) throws(SpawnError) -> String {
        guard access(path, F_OK) == 0 else { throw .notFound(program: program) }
        guard Self.isExecutableFile(path) else { throw .notExecutable(program: program) }
        return path
    }

    private func absolute(_ path: String) -> String { path.hasPrefix("/") ? path : directory + "/" + path }

    private static func isExecutableFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
}
