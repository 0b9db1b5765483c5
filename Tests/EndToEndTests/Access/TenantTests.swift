import AgentProcess
import EventLoop
import JSONScan
import Posix
import TestSupport
import Testing

/// Two tenants at one bridge, and every path from one tenant to the other.
@Suite(.blocking) struct TenantTests {
    private static let secret = "the cake is in the cellar"

    /// A tenant's client with an agent of its own. The first session of each tenant has the id `rude-1`.
    private struct Tenant {
        let client: RemoteTestClient
        let session: String

        init(_ home: IssuerHome, _ name: String) throws {
            let token = try home.token(name, "control")
            client = try RemoteTestClient(home.address, path: "/tinyvex?agent=rude", token: token)
            try client.initialize()
            session = try client.newSession(home.home)
        }

        func prompt(_ text: String) throws {
            let answer = try client.wire.call("session/prompt", RemoteTestClient.prompt(session, text))
            #expect(answer["result"] != nil)
        }

        /// The incarnation's journal. Other tenants should not know it; this test gives it to them.
        func journal() throws -> String { try #require(try client.wire.journals(of: session).first) }
    }

    private func with(_ agent: [SystemString], _ body: (IssuerHome, Tenant, Tenant) throws -> Void) throws {
        try IssuerHome.with { home in
            try home.home.addAgent("rude", [Binary.rudeAgent] + agent)
            let acme = try Tenant(home, "acme")
            let evil = try Tenant(home, "evil")
            try body(home, acme, evil)
        }
    }

