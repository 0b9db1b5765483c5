import EventLoop
import Glibc

/// What goes on in a bridge beside the session that is watched. Its output goes nowhere, and it is no part of this
/// process, so that the measuring itself is not what disturbs.
enum Disturbance: String, CaseIterable {
    case none
    /// Another agent that writes as fast as it can, and a reader of it.
    case flood
    /// Another agent that writes lines of nearly 64 MiB, one a second, and a reader of it.
    case longLine = "64 MiB lines"
    /// A reader who reads an ended session of a million updates, over and over.
    case replay

    /// A little under the limit, with room for the LF.
    static let longLineBytes = (64 << 20) - 1_000

    func begin(_ programs: Programs, home: BridgeHome, endedSession: String?) throws -> [RunningProgram] {
        func run(_ script: String, _ words: [String]) throws -> RunningProgram {
            try RunningProgram(["/bin/sh", "-c", script, "sh"] + words, environment: home.environment)
        }
        switch self {
        case .none: return []
        case .flood:
            let agent = try run(Self.promptScript, [programs.acpbridge] + programs.agent(AgentOptions()))
            return [agent, try run(Self.readScript, [programs.acpbridge, "sh:" + UpdateLine.sessionId(1)])]
        case .longLine:
            var options = AgentOptions()
            options.lineBytes = Self.longLineBytes
            options.rate = 1
            return [try run(Self.promptScript, [programs.acpbridge] + programs.agent(options))]
        case .replay:
            return [try run(Self.replayScript, [programs.acpbridge, endedSession ?? ""])]
        }
    }

    /// An editor that prompts its agent for more than it will ever get, and throws it away. The agent goes by the name of
    /// `sh`, and so is another one than that which is watched.
    private static let promptScript = """
        program=$1; shift
        { echo '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}'
          echo '{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}'
          sleep 0.2
          echo '{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"bench-0001",
        "prompt":[{"type":"text","text":"1000000000"}]}}' | tr -d '\\n'; echo
          sleep 1000; } | "$program" -- sh -c 'exec "$@"' sh "$@" >/dev/null
        """
    private static let readScript = """
        until "$1" attach "$2" --from now >/dev/null; do sleep 0.1; done
        """
    private static let replayScript = """
        while "$1" attach "$2" --no-follow >/dev/null; do :; done
        """
}
