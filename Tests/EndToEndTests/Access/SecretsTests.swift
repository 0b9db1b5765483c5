import AgentProcess
import EventLoop
import Glibc
import HTTP1
import JSONScan
import Posix
import Testing

/// Prompts, tokens and passed environments must not appear in anything that the bridge prints or writes, whatever
/// fails. Only the session log contains the conversation.
@Suite(.blocking) struct SecretsTests {
    private static let prompt = "kumquat-prompt-5d1f"
    private static let environment = "kumquat-environment-9a02"
    private static let token = "kumquat-token-77be"
    private static let secrets = [prompt, environment, token]

    @Test func onlyTheSessionLogContainsSecrets() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home, ["--listen", ":0", "--limit", "message=4KiB", "--limit", "agents=2"])
            let address = try #require(daemon.address)
            let real = try TokenTests.create(home, "--role", "control")
            var said: [String] = []
            said += try refusals(address, real)
            said += try malformedRequests(address, real)
            said += try endings(home)
            said += try home.run("status", "--json").outputText.split(separator: "\n").map(String.init)
            said += try home.run("token", "list").outputText.split(separator: "\n").map(String.init)
            said += [daemon.process.errorText, String(decoding: daemon.process.outputBytes, as: UTF8.self)]
            said += try Self.files(home.path)
            for text in said {
                for secret in Self.secrets + [String(real.dropFirst(12))] {
                    #expect(!text.contains(secret), "\(secret) in: \(text.prefix(400))")
                }
            }
            #expect(said.contains { $0.contains(#""event":"prompted""#) }, "the texts include the audit log")
        }
    }

    /// The faults: a failing disk, an agent that prints its environment on stderr and dies, another program that
    /// replaces the bridge's program, a killed bridge, and the next bridge.
    @Test func faultsDoNotRevealSecrets() throws {
        try BridgeHome.with { home in
            let faults = try Faults(home)
            let first = try faults.daemon()
            let client = try TinyvexTestClient(home)
            let variable = SystemString("SECRET=" + Self.environment)
            let agent: [SystemString] = [
                "sh", "-c", #"echo "$SECRET" >&2; exec "$0" "$@""#, Binary.rudeAgent, "crash", "--on", "prompt",
            ]
            let dying = try EditorSession(agent, in: home, environment: [variable])
            let going = try EditorSession(rude("echo"), in: home, environment: [variable])
            _ = try client.subscribe(going.sessionId)
            try going.prompt(Self.prompt)
            try faults.set(writeError: EIO)
            for editor in [dying, going] { try editor.send(prompt: Self.prompt) }
            _ = try dying.process.outcome()
            try going.waitForAnswer()
            var said: [String] = []
            try eventually("the bridge reports the failing disk") {
                said = [try home.run("status", "--json").outputText]
                return said[0].contains("logError")
            }
            let metrics = try HTTPClient(.unix(path: home.socket)).get("/metrics")
            said.append(String(decoding: metrics.body, as: UTF8.self))
            try faults.set()
            try eventually("the bridge has recovered") { try home.status()["logError"] == nil }
            said.append(try home.run("serve", "--replace").outputText)
            said += client.takeKept().map { String(decoding: $0, as: UTF8.self) }.filter {
                $0.contains("tinyvex/error")
            }
            try going.send(prompt: Self.prompt)
            try first.killAtOnce()
            said.append(try going.process.outcome().errorText)
            let second = try Daemon(home)
            said += [first.process.errorText, second.process.errorText] + (try Self.files(home.path))
            let all = said.joined(separator: "\n")
            for secret in Self.secrets { #expect(!all.contains(secret), "\(secret)") }
            #expect(
                all.contains("logError") && all.contains(#""event":"prompted""#),
                "the texts include the status and the audit log")
        }
    }

    /// Connects with a wrong token in each possible place of a token.
    private func refusals(_ address: SocketAddress, _ real: String) throws -> [String] {
        let wrong = Self.token
        let requests: [(String, [String])] = [
            ("/tinyvex", ["Authorization: Bearer \(wrong)"]), ("/tinyvex", ["Authorization: Basic \(wrong)"]),
            ("/tinyvex", ["Authorization: Bearer \(wrong)", "Authorization: Bearer \(real)"]),
            ("/tinyvex?token=\(wrong)", []), ("/v1/sessions?access_token=\(real)", []),
            ("/tinyvex", ["Sec-WebSocket-Protocol: tinyvex.v1, bearer.\(wrong)"]),
            ("/\(wrong)", ["Authorization: Bearer \(real)"]), ("/tinyvex", ["Origin: https://\(wrong).example"]),
            ("/tinyvex", ["Authorization: Bearer \(wrong)\u{1}"]),
        ]
        return try requests.map { target, fields in
            let connection = try RawConnection(address)
            let response = try connection.response(to: RawConnection.head(target, RawConnection.upgrade + fields))
            #expect(response.status >= 400)
            return String(decoding: response.bytes(), as: UTF8.self)
        }
    }

    /// Sends malformed requests on an accepted connection.
    private func malformedRequests(_ address: SocketAddress, _ real: String) throws -> [String] {
        let text = Self.prompt
        let client = try TinyvexTestClient(address, token: real)
        let calls = [
            ("tinyvex/auth.setToken", #"{"token":"\#(Self.token)"}"#),
            (
                "tinyvex/action",
                #"{"requestId":"1","name":"sessions:prompt","args":{"sessionId":"s","text":"\#(text)"}}"#
            ),
            ("tinyvex/action", #"{"requestId":"1","name":"sessions:prompt","args":{"text":"\#(text)","sessionId":5}}"#),
            ("session/prompt", #"{"sessionId":"s","prompt":[{"type":"text","text":"\#(text)"}]}"#),
            ("session/prompt", #"{"sessionId":"s","prompt":"\#(text)"}"#),
            (
                "session/new",
                #"{"cwd":"/","mcpServers":[{"name":"m","env":[{"name":"A","value":"\#(Self.environment)"}]}]}"#
            ),
        ]
        var said = try calls.map { try client.call($0.0, $0.1).rawString }
        for broken in [#"{"id":1,"method":"session/prompt","params":{"text":"\#(text)""#, "\(text)", #"["\#(text)"]"#] {
            try client.send(broken)
            said.append(String(decoding: try client.nextMessage(), as: UTF8.self))
        }
        try client.send(#"{"id":1,"params":"\#(text)\#(String(repeating: "x", count: 5000))"}"#)
        try client.waitForEnd()
        let http = HTTPClient(address, token: real)
        for body in [#"{"path":"sessions:prompt","args":{"text":"\#(text)"#, #"{"path":"x","args":"\#(text)"}"#] {
            said.append(String(decoding: try http.post("/api/action", body).body, as: UTF8.self))
        }
        return said
    }

    /// Agents that cannot be started, that crash, or that are killed during a turn.
    private func endings(_ home: BridgeHome) throws -> [String] {
        let variable = SystemString("SECRET=" + Self.environment)
        let missing = try home.run("--", "/nonexistent/agent", environment: [variable])
        #expect(missing.status != .exited(code: 0))
        let crashing = try EditorSession(
            [Binary.rudeAgent, "crash", "--on", "prompt"], in: home, environment: [variable])
        try crashing.send(prompt: Self.prompt)
        let crash = try crashing.process.outcome()
        let stalled = try EditorSession([Binary.rudeAgent, "stall"], in: home, environment: [variable])
        try stalled.send(prompt: Self.prompt)
        try eventually("the prompt is running") { try home.status()["liveSessions"]?.int64Value == 1 }
        let full = try EditorSession([Binary.rudeAgent, "echo"], in: home, environment: [variable])
        let refused = try home.run("--", Binary.rudeAgent, "echo", environment: [variable])
        #expect(refused.errorText.contains("2 agents, which is the limit"))
        try full.end()
        stalled.process.kill(SIGKILL)
        return [missing.errorText, crash.errorText, refused.errorText]
    }

    /// The bridge's files, except its log and the file of the token itself.
    private static func files(_ home: String) throws -> [String] {
        var texts: [String] = []
        for folder in ["state", "config", "run"] {
            guard let directory = opendir("\(home)/\(folder)") else { continue }
            defer { closedir(directory) }
            while let entry = readdir(directory) {
                let name = withUnsafeBytes(of: entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                if name.hasPrefix("sessions.db") || name == "token" { continue }
                if let bytes = FileBytes.read("\(home)/\(folder)/\(name)") {
                    texts.append(String(decoding: bytes, as: UTF8.self))
                }
            }
        }
        return texts
    }
}
