import AgentProcess
import EventLoop
import HTTP1
import JSONScan
import Posix
import Testing
import Tinyvex

/// A link to one session, at every door of the bridge.
@Suite(.blocking) struct SharedSessionTests {
    /// Two sessions, and a token for the first.
    private struct Shared {
        let address: SocketAddress
        let token: String
        let id: String
        let session: String
        let other: String

        var http: HTTPClient { HTTPClient(address, token: token) }

        init(_ home: BridgeHome, role: String = "observe") throws {
            address = try TokenTests.serve(home)
            let client = try TinyvexTestClient(home)
            let sessions = try ["cellar", "attic"].map { word in
                let line =
                    #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"\#(word)-1","update":"#
                    + #"{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"the \#(word)"}}}}"#
                let editor = try EditorProcess(
                    BridgeHome.bridged(["printf", "%s\n", SystemString(line)]), in: home)
                editor.closeInput()
                _ = try editor.outcome()
                return "\(word)-1"
            }
            (session, other) = (sessions[0], sessions[1])
            let args =
                #"{"requestId":"1","name":"sessions:share","args":{"sessionId":"\#(session)","role":"\#(role)"}}"#
            let answer = try client.call("tinyvex/action", args)
            let value = try #require(answer["result"]?["value"])
            id = try #require(value["id"]?.stringValue)
            let code = try #require(value["code"]?.stringValue)
            let admitted = try HTTPClient(address).post("/api/v1/admission", #"{"code":"\#(code)"}"#).json()
            #expect(admitted["session"]?["sessionId"]?.stringValue == session)
            token = try #require(admitted["token"]?.stringValue)
        }
    }

    @Test func tinyvexShowsTheSessionAndNoOther() throws {
        try BridgeHome.with { home in
            let shared = try Shared(home)
            let client = try TinyvexTestClient(shared.address, token: shared.token)
            #expect(try client.call("tinyvex/history.recentSessions").errorCode == "TVX011")
            let params = #"{"sessionId":"\#(shared.session)"}"#
            let history = try client.call("tinyvex/history.sessionUpdates", params)
            #expect(history["result"]?["updates"]?.elements.count == 1)
            let others = [#"{"sessionId":"\#(shared.other)"}"#, #"{"session_id":"\#(shared.other)"}"#]
            for other in others {
                #expect(try client.call("tinyvex/history.sessionUpdates", other).errorCode == "TVX008")
                for name in StreamName.allCases {
                    let subscribe = #"{"subId":"x","name":"\#(name.rawValue)","params":\#(other),"lastSeq":0}"#
                    #expect(try client.call("tinyvex/subscribe", subscribe).errorCode == "TVX008")
                }
            }
            for query in QueryName.allCases {
                let subscribe = #"{"subId":"\#(query.rawValue)","name":"\#(query.rawValue)","params":{"query":"the"}}"#
                let answer = try client.call("tinyvex/subscribe", subscribe)
                let isClosed = [.usageByDay, .agentsList, .bridgeStatus, .filesGet, .filesList, .pushList].contains(
                    query)
                #expect((answer.errorCode == "TVX011") == isClosed, "\(query)")
            }
            #expect(try client.call("session/list")["error"] != nil)
            #expect(try client.call("initialize", #"{"protocolVersion":1}"#)["error"] != nil)
        }
    }

    @Test func otherFunctionsAndResourcesAreClosed() throws {
        try BridgeHome.with { home in
            let shared = try Shared(home)
            let http = shared.http
            for path in ["/metrics", "/v1/agents", "/api/v1/push/key"] {
                #expect(try http.get(path).status == 403, "\(path)")
            }
            let upgrade = RawConnection.upgrade + ["Authorization: Bearer \(shared.token)"]
            let acp = try RawConnection(shared.address).response(to: RawConnection.head("/acp", upgrade))
            #expect(acp.status == 403)
            let sessions = try http.get("/v1/sessions").json()
            #expect(sessions["data"]?.elements.compactMap { $0["sessionId"]?.stringValue } == [shared.session])
            #expect(try http.get("/v1/sessions/\(shared.session)").status == 200)
            #expect(try http.get("/v1/sessions/\(shared.other)").status == 404)
            #expect(try http.get("/v1/sessions/\(shared.other)/updates").status == 404)
            #expect(try http.get("/api/v1/devices").json()["data"]?.elements.count == 1)
            for function in Catalogue.functions {
                let args = #"{"sessionId":"\#(shared.other)","query":"attic","id":"\#(shared.id)","role":"observe"}"#
                let answer = try http.call(function.kind.rawValue, function.name, args)
                let text = String(decoding: answer.body, as: UTF8.self)
                #expect(try answer.json()["status"]?.stringValue == "error", "\(function.name): \(text)")
            }
        }
    }

    @Test func aTicketOfTheLinkIsAsNarrowAsTheLink() throws {
        try BridgeHome.with { home in
            let shared = try Shared(home)
            let ticket = try #require(try shared.http.post("/api/v1/tickets", "").json()["ticket"]?.stringValue)
            let answer = try RawConnection(shared.address).response(
                to: RawConnection.head("/acp?ticket=\(ticket)", RawConnection.upgrade))
            #expect(answer.status == 403)
        }
    }

    @Test func aRevocationClosesTheConnectionsOfTheLink() throws {
        try BridgeHome.with { home in
            let shared = try Shared(home)
            let client = try TinyvexTestClient(shared.address, token: shared.token)
            let outcome = try home.run("share", "--revoke", SystemString(shared.id))
            #expect(outcome.status == .exited(code: 0))
            try client.waitForEnd()
            #expect(client.closeCode == .policyViolation)
            #expect(try shared.http.get("/v1/sessions").status == 401)
        }
    }

    @Test func aDeletedSessionRevokesItsLinks() throws {
        try BridgeHome.with { home in
            let shared = try Shared(home)
            let client = try TinyvexTestClient(home)
            _ = try client.mutate("sessions:delete", #"{"sessionId":"\#(shared.session)"}"#)
            #expect(try shared.http.get("/v1/sessions").status == 401)
        }
    }

    @Test func aConnectionThatBecomesALinkLosesItsStreams() throws {
        try BridgeHome.with { home in
            let shared = try Shared(home)
            let client = try TinyvexTestClient(home)
            let subscribe = #"{"subId":"a","name":"sessions:timeline","params":{"sessionId":"\#(shared.other)"}}"#
            #expect(try client.call("tinyvex/subscribe", subscribe)["result"] != nil)
            #expect(try client.call("tinyvex/auth.setToken", #"{"token":"\#(shared.token)"}"#)["result"] != nil)
            #expect(try client.next("tinyvex/error")["params"]?["subId"]?.stringValue == "a")
        }
    }
}
