import AgentProcess
import EventLoop
import Glibc
import JSONScan

/// `acpbridge serve` in the foreground, ready.
struct Daemon {
    let process: EditorProcess
    /// The line it says when it is ready.
    let ready: JSONValue

    /// - Parameter runner: a program that becomes what it is told to run, as `prlimit` does.
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

    /// It ended instead of becoming ready.
    struct Failed: Error { let outcome: Outcome }

    /// Where it listens on TCP; nil when it does not.
    var address: SocketAddress? {
        guard let url = ready["url"]?.stringValue, let port = url.split(separator: ":").last.flatMap({ UInt16($0) })
        else { return nil }
        return .ip(host: "127.0.0.1", port: port)
    }

    /// As the kernel does when memory runs out; returns when it is gone.
    func killAtOnce() throws {
        process.kill(SIGKILL)
        _ = try process.exitStatus()
    }
}

extension BridgeHome {
    /// Runs `acpbridge` to its end.
    func run(_ arguments: SystemString..., environment: [SystemString] = []) throws -> Outcome {
        try EditorProcess([Binary.acpbridge] + arguments, in: self, environment: environment).outcome()
    }

    /// Runs a pipeline to its end; `acpbridge` in it is the built one, and its status counts before that of its reader.
    func shell(_ script: String) throws -> Outcome {
        let prelude = #"set -o pipefail; acpbridge() { "$ACPBRIDGE" "$@"; }; "#
        return try EditorProcess(
            ["bash", "-c", SystemString(prelude + script)], in: self, environment: ["ACPBRIDGE=" + Binary.acpbridge]
        ).outcome()
    }

    /// What the bridge says of itself.
    func status() throws -> JSONValue { try JSONValue(validating: try run("status", "--json").output) }
}

extension BridgeHome {
    /// A profile of the user's own: an agent that clients can ask for by name.
    func addAgent(_ name: String, _ command: [SystemString]) throws {
        for folder in ["config", "config/agents"] { mkdir(path + "/" + folder, 0o700) }
        let json = JSONWriter.object { writer in
            writer.member("name", name)
            writer.memberArray("command") { for word in command { $0.element(word.description) } }
        }
        try FileBytes.write(json, to: path + "/config/agents/\(name).json")
    }
}
