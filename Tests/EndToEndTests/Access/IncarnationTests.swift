import Glibc
import JSONScan
import Testing

/// A session's id can be used again. A journal, and a link, name one incarnation of the session.
@Suite(.blocking) struct IncarnationTests {
    private static let agent = rude("echo", "--early", "1")

    private func cancel(_ client: TinyvexTestClient, _ more: String) throws -> JSONValue {
        try client.call(
            "tinyvex/action", #"{"requestId":"1","name":"sessions:cancel","args":{"sessionId":"rude-1"\#(more)}}"#)
    }

    @Test func anActionReachesOnlyTheIncarnationOfItsJournal() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let first = try EditorSession(Self.agent, in: home)
            let second = try EditorSession(Self.agent, in: home)
            let client = try TinyvexTestClient(home)
            let journals = try client.journals(of: "rude-1")
            let ambiguous = try cancel(client, "")
            #expect(ambiguous.errorCode == "TVX009")
            let candidates = ambiguous["error"]?["data"]?["candidates"]?.elements.compactMap(\.stringValue)
            #expect(Set(candidates ?? []) == Set(journals) && journals.count == 2)
            for journal in journals {
                #expect(try cancel(client, #","journal":"\#(journal)""#)["result"] != nil)
            }
            #expect(try cancel(client, #","journal":"ffffffff-77-1""#).errorCode == "TVX008")
            for (method, name, more) in [
                ("mutation", "permissions:answer", #","requestId":1,"outcome":{"outcome":"cancelled"}"#),
                ("mutation", "elicitations:answer", #","requestId":1,"action":"cancel""#),
                ("action", "sessions:prompt", #","text":"x""#), ("action", "agents:stop", ""),
            ] {
                let args = #"{"sessionId":"rude-1","journal":"ffffffff-77-1"\#(more)}"#
                let answer = try client.call(
                    "tinyvex/\(method)", #"{"requestId":"\#(name)","name":"\#(name)","args":\#(args)}"#)
                #expect(answer.errorCode == "TVX008", "\(name)")
            }

            try first.end()
            try eventually("the first agent has ended") { try cancel(client, "")["result"] != nil }
            let alive = try journals.filter { try cancel(client, #","journal":"\#($0)""#)["result"] != nil }
            #expect(alive.count == 1)
            try second.end()
        }
    }

    @Test func aLinkOfAnOldLogOpensNoSessionOfANewOne() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home, ["--listen", ":0"])
            let old = try EditorSession(Self.agent, in: home)
            let share = #"{"requestId":"1","name":"sessions:share","args":{"sessionId":"rude-1","role":"control"}}"#
            let shared = try TinyvexTestClient(home).call("tinyvex/action", share)["result"]?["value"]
            let code = try #require(shared?["code"]?.stringValue)
            let http = HTTPClient(try #require(daemon.address))
            let token = try #require(
                http.post("/api/v1/admission", #"{"code":"\#(code)"}"#).json()["token"]?.stringValue)
            try old.end()
            try daemon.killAtOnce()
            for name in ["sessions.db", "sessions.db-wal", "sessions.db-shm"] { unlink("\(home.path)/state/\(name)") }

            let address = try #require(try Daemon(home, ["--listen", ":0"]).address)
            let new = try EditorSession(Self.agent, in: home)
            #expect(try cancel(TinyvexTestClient(home), "")["result"] != nil)
            #expect(try cancel(TinyvexTestClient(address, token: token), "").errorCode == "TVX008")
            try new.end()
        }
    }
}
