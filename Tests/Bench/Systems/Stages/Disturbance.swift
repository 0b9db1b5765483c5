import BenchLoad
import BenchMeasuring
import EventLoop
import Glibc
import Posix

/// A load in a bridge beside the watched session. Its output is discarded, and it runs outside this process, so that
/// measuring does not disturb the session.
package enum Disturbance: String, CaseIterable {
    case none
    /// Another agent that writes as fast as it can, with one reader.
    case flood
    /// Another agent that writes lines of nearly 64 MiB, one a second, with one reader.
    case longLine = "64 MiB lines"
    /// A reader that reads an ended session of a million updates repeatedly.
    case replay

    /// A little below the limit, with room for the LF.
    static let longLineBytes = (64 << 20) - 1_000

    package func begin(_ programs: Programs, home: BridgeHome, endedSession: String?) throws -> [RunningProgram] {
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

    /// An editor that prompts its agent for more updates than it will ever receive, and discards them. The agent's
    /// command is `sh`, so the bridge does not share the watched agent.
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
