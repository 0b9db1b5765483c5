import EventLoop
import Glibc

/// The folders and files of one user's bridge.
public struct Home: Sendable, Equatable {
    /// Socket and locks; gone after a restart of the machine.
    public let runtime: String
    /// The log.
    public let state: String
    /// Token and agent profiles.
    public let configuration: String

    public var socket: String { runtime + "/bridge.sock" }
    /// Held by the daemon for as long as it lives; has its process id in it.
    public var daemonLock: String { runtime + "/bridge.lock" }
    /// Which agents run, for the bridge that comes after one that was killed.
    public var agentRecord: String { runtime + "/agents" }
    /// Held by whoever is starting a daemon.
    public var startLock: String { runtime + "/start.lock" }
    public var log: String { state + "/sessions.db" }
    /// What a daemon that was started on demand says to no one.
    public var daemonOutput: String { state + "/bridge.log" }
    /// Who did what.
    public var audit: String { state + "/audit.log" }
    public var token: String { configuration + "/token" }
    /// What is kept of the tokens that were made with `acpbridge token create`.
    public var tokens: String { configuration + "/tokens" }
    public var agents: String { configuration + "/agents" }

    /// - Parameter root: one folder for everything: a bridge of its own.
    public init(root: String) {
        runtime = root + "/run"
        state = root + "/state"
        configuration = root + "/config"
    }

    /// From `ACPBRIDGE_HOME`, or else the XDG base directories. Without `XDG_RUNTIME_DIR` the socket lives in a folder
    /// of the user's own below `/tmp`.
    public init(environment: [String: String], user: uid_t) {
        if let root = environment["ACPBRIDGE_HOME"], !root.isEmpty {
            self.init(root: root)
            return
        }
        let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp/acpbridge-\(user)"
        func folder(_ name: String, _ standard: String) -> String {
            guard let value = environment[name], value.hasPrefix("/") else { return standard }
            return value + "/acpbridge"
        }
        self.init(
            runtime: folder("XDG_RUNTIME_DIR", "/tmp/acpbridge-\(user)"),
            state: folder("XDG_STATE_HOME", home + "/.local/state/acpbridge"),
            configuration: folder("XDG_CONFIG_HOME", home + "/.config/acpbridge"))
    }

    private init(runtime: String, state: String, configuration: String) {
        self.runtime = runtime
        self.state = state
        self.configuration = configuration
    }

    /// unix(7) gives a path 107 bytes; the socket is bound under this one with `.new` behind it.
    private static let socketPathBytes = 103

    /// Makes the folders that are missing, mode 0700, and refuses a runtime folder that another user could have laid.
    public func prepare() throws(SystemError) {
        guard socket.utf8.count <= Self.socketPathBytes else {
            throw SystemError(
                "the socket's path, \(socket), is longer than \(Self.socketPathBytes) bytes", code: ENAMETOOLONG)
        }
        for folder in [runtime, state, configuration] { try Self.makeFolder(folder) }
        var status = stat()
        guard lstat(runtime, &status) == 0 else { throw SystemError(runtime) }
        guard status.st_uid == geteuid(), status.st_mode & S_IFMT == S_IFDIR else {
            throw SystemError("\(runtime) belongs to another user", code: EPERM)
        }
        guard chmod(runtime, 0o700) == 0 else { throw SystemError("chmod \(runtime)") }
    }

    private static func makeFolder(_ path: String) throws(SystemError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
            throw SystemError("mkdir \(path)")
        }
        try makeFolder(String(path[..<slash]))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SystemError("mkdir \(path)") }
    }
}
