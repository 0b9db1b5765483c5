import ACP
import AgentProcess
import EventLoop
import JSONScan
import Posix
import Testing
import Tinyvex
import WebSocket

/// The permissions of each role, and the effect on a connection that changes its own role.
@Suite(.blocking) struct RoleTests {
    private static let actions = [
        ("bridge:stop", "{}"), ("tokens:list", "{}"), ("tokens:create", #"{"role":"observe"}"#),
        ("codes:create", #"{"role":"observe"}"#), ("notifications:test", "{}"),
        ("tokens:revoke", #"{"id":"tk_00000000"}"#),
    ]

    @Test(arguments: ["observe", "control"])
    func aNonAdminCanReadButCannotAdministerTheBridge(role: String) throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            let client = try TinyvexTestClient(
                address, token: TokenTests.create(home, "--role", SystemString(role)))
            for (name, arguments) in Self.actions {
                let answer = try client.call(
                    "tinyvex/action", #"{"requestId":"7","name":"\#(name)","args":\#(arguments)}"#)
                #expect(answer.errorCode == "TVX011", "\(name)")
                #expect(answer["error"]?["data"]?["requestId"]?.stringValue == "7")
                #expect(answer["error"]?["message"]?.stringValue?.contains("this connection has \(role)") == true)
            }
            for method in ["tinyvex/history.recentSessions", "tinyvex/connect", "tinyvex/ping"] {
                #expect(try client.call(method)["result"] != nil)
            }
            #expect(try client.call("tinyvex/subscribe", #"{"subId":"s","name":"bridge:status"}"#)["result"] != nil)
        }
    }

    /// Calls everything that is served by name, on both wires, and checks it against the role in its catalogue row.
    @Test(arguments: [Role.observe, .control])
    func functionsOfAHigherRoleAreRefused(role: Role) throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            let token = try TokenTests.create(home, "--role", SystemString(role.rawValue))
            let client = try TinyvexTestClient(address, token: token)
            let http = HTTPClient(address, token: token)
            for function in Catalogue.functions where function.kind != .query {
                let params = #"{"requestId":"\#(function.name)","name":"\#(function.name)","args":{}}"#
                let answer = try client.call("tinyvex/\(function.kind.rawValue)", params)
                let isRefused = function.role > role
                #expect((answer.errorCode == "TVX011") == isRefused, "\(function.name): \(answer.rawString)")
                let response = try http.call(function.kind.rawValue, function.name)
                #expect((response.status == 403) == isRefused, "\(function.name): \(response.status)")
            }
        }
    }

