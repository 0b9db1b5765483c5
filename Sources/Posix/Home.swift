import Glibc

/// The folders and files of one user's bridge.
package struct Home: Sendable, Equatable {
    /// Socket and locks. Gone after a restart of the machine.
    package let runtime: String
    /// The session log.
    package let state: String
    /// Settings, token and agent profiles.
    package let configuration: String

    package var socket: String { runtime + "/bridge.sock" }
    /// The daemon holds this lock for its whole life. The file contains the daemon's process id.
    package var daemonLock: String { runtime + "/bridge.lock" }
    /// The running agents, for the next bridge if this one is killed.
    package var agentRecord: String { runtime + "/agents" }
    /// A process holds this lock while it starts a daemon.
    package var startLock: String { runtime + "/start.lock" }
    /// The port that a bridge took instead of the requested one, for its next start.
    package var port: String { state + "/port" }
    package var log: String { state + "/sessions.db" }
    /// The full-text index of the session log. It can be deleted, and is then built again.
    package var searchIndex: String { state + "/search.db" }
    /// The folder of the files that clients have uploaded.
    package var files: String { state + "/files" }
    /// The output of a daemon that was started on demand, without a terminal.
    package var daemonOutput: String { state + "/bridge.log" }
    /// The audit log: each recorded action with its actor.
    package var audit: String { state + "/audit.log" }
    package var token: String { configuration + "/token" }
    /// The stored records of the tokens that `acpbridge token create` made.
    package var tokens: String { configuration + "/tokens" }
    /// The settings of the bridge, if the file exists.
    package var settings: String { configuration + "/config.json" }
    package var agents: String { configuration + "/agents" }
    /// The rules of notifications.
    package var notifications: String { configuration + "/notifications.json" }
    /// The key pair of Web Push.
    package var pushKey: String { configuration + "/push-key" }
    package var pushSubscriptions: String { state + "/push-subscriptions" }
    /// Sessions without notifications.
    package var mutedSessions: String { state + "/muted-sessions" }
    /// Deleted sessions that a hub still has, in the file of earlier versions.
    package var hubDeletions: String { state + "/hub-deletions" }
    /// Notifications that wait to be delivered.
    package var notificationQueue: String { state + "/notifications" }

    /// - Parameter root: One folder for all files, which makes a separate bridge.
    package init(root: String) {
        runtime = root + "/run"
        state = root + "/state"
        configuration = root + "/config"
    }

    /// Thrown if the system has no home folder for the user and the environment names none.
    package struct Missing: Error, Equatable, CustomStringConvertible {
        package let user: uid_t

        package var description: String {
            "HOME is not set, and the system has no home folder for uid \(user): set HOME or ACPBRIDGE_HOME"
        }
    }

    /// Takes the folders from `ACPBRIDGE_HOME`, or else from the XDG base directories. Without `XDG_RUNTIME_DIR`, the
    /// socket is in the user's own folder below `/tmp`, which ``prepare()`` and every client check. State and
    /// configuration are never below `/tmp`: without `HOME`, the home folder from the user database is used.
    ///
    /// - Parameter homeFolder: Returns the user's home folder from the user database.
    package init(
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

    /// unix(7) limits a path to 107 bytes. The socket is first bound under its path with `.new` appended.
    private static let socketPathBytes = 103

    /// Creates the missing folders with mode 0700. Refuses a folder that another user owns or can write to, before
    /// anything in the folder is opened.
    package func prepare() throws(SystemError) {
        guard socket.utf8.count <= Self.socketPathBytes else {
            throw SystemError(
                "the socket's path, \(socket), is longer than \(Self.socketPathBytes) bytes", code: ENAMETOOLONG)
        }
        let runtimeFolder = try Self.openFolder(runtime, variable: "XDG_RUNTIME_DIR", followsLink: false)
        guard fchmod(runtimeFolder.raw, 0o700) == 0 else { throw SystemError("chmod \(runtime)") }
        _ = try Self.openFolder(state, variable: "XDG_STATE_HOME")
        _ = try Self.openFolder(configuration, variable: "XDG_CONFIG_HOME")
    }

    /// Creates the folder of the user's agent profiles, with mode 0700, and checks that no other user can change it.
    package func prepareAgents() throws(SystemError) {
        _ = try Self.openFolder(configuration, variable: "XDG_CONFIG_HOME")
        _ = try Self.openFolder(agents, variable: "XDG_CONFIG_HOME")
    }

    /// - Parameter variable: The environment variable that moves the folder.
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
