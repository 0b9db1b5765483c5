import AgentProcess
import EventLoop
import Glibc
import JSONScan
import Posix

/// `acpbridge serve` in the foreground, ready for clients.
struct Daemon {
    let process: EditorProcess
    /// The line that the daemon prints when it is ready.
    let ready: JSONValue

    /// - Parameter runner: a program that executes the command in its own process, for example `prlimit`.
    init(
        _ home: BridgeHome, _ options: [SystemString] = ["--no-tcp"], under runner: [SystemString] = [],
        environment: [SystemString] = []
    ) throws {
        process = try EditorProcess(
            runner + [Binary.acpbridge, "serve"] + options, in: home, environment: environment)
        guard let line = try process.readLineBytes() else { throw Failed(outcome: try process.outcome()) }
        ready = try JSONValue(validating: line)
        home.keep(process)
    }

    /// The daemon ended before it became ready.
    struct Failed: Error { let outcome: Outcome }

    /// The daemon's TCP address; nil if it does not listen on TCP.
    var address: SocketAddress? {
        guard let url = ready["url"]?.stringValue, let port = url.split(separator: ":").last.flatMap({ UInt16($0) })
        else { return nil }
        return .ip(host: "127.0.0.1", port: port)
    }

    /// Kills the daemon like the kernel does when memory runs out. Returns when the process is gone.
    func killAtOnce() throws {
        process.kill(SIGKILL)
        _ = try process.exitStatus()
    }
}

extension BridgeHome {
    /// Runs `acpbridge` to its end. With `--no-follow` it first waits until everything is stored, because that option
    /// prints what is stored.
    func run(_ arguments: SystemString..., environment: [SystemString] = []) throws -> Outcome {
        if arguments.contains("--no-follow") { try waitUntilStored() }
        return try EditorProcess([Binary.acpbridge] + arguments, in: self, environment: environment).outcome()
    }

    /// Runs a pipeline to its end. `acpbridge` in the script is the built program, and its status takes precedence over
    /// its reader's.
    func shell(_ script: String) throws -> Outcome {
        let prelude = #"set -o pipefail; acpbridge() { "$ACPBRIDGE" "$@"; }; "#
        return try EditorProcess(
            ["bash", "-c", SystemString(prelude + script)], in: self, environment: ["ACPBRIDGE=" + Binary.acpbridge]
        ).outcome()
    }

    /// The bridge's status report.
    func status() throws -> JSONValue { try JSONValue(validating: try run("status", "--json").output) }

    /// Waits until the log has everything that the agents have written. An editor has its answer before that.
    func waitUntilStored() throws {
        try eventually("everything is stored") {
            let outcome = try run("status", "--json")
            // Without a bridge, nothing waits for the log.
            guard outcome.status == .exited(code: 0) else { return true }
            return try JSONValue(validating: outcome.output)["unstoredBytes"]?.int64Value == 0
        }
    }

    /// Waits until no session is live and all of them are stored. An editor's process ends before that.
    func waitUntilEnded() throws {
        try eventually("all sessions have ended") { try status()["liveSessions"]?.int64Value == 0 }
    }
}

extension BridgeHome {
    /// Adds a user profile: an agent that clients can request by name.
    func addAgent(_ name: String, _ command: [SystemString]) throws {
        for folder in ["config", "config/agents"] { mkdir(path + "/" + folder, 0o700) }
        let json = JSONWriter.object { writer in
            writer.member("name", name)
            writer.memberArray("command") { for word in command { $0.element(word.description) } }
        }
        try FileBytes.write(json, to: path + "/config/agents/\(name).json")
    }
}
