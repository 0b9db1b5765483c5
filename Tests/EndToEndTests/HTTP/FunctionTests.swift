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

    @Test func theUnixSocketNeedsNoToken() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            #expect(try HTTPClient(.unix(path: home.socket)).call("action", "tokens:list").status == 200)
        }
    }
}
