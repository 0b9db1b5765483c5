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

    /// The system knows no home folder for the user, and the environment names none.
    public struct Missing: Error, Equatable, CustomStringConvertible {
        public let user: uid_t

        public var description: String {
            "HOME is not set, and the system has no home folder for uid \(user): set HOME or ACPBRIDGE_HOME"
        }
    }

    /// From `ACPBRIDGE_HOME`, or else the XDG base directories. Without `XDG_RUNTIME_DIR` the socket lives in a folder
    /// of the user's own below `/tmp`, which ``prepare()`` and every client check. State and configuration never do:
    /// without `HOME` the home folder is the one in the user database.
    ///
    /// - Parameter homeFolder: looks the user up in that database.
    public init(
        environment: [String: String], user: uid_t,
        homeFolder: (uid_t) -> String? = { UserDatabase.homeFolder(of: $0) }
    ) throws(Missing) {
        if let root = environment["ACPBRIDGE_HOME"], !root.isEmpty {
            self.init(root: root)
            return
        }
        func absolute(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        func folder(_ name: String, _ path: String) throws(Missing) -> String {
            if let value = absolute(name) { return value + "/acpbridge" }
            guard let home = absolute("HOME") ?? homeFolder(user) else { throw Missing(user: user) }
            return home + path
        }
        self.init(
            runtime: absolute("XDG_RUNTIME_DIR").map { $0 + "/acpbridge" } ?? "/tmp/acpbridge-\(user)",
            state: try folder("XDG_STATE_HOME", "/.local/state/acpbridge"),
            configuration: try folder("XDG_CONFIG_HOME", "/.config/acpbridge"))
    }

    private init(runtime: String, state: String, configuration: String) {
        self.runtime = runtime
        self.state = state
        self.configuration = configuration
    }

    /// unix(7) gives a path 107 bytes; the socket is bound under this one with `.new` behind it.
    private static let socketPathBytes = 103

    /// Makes the folders that are missing, mode 0700. Refuses one that another user owns or can write to, before
    /// anything in it is opened.
    public func prepare() throws(SystemError) {
        guard socket.utf8.count <= Self.socketPathBytes else {
            throw SystemError(
                "the socket's path, \(socket), is longer than \(Self.socketPathBytes) bytes", code: ENAMETOOLONG)
        }
        let runtimeFolder = try Self.openFolder(runtime, variable: "XDG_RUNTIME_DIR", followsLink: false)
        guard fchmod(runtimeFolder.raw, 0o700) == 0 else { throw SystemError("chmod \(runtime)") }
        _ = try Self.openFolder(state, variable: "XDG_STATE_HOME")
        _ = try Self.openFolder(configuration, variable: "XDG_CONFIG_HOME")
    }

    /// - Parameter variable: the environment variable that moves the folder.
    private static func openFolder(
        _ path: String, variable: String, followsLink: Bool = true
    ) throws(SystemError) -> Descriptor {
        try makeFolder(path)
        do throws(SystemError) {
            return try FileTrust.openFolder(path, followsLink: followsLink)
        } catch {
            guard let refusal = error.refusal else { throw error }
            let advice = "; to use another folder, set \(variable) or ACPBRIDGE_HOME"
            throw SystemError(refusing: error.call, because: refusal + advice)
        }
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
