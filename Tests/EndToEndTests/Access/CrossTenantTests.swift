import ACP
import AgentProcess
import EventLoop
import HTTP1
import JSONScan
import Posix
import Testing
import Tinyvex

/// One tenant has a session with a running turn that waits for a permission. Another tenant tries every request that
/// could reach that session. None of them reaches it, or reveals that it exists.
@Suite(.blocking) struct CrossTenantTests {
    /// The two tenants and the target session.
    private struct Scene {
        let home: IssuerHome
        /// Connected at `/tinyvex`, with an agent of its own.
        let acme: RemoteTestClient
        let evil: RemoteTestClient
        let target: CrossTenantRequests.Target

        var requests: CrossTenantRequests { CrossTenantRequests(target: target) }
        /// The same requests with a session that does not exist.
        var nonexistent: CrossTenantRequests { CrossTenantRequests(target: target.nonexistent) }

        func evilHTTP() throws -> HTTPClient { HTTPClient(home.address, token: try home.token("evil", "control")) }

        /// Expects that the text contains nothing that the other tenant must not see.
        func expectNoDataOfTheOtherTenant(_ text: String, _ request: String) {
            for mark in ["cellar", target.sessionId, target.journal, #""pid":\#(target.pid)"#] {
                #expect(!text.contains(mark), "\(request): \(text)")
            }
        }

        /// Acme's turn still waits for the same permission request, and ends normally after the permission is granted.
        func expectUntouched() throws {
            let pending = try #require(try acme.wire.query("permissions:pending", "{}"))
            #expect(pending.elements.first?["requestId"]?.rawString == target.requestId)
            let session = try acme.wire.query("sessions:get", #"{"sessionId":"\#(target.sessionId)"}"#)
            #expect(session?["title"]?.stringValue?.contains("cellar") == true)
            let outcome = #"{"outcome":"selected","optionId":"\#(target.optionId)"}"#
            let args = #"{"sessionId":"\#(target.sessionId)","requestId":\#(target.requestId),"outcome":\#(outcome)}"#
            let answer = try acme.wire.mutate("permissions:answer", args)
            #expect(answer["result"]?["value"]?["answered"]?.boolValue == true, "\(answer.rawString)")
            let end = try #require(try acme.messages(untilAnswerTo: "turn").last)
            #expect(end["result"]?["stopReason"]?.stringValue == "end_turn", "\(end.rawString)")
        }
    }

