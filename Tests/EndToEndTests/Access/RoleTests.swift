import AgentProcess
import EventLoop
import JSONScan
import Testing
import WebSocket

/// What each role may, and what becomes of a connection that changes its own.
@Suite(.blocking) struct RoleTests {
    private static let actions = [
        ("bridge:stop", "{}"), ("tokens:list", "{}"), ("tokens:create", #"{"role":"observe"}"#),
        ("tokens:revoke", #"{"id":"tk_00000000"}"#),
    ]

    @Test(arguments: ["observe", "control"])
    func whoIsNoAdminReadsAndLeavesTheBridgeAlone(role: String) throws {
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

    @Test func whoGivesUpTheirTokenHasNoRightsUntilTheyShowAnother() throws {
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
            try editor.prompt("not for their ears")
            for (method, params) in Self.readings(editor.sessionId) {
                #expect(try client.call(method, params).errorCode == "TVX006", "\(method)")
            }
            #expect(try client.call("tinyvex/ping")["result"] != nil)
            #expect(try client.call("tinyvex/connect")["result"] != nil)
            #expect(client.isQuiet, "nothing of the stream came any more")

            #expect(try Self.setToken(client, #""nonsense""#).errorCode == "TVX006")
            #expect(try Self.setToken(client, #""\#(token)""#)["result"] != nil)
            #expect(try client.subscribe(editor.sessionId, after: 0)["result"] != nil)
            #expect(try client.nextUpdate().count > 0)
            try editor.end()
        }
    }

    @Test func aFreshTokenLetsStreamsGoOnPastTheEndOfTheOldOne() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            let short = try TokenTests.create(home, "--role", "observe", "--ttl", "2s")
            let client = try TinyvexTestClient(address, token: short)
            let editor = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            #expect(try client.subscribe(editor.sessionId)["result"] != nil)
            let long = try TokenTests.create(home, "--role", "observe")
            #expect(try Self.setToken(client, #""\#(long)""#)["result"] != nil)
            try eventually("the first token is worth nothing any more") {
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
