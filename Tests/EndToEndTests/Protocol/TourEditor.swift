import AgentProcess
import Glibc
import Testing

/// An editor with one session of the misbehaving agent, which behaves correctly here.
struct TourEditor {
    private let process: EditorProcess

    /// Opens a session. A different `name` for the agent's program makes the bridge treat it as another agent.
    init(_ agent: [SystemString], named name: String? = nil, in home: BridgeHome) throws {
        var agent = agent
        if let name {
            let link = home.path + "/" + name
            #expect(symlink(agent[0].description, link) == 0)
            agent[0] = SystemString(link)
        }
        process = try EditorProcess(BridgeHome.bridged(agent), in: home)
        try request("session/new", #"{"cwd":"\#(home.path)","mcpServers":[]}"#)
    }

    /// Runs an agent that dies while it opens its session.
    static func crash(_ agent: [SystemString], in home: BridgeHome) throws {
        let process = try EditorProcess(BridgeHome.bridged(agent), in: home)
        try process.sendLine(#"{"jsonrpc":"2.0","id":1,"method":"session/new","params":{}}"#)
        #expect(try process.outcome().status == .signaled(signal: SIGKILL))
    }

    /// Sends a request and reads up to its answer.
    func request(_ method: String, _ params: String) throws {
        try process.sendLine(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#)
        while let line = try process.readLine() {
            if line.contains(#""id":1,"#) { return }
        }
        Issue.record("no answer to \(method)")
    }

    /// Sends a prompt and reads up to the permission request. Returns that request's id exactly as written.
    func prompt() throws -> String {
        try process.sendLine(
            #"{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"rude-1","prompt":[{"type":"text","text":"go"}]}}"#
        )
        while let line = try process.readLine() {
            guard line.contains("session/request_permission") else { continue }
            return String(try #require(line.firstMatch(of: /"id":("[^"]*"|[0-9]+)/)).1)
        }
        Issue.record("the agent requested no permission")
        return ""
    }

    func answerPermission(_ id: String, _ answer: String) throws {
        try process.sendLine(#"{"jsonrpc":"2.0","id":\#(id),\#(answer)}"#)
    }

    func leave() throws {
        process.closeInput()
        _ = try process.outcome()
    }

    func waitForEnd() throws { _ = try process.outcome() }
}