    private func with(_ body: (Scene) throws -> Void) throws {
        try IssuerHome.with { home in
            try home.home.addAgent("demo", [Binary.demoAgent])
            let (acme, session) = try Self.client(home, "acme")
            let (evil, _) = try Self.client(home, "evil")
            let text = "the cake is in the cellar, 3 chunks"
            try acme.ask("turn", "session/prompt", RemoteTestClient.prompt(session, text))
            let watch = try TinyvexTestClient(home.address, token: home.token("acme", "observe"))
            #expect(try watch.watch("permissions:pending")["result"] != nil)
            let pending = try #require(try watch.value { !$0.elements.isEmpty }.elements.first)
            let agents = try watch.query("agents:list", "{}")
            let target = CrossTenantRequests.Target(
                sessionId: session, journal: try #require(try watch.journals(of: session).first), agent: "demo",
                pid: try #require(agents?["running"]?.elements.first?["pid"]?.int64Value),
                requestId: try #require(pending["requestId"]?.rawString),
                optionId: try #require(pending["params"]?["options"]?.elements.first?["optionId"]?.stringValue))
            let scene = Scene(home: home, acme: acme, evil: evil, target: target)
            try body(scene)
            try scene.expectUntouched()
        }
    }

    private static func client(_ home: IssuerHome, _ tenant: String) throws -> (RemoteTestClient, session: String) {
        let token = try home.token(tenant, "control")
        let client = try RemoteTestClient(home.address, path: "/tinyvex?agent=demo", token: token)
        try client.initialize()
        return (client, try client.newSession(home.home))
    }

    // MARK: Everything served by name

    @Test func noTinyvexRequestReachesAnotherTenant() throws {
        try with { scene in
            let kinds:
                [(CrossTenantRequests) -> [(method: String, request: CrossTenantRequests.Request, params: String)]] = [
                    { requests in
                        QueryName.allCases.flatMap(requests.queries).map {
                            ("tinyvex/subscribe", $0, #"{"subId":"c","name":"\#($0.name)","params":\#($0.args)}"#)
                        }
                    },
                    { requests in
                        MutationName.allCases.flatMap(requests.mutations).enumerated().map {
                            (
                                "tinyvex/mutation", $1,
                                #"{"requestId":"\#(requests.target.sessionId) \#($0)","name":"\#($1.name)","args":\#($1.args)}"#
                            )
                        }
                    },
                    { requests in
                        ActionName.allCases.flatMap(requests.actions).map {
                            ("tinyvex/action", $0, #"{"requestId":"a","name":"\#($0.name)","args":\#($0.args)}"#)
                        }
                    },
                    { requests in ClientRequest.Method.allCases.flatMap(requests.methods).map { ($0.name, $0, $0.args) }
                    },
                ]
            for kind in kinds {
                for (theirs, nonexistent) in zip(kind(scene.requests), kind(scene.nonexistent)) {
                    try expect(scene, theirs.request, try scene.evil.wire.call(theirs.method, theirs.params)) {
                        try scene.evil.wire.call(nonexistent.method, nonexistent.params)
                    }
                }
            }
        }
    }

    private func expect(
        _ scene: Scene, _ request: CrossTenantRequests.Request, _ answer: JSONValue,
        likeNonexistent: () throws -> JSONValue
    ) throws {
        let said = answer.rawString
        switch request.outcome {
        case .notFound:
            #expect(answer.errorCode == "TVX008", "\(request): \(said)")
            try expectSameMessage(scene, answer, try likeNonexistent(), request)
        case .noSuchProcess, .invalid: #expect(answer.errorCode == "-32602", "\(request): \(said)")
        case .forbidden: #expect(answer.errorCode == "TVX011", "\(request): \(said)")
        case .ownOnly:
            #expect(answer["result"] != nil, "\(request): \(said)")
            // The client's own id of a mutation, which the answer repeats, contains the session's.
            scene.expectNoDataOfTheOtherTenant(answer["result"]?["value"]?.rawString ?? said, "\(request)")
            let isSubscription = answer["result"]?["accepted"]?.boolValue == true
            guard isSubscription || answer["result"]?["subId"] != nil else { return }
            scene.expectNoDataOfTheOtherTenant(try scene.evil.wire.nextValue(of: "c").value.rawString, "\(request)")
            _ = try scene.evil.wire.call("tinyvex/unsubscribe", #"{"subId":"c"}"#)
        }
    }

    /// Apart from names that the client itself sent, the answer equals the answer for a session that does not exist.
    private func expectSameMessage(
        _ scene: Scene, _ theirs: JSONValue, _ nonexistent: JSONValue, _ request: CrossTenantRequests.Request
    ) throws {
        let found = theirs["error"]?["message"]?.stringValue?
            .replacing(scene.target.sessionId, with: scene.target.nonexistent.sessionId)
            .replacing(scene.target.journal, with: scene.target.nonexistent.journal)
        #expect(found == nonexistent["error"]?["message"]?.stringValue, "\(request)")
        #expect(theirs["error"]?["data"]?["candidates"] == nil, "\(request)")
    }

    @Test func noHTTPRequestReachesAnotherTenant() throws {
        try with { scene in
            let requests = scene.requests
            let http = try scene.evilHTTP()
            let calls =
                QueryName.allCases.flatMap(requests.queries).map { ("query", $0) }
                + MutationName.allCases.flatMap(requests.mutations).map { ("mutation", $0) }
                + ActionName.allCases.flatMap(requests.actions).map { ("action", $0) }
            for (kind, request) in calls {
                let response = try http.call(kind, request.name, request.args)
                let status = [.notFound: 404, .noSuchProcess: 400, .invalid: 400, .forbidden: 403, .ownOnly: 200][
                    request.outcome]
                let text = String(decoding: response.body, as: UTF8.self)
                #expect(response.status == status, "\(request): \(text)")
                if request.outcome == .ownOnly { scene.expectNoDataOfTheOtherTenant(text, "\(request)") }
            }
            for (target, status) in requests.resources {
                let response = try http.get(target)
                #expect(response.status == status, "\(target)")
                let text = String(decoding: response.body, as: UTF8.self)
                if status != 404 { scene.expectNoDataOfTheOtherTenant(text, target) }
            }
        }
    }

    // MARK: ACP

    @Test(arguments: ["/acp?agent=demo", "/tinyvex?agent=demo"])
    func noACPMethodReachesAnotherTenant(path: String) throws {
        try with { scene in
            let token = try scene.home.token("evil", "control")
            let client = try RemoteTestClient(scene.home.address, path: path, token: token)
            try client.initialize()
            _ = try client.newSession(scene.home.home)
            for method in ACP.Method.all where method.side != .client {
                let params = Self.params(scene.target)
                if method.kind == .notification {
                    try client.notify(method.name, params)
                    continue
                }
                // These methods do not name a session.
                if ["initialize", "session/new"].contains(method.name) { continue }
                let answer = try client.wire.call(method.name, params)
                #expect(answer.errorCode == "TVX008", "\(method.name): \(answer.rawString)")
            }
            let listed = try client.wire.call("session/list")
            #expect(listed["result"]?["sessions"]?.elements.isEmpty == false)
            scene.expectNoDataOfTheOtherTenant(listed.rawString, "session/list")
            // The response for which acme's agent waits.
            let outcome = #"{"outcome":{"outcome":"selected","optionId":"\#(scene.target.optionId)"}}"#
            try client.wire.send(#"{"jsonrpc":"2.0","id":\#(scene.target.requestId),"result":\#(outcome)}"#)
            #expect(try client.wire.call("session/list")["result"] != nil)
            for message in client.wire.takeKept() {
                scene.expectNoDataOfTheOtherTenant(String(decoding: message, as: UTF8.self), "unsolicited")
            }
        }
    }

    /// Parameters with all members that any of the methods can need.
    private static func params(_ target: CrossTenantRequests.Target) -> String {
        let session = #""sessionId":"\#(target.sessionId)","cwd":"/","mcpServers":[]"#
        let rest = #""prompt":[{"type":"text","text":"x"}],"modeId":"ask","configId":"pace","value":"0""#
        return #"{\#(session),\#(rest),"requestId":\#(target.requestId),"uri":"file:///x","version":1}"#
    }

    @Test func noURLReachesAnotherTenantsSession() throws {
        try with { scene in
            let session = scene.target.sessionId
            for path in ["/acp", "/tinyvex"] {
                for query in ["session=\(session)", "agent=demo&session=\(session)"] {
                    let token = try scene.home.token("evil", "control")
                    let client = try RemoteTestClient(scene.home.address, path: "\(path)?\(query)", token: token)
                    let answer = try client.initialize()
                    #expect(answer.errorCode == "TVX008", "\(path)?\(query): \(answer.rawString)")
                }
            }
        }
    }

    /// Tries the name of a resumable connection. The name is sent unencrypted over the wire.
    @Test func aConnectionIdDoesNotResumeAnotherTenantsConnection() throws {
        try with { scene in
            func ask(_ tenant: String, _ fields: [String]) throws -> Response {
                let bearer = "Authorization: Bearer \(try scene.home.token(tenant, "control"))"
                let head = RawConnection.head("/acp?agent=demo", RawConnection.upgrade + fields + [bearer])
                return try RawConnection(scene.home.address).response(to: head)
            }
            let first = try ask("acme", ["Acpbridge-Received: 0"])
            let name = try #require(first.headers.first("Acp-Connection-Id"))
            let again = ["Acpbridge-Received: 0", "Acp-Connection-Id: \(name)"]
            #expect(try ask("evil", again).status == 404)
            #expect(try ask("acme", again).status == 101)
        }
    }
}

extension TinyvexTestClient {
    /// The current value of a query; nil if the query is refused.
    func query(_ name: String, _ params: String) throws -> JSONValue? {
        guard try watch(name, params, subId: "q")["result"] != nil else { return nil }
        let value = try nextValue(of: "q").value
        _ = try call("tinyvex/unsubscribe", #"{"subId":"q"}"#)
        return value
    }
}