    /// An observer can watch a session and cannot send anything to its agent.
    @Test(arguments: ["/tinyvex", "/acp"])
    func anObserverCannotSendACPRequestsToAnAgent(path: String) throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            let token = try TokenTests.create(home, "--role", "observe")
            let editor = try EditorSession([Binary.demoAgent], in: home)
            let client = try RemoteTestClient(address, path: "\(path)?session=\(editor.sessionId)", token: token)
            #expect(try client.initialize()["result"] != nil)
            let params = #"{"sessionId":"\#(editor.sessionId)","cwd":"/","mcpServers":[],"prompt":[],"modeId":"ask"}"#
            for method in ACP.Method.all where method.side == .agent && method.kind == .request {
                // An observer loads or resumes a session in order to watch it, or joins it by session/new.
                if ["initialize", "session/load", "session/resume", "session/new"].contains(method.name) { continue }
                // The agent gets neither: the bridge lists the session of the URL, and the client leaves it.
                if path == "/acp", ["session/list", "session/close"].contains(method.name) { continue }
                let answer = try client.wire.call(method.name, params)
                #expect(answer.errorCode == "TVX011", "\(method.name): \(answer.rawString)")
            }
            try editor.end()
        }
    }

    /// A client that has given up its token also gets no more requests or responses of agents.
    @Test func aClientThatGivesUpItsTokenLosesItsAgent() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            let token = try TokenTests.create(home, "--role", "control")
            let editor = try EditorSession([Binary.demoAgent], in: home)
            let client = try RemoteTestClient(address, path: "/tinyvex?session=\(editor.sessionId)", token: token)
            #expect(try client.initialize()["result"] != nil)
            let load = #"{"sessionId":"\#(editor.sessionId)","cwd":"/","mcpServers":[]}"#
            #expect(try client.wire.call("session/load", load)["result"] != nil)
            #expect(try Self.setToken(client.wire, "null")["result"] != nil)

            let turn = try editor.process.exchange(
                #"{"jsonrpc":"2.0","id":"p","method":"session/prompt","params":\#(RemoteTestClient.prompt(editor.sessionId, "hello 3 chunks"))}"#,
                until: "session/request_permission")
            #expect(!turn.isEmpty)
            for method in ["initialize", "session/load", "session/resume", "session/list", "session/prompt", "x/y"] {
                let answer = try client.wire.call(method, load)
                #expect(answer.errorCode == "TVX006", "\(method): \(answer.rawString)")
            }
            #expect(client.wire.isQuiet, "the agent's request is sent only to other clients")
            let asked = try JSONValue(validating: Array((turn.last ?? "").utf8))["id"]?.rawString ?? ""
            try editor.process.sendLine(
                #"{"jsonrpc":"2.0","id":\#(asked),"result":{"outcome":{"outcome":"cancelled"}}}"#)
            _ = try editor.process.readLines(until: "stopReason")
            try editor.end()
        }
    }

    @Test func aClientThatGivesUpItsTokenHasNoRightsUntilItSendsAnother() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            let token = try TokenTests.create(home, "--role", "observe")
            let editor = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            let client = try TinyvexTestClient(address, token: token)
            #expect(try client.subscribe(editor.sessionId)["result"] != nil)

            #expect(try Self.setToken(client, "null")["result"]?["ok"]?.boolValue == true)
            let ended = try client.next("tinyvex/error")["params"]
            #expect(ended?["code"]?.stringValue == "TVX006")
            #expect(ended?["subId"]?.stringValue == "s")
            try editor.prompt("not for this client")
            for (method, params) in Self.readings(editor.sessionId) {
                #expect(try client.call(method, params).errorCode == "TVX006", "\(method)")
            }
            #expect(try client.call("tinyvex/ping")["result"] != nil)
            #expect(try client.call("tinyvex/connect")["result"] != nil)
            #expect(client.isQuiet, "the stream sends nothing more")

            #expect(try Self.setToken(client, #""nonsense""#).errorCode == "TVX006")
            #expect(try Self.setToken(client, #""\#(token)""#)["result"] != nil)
            #expect(try client.subscribe(editor.sessionId, after: 0)["result"] != nil)
            #expect(try client.nextUpdate().count > 0)
            try editor.end()
        }
    }

    @Test func aNewTokenKeepsStreamsOpenAfterTheOldOneExpires() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            let short = try TokenTests.create(home, "--role", "observe", "--ttl", "2s")
            let client = try TinyvexTestClient(address, token: short)
            let editor = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            #expect(try client.subscribe(editor.sessionId)["result"] != nil)
            let long = try TokenTests.create(home, "--role", "observe")
            #expect(try Self.setToken(client, #""\#(long)""#)["result"] != nil)
            try eventually("the first token has expired") {
                (try? TinyvexTestClient(address, token: short)) == nil
            }
            try editor.prompt("still here")
            #expect(try client.nextUpdate().count > 0)
            try editor.end()
        }
    }

    private static func readings(_ session: String) -> [(String, String)] {
        [
            ("tinyvex/history.recentSessions", "{}"),
            ("tinyvex/history.sessionUpdates", #"{"sessionId":"\#(session)"}"#),
            ("tinyvex/subscribe", #"{"subId":"x","name":"acp:sessionUpdates","params":{"sessionId":"\#(session)"}}"#),
            ("tinyvex/subscribe", #"{"subId":"x","name":"bridge:status"}"#),
            ("tinyvex/unsubscribe", #"{"subId":"x"}"#),
            ("tinyvex/action", #"{"requestId":"1","name":"bridge:stop"}"#),
        ]
    }

    private static func setToken(_ client: TinyvexTestClient, _ token: String) throws -> JSONValue {
        try client.call("tinyvex/auth.setToken", #"{"token":\#(token)}"#)
    }
}

extension TinyvexTestClient {
    /// Connects over TCP with a token.
    convenience init(_ address: SocketAddress, token: String) throws {
        try self.init(address, fields: [(name: "Authorization", value: "Bearer \(token)")])
    }
}