    /// Every request that names a session, with identifiers that would lead to the other tenant's session.
    private static func requests(_ session: String, _ journal: String) -> [(String, String)] {
        let names = [
            #""sessionId":"\#(session)","journal":"\#(journal)""#,
            #""sessionId":"\#(session)","agent":"rude","journal":"\#(journal)""#,
        ]
        return names.flatMap { name in
            [
                ("tinyvex/subscribe", #"{"subId":"1","name":"acp:sessionUpdates","lastSeq":0,"params":{\#(name)}}"#),
                ("tinyvex/subscribe", #"{"subId":"2","name":"sessions:timeline","lastSeq":0,"params":{\#(name)}}"#),
                ("tinyvex/subscribe", #"{"subId":"3","name":"sessions:get","params":{\#(name)}}"#),
                ("tinyvex/history.sessionUpdates", "{\(name)}"),
                ("tinyvex/action", #"{"requestId":"a","name":"sessions:export","args":{\#(name),"format":"ndjson"}}"#),
                (
                    "tinyvex/mutation",
                    #"{"requestId":"b\#(name.count)","name":"sessions:setTitle","args":{\#(name),"title":"x"}}"#
                ),
                ("tinyvex/mutation", #"{"requestId":"c\#(name.count)","name":"sessions:delete","args":{\#(name)}}"#),
            ]
        }
    }

    @Test func noIdentifierLeadsToAnotherTenantsSession() throws {
        try with(["echo"]) { home, acme, evil in
            try acme.prompt(Self.secret)
            try evil.prompt("where is it?")
            let journal = try acme.journal()
            for (method, params) in Self.requests(acme.session, journal) {
                let answer = try evil.client.wire.call(method, params)
                #expect(answer.errorCode == "TVX008", "\(method) \(params): \(answer.rawString)")
            }
            // Both tenants use the same session id, and each finds its own session.
            for (tenant, other) in [(acme, evil), (evil, acme)] {
                let mine = try tenant.client.wire.history(of: tenant.session)
                #expect(!mine.isEmpty)
                #expect(try tenant.client.wire.journals(of: tenant.session).count == 1)
                #expect(try tenant.journal() != other.journal())
            }
        }
    }

    @Test func listsAndSearchesShowOnlyTheTenantsOwnSessions() throws {
        try with(["echo", "--id-style", "number"]) { home, acme, evil in
            try acme.client.ask("p", "session/prompt", RemoteTestClient.prompt(acme.session, Self.secret))
            let admin = try TinyvexTestClient(home.home)
            try eventually("the prompt is listed") {
                try admin.query("sessions:list", #"{"search":"cellar"}"#)?["total"]?.int64Value == 1
            }
            let journal = try acme.journal()
            for (name, params) in [
                ("sessions:list", "{}"), ("sessions:list", #"{"search":"cellar"}"#),
                ("sessions:list", #"{"live":true,"agent":"rude"}"#), ("agents:list", "{}"),
                ("permissions:pending", "{}"),
            ] {
                let value = try evil.client.wire.query(name, params)?.rawString ?? ""
                #expect(!value.contains("cellar") && !value.contains(journal), "\(name)")
                let http = try HTTPClient(home.address, token: home.token("evil", "control")).call(
                    "query", name, params)
                #expect(!String(decoding: http.body, as: UTF8.self).contains("cellar"), "\(name)")
            }
            #expect(try evil.client.wire.query("sessions:list", "{}")?["total"]?.int64Value == 1)
            #expect(try evil.client.wire.query("agents:list", "{}")?["running"]?.elements.count == 1)
            #expect(try acme.client.wire.query("agents:list", "{}")?["running"]?.elements.count == 1)
            #expect(try admin.query("agents:list", "{}")?["running"]?.elements.count == 2)
            #expect(
                try evil.client.wire.call("tinyvex/subscribe", #"{"subId":"9","name":"bridge:status"}"#).errorCode
                    == "TVX011")
        }
    }

    @Test func httpShowsOnlyTheTenantsOwnSessions() throws {
        try with(["echo"]) { home, acme, evil in
            try acme.prompt(Self.secret)
            let journal = try acme.journal()
            let http = try HTTPClient(home.address, token: home.token("evil", "control"))
            #expect(try http.get("/v1/sessions").json()["total"]?.int64Value == 1)
            for path in ["", "/updates"] {
                let response = try http.get("/v1/sessions/\(acme.session)\(path)?journal=\(journal)")
                #expect(response.status == 404, "\(path)")
            }
            let args = #"{"sessionId":"\#(acme.session)","journal":"\#(journal)"}"#
            #expect(try http.call("query", "sessions:get", args).status == 404)
            #expect(try http.call("mutation", "sessions:delete", args).status == 404)
            #expect(try http.call("action", "sessions:export", args).status == 404)
            #expect(try http.get("/metrics").status == 403)
            #expect(
                try HTTPClient(home.address, token: home.token("acme", "observe"))
                    .get("/v1/sessions/\(acme.session)").status == 200)
        }
    }

    @Test func aTenantCanDriveOnlyItsOwnAgents() throws {
        try with(["echo"]) { home, acme, evil in
            let second = try acme.client.newSession(home.home)
            #expect(second == "rude-2", "evil has no session with this id")
            for name in ["sessions:prompt", "sessions:cancel"] {
                let args = #"{"sessionId":"\#(second)","text":"mine now"}"#
                let answer = try evil.client.wire.call(
                    "tinyvex/action", #"{"requestId":"1","name":"\#(name)","args":\#(args)}"#)
                #expect(answer.errorCode == "TVX008", "\(name)")
            }
            for method in ["session/load", "session/resume", "session/prompt", "session/set_mode", "session/fork"] {
                let params = #"{"sessionId":"\#(second)","cwd":"/","mcpServers":[],"prompt":[]}"#
                #expect(try evil.client.wire.call(method, params).errorCode == "TVX008", "\(method)")
            }
            let listed = try evil.client.wire.call("session/list")["result"]?["sessions"]?.elements
            #expect(listed?.map { $0["sessionId"]?.stringValue } == [evil.session])
            let join = Result {
                try RemoteTestClient(
                    home.address, path: "/acp?session=\(second)", token: home.token("evil", "control"))
            }
            let answer = try join.get().initialize()
            #expect(answer.errorCode == "TVX008")
        }
    }

    /// A program that replaces the bridge's program knows the tenant of each agent and session.
    @Test func tenantsStaySeparateAfterAReplacement() throws {
        try IssuerHome.with { home in
            try home.home.addAgent("rude", rude("echo"))
            let editors = try ["acme", "evil"].map { try connected(home, $0) }
            for (number, editor) in editors.enumerated() {
                try editor.openSession()
                if number == 0 { try editor.exchange(editor.newSession(id: "9"), until: #""id":9"#) }
                try editor.exchange(editor.prompt(id: "2"), until: #""id":2"#)
            }
            let before = try TinyvexTestClient(home.address, token: home.token("acme", "observe"))
            let journal = try #require(try before.journals(of: "rude-2").first)
            let replaced = try home.home.run("serve", "--replace")
            #expect(replaced.status == .exited(code: 0), "\(replaced)")
            try before.waitForEnd()

            for editor in editors { try editor.exchange(editor.prompt(id: "3"), until: #""id":3"#) }
            let acme = try TinyvexTestClient(home.address, token: home.token("acme", "control"))
            let evil = try TinyvexTestClient(home.address, token: home.token("evil", "control"))
            #expect(try acme.query("sessions:list", #"{"live":true}"#)?["total"]?.int64Value == 2)
            #expect(try evil.query("sessions:list", #"{"live":true}"#)?["total"]?.int64Value == 1)
            #expect(try !acme.history(of: "rude-2").isEmpty)
            for (method, params) in Self.requests("rude-2", journal) {
                #expect(try evil.call(method, params).errorCode == "TVX008", "\(method) \(params)")
            }
            #expect(try evil.query("agents:list", "{}")?["running"]?.elements.count == 1)
            for editor in editors {
                editor.closeInput()
                #expect(try editor.outcome().status == .exited(code: 0))
            }
        }
    }

    /// A tenant's editor on a remote machine, with a resumable connection.
    private func connected(_ home: IssuerHome, _ tenant: String) throws -> EditorProcess {
        let file = home.home.path + "/\(tenant).token"
        try FileBytes.write(Array(try home.token(tenant, "control").utf8), to: file)
        return try EditorProcess(
            [
                Binary.acpbridge, "connect", SystemString("\(home.url)/acp?agent=rude"), "--token-file",
                SystemString(file),
            ], in: home.home)
    }

    @Test func aConnectionThatChangesItsTenantLosesItsSubscriptions() throws {
        try with(["echo"]) { home, acme, evil in
            let client = try TinyvexTestClient(home.address, token: home.token("acme", "observe"))
            #expect(try client.subscribe(acme.session)["result"] != nil)
            #expect(try client.call("tinyvex/subscribe", #"{"subId":"l","name":"sessions:list"}"#)["result"] != nil)
            let token = try home.token("evil", "observe")
            #expect(try client.call("tinyvex/auth.setToken", #"{"token":"\#(token)"}"#)["result"] != nil)
            let ended = try (0..<2).map { _ in try client.next("tinyvex/error")["params"]?["subId"]?.stringValue ?? "" }
            #expect(ended.sorted() == ["l", "s"])
            try acme.prompt(Self.secret)
            #expect(try client.call("tinyvex/ping")["result"] != nil)
            let kept = client.takeKept().map { String(decoding: $0, as: UTF8.self) }
            #expect(!kept.contains { $0.contains("session/update") })
        }
    }

    @Test func requestIdsOfMutationsAreSeparatePerTenant() throws {
        try with(["echo"]) { home, acme, evil in
            let call = #"{"requestId":"7","name":"sessions:setTitle","args":{"sessionId":"rude-1","title":"mine"}}"#
            for tenant in [acme, evil] {
                #expect(try tenant.client.wire.call("tinyvex/mutation", call)["result"] != nil)
            }
            for tenant in [acme, evil] {
                let value = try tenant.client.wire.query("sessions:get", #"{"sessionId":"rude-1"}"#)
                #expect(value?["title"]?.stringValue == "mine")
            }
        }
    }
}
