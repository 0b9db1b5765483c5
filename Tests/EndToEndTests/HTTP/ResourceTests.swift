import EventLoop
import HTTP1
import JSONScan
import Posix
import Testing

/// Sessions and agents as resources, in the format that edge functions use.
@Suite(.blocking) struct ResourceTests {
    @Test func agentsAreListedInAnEnvelopeWithISODates() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            let list = try HTTPClient(.unix(path: home.socket)).get("/v1/agents").json()
            let rows = try #require(list["data"]).elements
            #expect(list["total"]?.int64Value == Int64(rows.count))
            #expect(list["page"]?.int64Value == 1)
            #expect(list["limit"]?.int64Value == Int64(rows.count))
            let agent = try #require(rows.first { $0["name"]?.stringValue == "rude-agent" })
            let since = try #require(agent["running"]?.elements.first?["startedAt"]?.stringValue)
            #expect(rows.contains { $0["name"]?.stringValue == "demo" && $0["running"]?.elements.isEmpty == true })
            #expect(since.wholeMatch(of: /20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil, "\(since)")
            try editor.end()
        }
    }

    @Test func sessionsAreListedInPages() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession([Binary.demoAgent], in: home)
            try editor.prompt("/echo hi")
            let ended = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            try ended.prompt("first things first")
            try ended.end()
            let client = HTTPClient(.unix(path: home.socket))
            try eventually("the session has ended") {
                try client.get("/v1/sessions?live=true").json()["total"]?.int64Value == 1
            }
            let list = try client.get("/v1/sessions").json()
            #expect(list["total"]?.int64Value == 2)
            #expect(list["data"]?.elements.count == 2)
            #expect(list["data"]?.elements.allSatisfy { $0["lastAt"]?.stringValue?.hasSuffix("Z") == true } == true)
            #expect(list["data"]?.elements.allSatisfy { $0["lastTs"] == nil } == true)
            let page = try client.get("/v1/sessions?limit=1&page=2").json()
            #expect(page["data"]?.elements.count == 1)
            #expect(page["page"]?.int64Value == 2 && page["limit"]?.int64Value == 1)
            let found = try client.get("/v1/sessions?search=first+things").json()
            #expect(found["data"]?.elements.map { $0["agent"]?.stringValue } == ["rude-agent"])
            #expect(try client.get("/v1/sessions?live=perhaps").status == 400)
            try editor.end()
        }
    }

    @Test func aSessionIsChangedAndDeletedAsAResource() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            let client = HTTPClient(address, token: try TokenTests.create(home, "--role", "admin"))
            let reader = HTTPClient(address, token: try TokenTests.create(home, "--role", "observe"))
            let editor = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            try editor.prompt("go")
            func patch(_ body: String, by client: HTTPClient, path: String = "/v1/sessions/rude-1") throws -> Response {
                try client.ask("PATCH", path, ["Content-Length: \(body.utf8.count)"], body)
            }
            let changed = try patch(#"{"title":"Mine","tags":["a","b"],"archived":true}"#, by: client)
            #expect(changed.status == 200 && changed.body.elementsEqual("{\"success\":true}\n".utf8))
            let session = try client.get("/v1/sessions/rude-1").json()
            #expect(session["title"]?.stringValue == "Mine" && session["archived"]?.boolValue == true)
            #expect(session["tags"]?.rawString == #"["a","b"]"#)
            #expect(try patch(#"{"title":"x","tags":7}"#, by: client).status == 400)
            #expect(try client.get("/v1/sessions/rude-1").json()["title"]?.stringValue == "Mine")
            #expect(try patch(#"{"title":"x"}"#, by: client, path: "/v1/sessions/none").status == 404)
            #expect(try patch(#"{"title":"x"}"#, by: reader).status == 403)
            #expect(try client.ask("PATCH", "/v1/sessions/rude-1").status == 411)
            // A live session cannot be deleted.
            #expect(try client.ask("DELETE", "/v1/sessions/rude-1").status == 400)
            try editor.end()
            #expect(try reader.ask("DELETE", "/v1/sessions/rude-1").status == 403)
            try eventually("the ended session is deleted") {
                let deleted = try client.ask("DELETE", "/v1/sessions/rude-1")
                return deleted.status == 200 && deleted.body.elementsEqual("{\"success\":true}\n".utf8)
            }
            #expect(try client.get("/v1/sessions/rude-1").status == 404)
        }
    }

    @Test func functionsReturnDatesOnRequest() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            try editor.prompt("go")
            let client = HTTPClient(.unix(path: home.socket))
            let list = try client.post("/api/query", #"{"path":"sessions:list","format":"iso"}"#).json()
            let row = try #require(list["value"]?["data"]?.elements.first)
            #expect(row["createdTs"] == nil && row["createdAt"]?.stringValue?.hasSuffix("Z") == true)
            let details = try client.get(
                "/api/query?path=sessions:get&args=%7B%22sessionId%22%3A%22rude-1%22%7D&format=iso"
            ).json()
            #expect(details["value"]?["createdAt"]?.stringValue == row["createdAt"]?.stringValue)
            try editor.end()
        }
    }

    @Test func updatesAreListedInPagesUnchanged() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            for number in 1...3 { try editor.prompt("number \(number)") }
            try home.waitUntilStored()
            let reader = try TinyvexTestClient(home)
            let stored = try reader.history(of: editor.sessionId).map(\.line)
            #expect(stored.count >= 3)

            let client = HTTPClient(.unix(path: home.socket))
            var lines: [[UInt8]] = []
            var cursor = ""
            while true {
                let page = try client.get("/v1/sessions/\(editor.sessionId)/updates?limit=2\(cursor)").json()
                let items = page["items"]?.elements ?? []
                lines += items.compactMap { $0["notification"].map { Array($0.rawText) } }
                #expect(items.allSatisfy { $0["at"]?.stringValue?.hasSuffix("Z") == true && $0["ts"] == nil })
                guard page["hasMore"]?.boolValue == true, let next = page["nextCursor"]?.stringValue else {
                    #expect(page["nextCursor"]?.isNull == true)
                    break
                }
                cursor = "&cursor=\(next)"
            }
            #expect(lines == stored)
            #expect(try client.get("/v1/sessions/nobody/updates").status == 404)
            #expect(try client.get("/v1/sessions/nobody/updates?limit=x").status == 400)
            #expect(try client.get("/v1/sessions/nobody/updates?limit=%zz").status == 400)
            try editor.end()
        }
    }
}
