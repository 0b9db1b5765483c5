import AgentProcess
import Glibc

/// The received bytes and printed output of one side of a conversation.
struct Conversation {
    var outcome: Outcome
    /// All bytes that the agent, or the bridge in its place, wrote to the client.
    var wire: [UInt8]

    var lines: [String] {
        String(decoding: wire, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    var updates: [String] { lines.filter(Self.isUpdate) }

    static func isUpdate(_ line: String) -> Bool { line.contains(#""method":"session/update""#) }
}

/// The virtual environment that `Tests/run.sh` creates, and the programs that the tests run in it.
struct PythonSDK {
    static let python = SystemString(root + "/.venv/bin/python")
    static let isInstalled = access(root + "/.venv/requirements.txt", R_OK) == 0

    private static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        .dropLast(4).joined(separator: "/")

    /// The path of one of the SDK's examples.
    static func example(_ name: String) -> SystemString { SystemString(root + "/.venv/examples/" + name) }

    /// The path of one of the tests' own programs that use the SDK.
    static func script(_ name: String) -> SystemString { SystemString(root + "/Tests/EndToEndTests/Python/" + name) }

    /// Version 1.0 of the SDK, which also has version 2 of ACP, takes the place of the one in the virtual environment.
    static let version2 = "PYTHONPATH=" + root + "/.venv/version2"

    private let home: BridgeHome
    private var wire: String { home.path + "/wire" }

    init(_ home: BridgeHome) { self.home = home }

    /// Runs the SDK's example client with a user's lines on its standard input.
    func exampleClient(types lines: String, to agent: [SystemString]) throws -> Conversation {
        try runConversation([Self.python, Self.example("client.py")] + tapped(agent), input: lines)
    }

    /// Runs `client.py` in a fresh folder with a file in it.
    func client(takes steps: [String], with agent: [SystemString]) throws -> Conversation {
        try prepareFolder()
        let arguments = [SystemString(folder)] + steps.map { SystemString($0) } + ["--"]
        return try runConversation([Self.python, Self.script("client.py")] + arguments + tapped(agent))
    }

    /// Runs `client_v2.py` in a fresh folder with a file in it.
    func version2Client(takes steps: [String], with agent: [SystemString]) throws -> Conversation {
        let client = try startVersion2Client(taking: steps, with: agent)
        return Conversation(outcome: try client.outcome(), wire: FileBytes.read(wire) ?? [])
    }

    /// Starts the client and returns while it runs.
    func startVersion2Client(taking steps: [String], with agent: [SystemString]) throws -> EditorProcess {
        try prepareFolder()
        let arguments = [SystemString(folder)] + steps.map { SystemString($0) } + ["--"]
        let client = try EditorProcess(
            [Self.python, Self.script("client_v2.py")] + arguments + tapped(agent), in: home,
            environment: [SystemString(Self.version2)])
        client.closeInput()
        return client
    }

    /// Runs the same client over WebSocket, with an agent that the bridge starts.
    func client(takes steps: [String], over url: String, token: String) throws -> Outcome {
        try startClient(taking: steps, over: url, token: token).outcome()
    }

    /// Starts the client and returns while it runs.
    func startClient(taking steps: [String], over url: String, token: String) throws -> EditorProcess {
        try prepareFolder()
        let arguments = [SystemString(folder)] + steps.map { SystemString($0) } + ["--", SystemString(url)]
        let client = try EditorProcess(
            [Self.python, Self.script("client.py")] + arguments, in: home,
            environment: [SystemString("ACPBRIDGE_TOKEN=\(token)")])
        client.closeInput()
        return client
    }

    private var folder: String { home.path + "/project" }

    private func prepareFolder() throws {
        mkdir(folder, 0o700)
        try FileBytes.write("one\n".utf8, to: folder + "/notes.txt")
        try FileBytes.write("# Demo notes\n".utf8, to: folder + "/demo-notes.md")
    }

    /// The output of `attach` for a session, from its first update to its end.
    func attached(_ session: String) throws -> [String] {
        let attach = try EditorProcess([Binary.acpbridge, "attach", SystemString(session)], in: home)
        attach.closeInput()
        return try attach.outcome().outputText.split(separator: "\n").map(String.init)
    }

    private func runConversation(_ command: [SystemString], input: String = "") throws -> Conversation {
        let client = try EditorProcess(command, in: home)
        client.post(Array(input.utf8))
        client.closeInput()
        return Conversation(outcome: try client.outcome(), wire: FileBytes.read(wire) ?? [])
    }

    /// The agent, with tee(1) between its output and its client.
    private func tapped(_ agent: [SystemString]) -> [SystemString] {
        ["/bin/bash", "-c", #"exec "$@" > >(exec tee "$0")"#, SystemString(wire)] + agent
    }
}
