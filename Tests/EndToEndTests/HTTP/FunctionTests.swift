import AgentProcess
import EventLoop
import HTTP1
import JSONScan
import Posix
import Testing

/// Named functions over HTTP, called like Convex's clients call them.
@Suite(.blocking) struct FunctionTests {
    @Test func aQueryReturnsItsValue() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            let client = HTTPClient(address, token: try TokenTests.create(home, "--role", "observe"))
            let response = try client.call("query", "bridge:status")
            #expect(response.status == 200)
            #expect(response.headers.first("Content-Type") == "application/json")
            #expect(response.headers.first("Cache-Control") == "no-store")
            let answer = try response.json()
            #expect(answer["status"]?.stringValue == "success")
            #expect(answer["value"]?["pid"]?.int64Value == home.daemon.map(Int64.init))
            #expect(answer["logLines"]?.elements.isEmpty == true)
        }
    }

    @Test func failedCallsGetTheMatchingStatusAndError() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            let client = HTTPClient(address, token: try TokenTests.create(home, "--role", "observe"))
            let rows: [(kind: String, body: String, status: Int)] = [
                ("query", #"{"path":"bridge:nothing"}"#, 400), ("query", "{", 400), ("query", "[]", 400),
                ("query", "{}", 400), ("query", #"{"path":"bridge:status","args":[]}"#, 400),
                ("query", #"{"path":"bridge:status","format":"convex_encoded_json"}"#, 400),
                ("mutation", #"{"path":"bridge:status"}"#, 400),
                ("action", #"{"path":"bridge:stop"}"#, 403),
                ("action", #"{"path":"tokens:create","args":{"role":"admin"}}"#, 403),
            ]
            for row in rows {
                let response = try client.post("/api/\(row.kind)", row.body)
                #expect(response.status == row.status, "\(row)")
                let answer = try response.json()
                #expect(answer["status"]?.stringValue == "error")
                #expect(answer["errorMessage"]?.stringValue?.isEmpty == false)
                #expect(answer["errorData"]?["serverTs"]?.int64Value != nil)
                #expect((answer["errorData"]?["code"]?.stringValue == "TVX011") == (row.status == 403))
            }
        }
    }

    @Test func anActionIsAnsweredAndPerformed() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            let client = HTTPClient(address, token: try TokenTests.create(home, "--role", "admin"))
            let made = try client.call("action", "tokens:create", #"{"role":"observe","name":"by http"}"#).json()
            #expect(made["value"]?["token"]?.stringValue?.hasPrefix("tk_") == true)
            let response = try client.call("action", "bridge:stop")
            #expect(try response.json()["value"]?["stopping"]?.boolValue == true)
            try eventually("the bridge has stopped") { home.daemon == nil }
        }
    }

    @Test func aRepeatedMutationRunsOnce() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            let client = HTTPClient(address, token: try TokenTests.create(home, "--role", "control"))
            let editor = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            try editor.prompt("go")
            func setTitle(_ title: String, _ id: String) throws -> Response {
                try client.post(
                    "/api/mutation",
                    #"{"path":"sessions:setTitle","requestId":"\#(id)","args":{"sessionId":"rude-1","title":"\#(title)"}}"#
                )
            }
            func title() throws -> String? {
                try client.call("query", "sessions:get", #"{"sessionId":"rude-1"}"#).json()["value"]?["title"]?
                    .stringValue
            }
            #expect(try setTitle("one", "r1").json()["value"]?["title"]?.stringValue == "one")
            #expect(try setTitle("two", "r2").status == 200)
            // A mutation that ran again would set the first title again.
            #expect(try setTitle("one", "r1").json()["value"]?["title"]?.stringValue == "one")
            #expect(try title() == "two")
            #expect(try setTitle("three", "r1").status == 400)
            try editor.end()
        }
    }

    @Test func anUnchangedValueIsNotSentAgain() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            let client = HTTPClient(address, token: try TokenTests.create(home, "--role", "control"))
            let editor = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            try editor.prompt("go")
            try editor.end()
            for target in ["/api/query?path=sessions:list", "/v1/sessions", "/v1/sessions/rude-1", "/v1/agents"] {
                var tag = ""
                // The session's last facts can still be on their way into the log.
                try eventually("\(target) is unchanged") {
                    let first = try client.get(target)
                    tag = first.headers.first("ETag") ?? ""
                    #expect(first.status == 200 && !tag.isEmpty)
                    let again = try client.get(target, ["If-None-Match: \(tag)"])
                    return again.status == 304 && again.body.isEmpty && again.headers.first("ETag") == tag
                }
                guard target.contains("sessions") else { continue }
                let title = #"{"sessionId":"rude-1","title":"\#(target)"}"#
                #expect(try client.call("mutation", "sessions:setTitle", title).status == 200)
                #expect(try client.get(target, ["If-None-Match: \(tag)"]).status == 200, "\(target)")
            }
            #expect(try client.get("/api/query?path=bridge:nothing").status == 400)
        }
    }

    @Test func theUnixSocketNeedsNoToken() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            #expect(try HTTPClient(.unix(path: home.socket)).call("action", "tokens:list").status == 200)
        }
    }
}
