import EventLoop
import Glibc
import HTTP1
import JSONScan
import Posix
import Testing

/// Behaviour that all routes share: methods, bodies, request ids, pages of other origins.
@Suite(.blocking) struct RequestHandlingTests {
    private static let origin = "https://app.example"

    @Test func invalidRequestsGetTheMatchingStatus() throws {
        try BridgeHome.with { home in
            let client = HTTPClient(try TokenTests.serve(home), token: try TokenTests.create(home, "--role", "observe"))
            let rows: [(method: String, target: String, fields: [String], status: Int)] = [
                ("GET", "/api/mutation", [], 405), ("POST", "/api/query", [], 411), ("POST", "/api/nothing", [], 404),
                ("POST", "/api/query", ["Content-Length: 1048577"], 413), ("DELETE", "/v1/sessions", [], 405),
                ("POST", "/v1/sessions", ["Content-Length: 0"], 405), ("GET", "/v1/nothing", [], 404),
                ("GET", "/v1/sessions/", [], 404), ("GET", "/v1/sessions/..", [], 404),
                ("GET", "/v1/agents", ["Content-Length: 1"], 413), ("PUT", "/healthz", ["Content-Length: 0"], 405),
                ("POST", "/api/query", ["Transfer-Encoding: gzip, chunked"], 501),
                ("POST", "/api/query", ["Content-Length: 2", "Content-Length: 2"], 400),
            ]
            for row in rows {
                let response = try client.ask(row.method, row.target, row.fields)
                #expect(response.status == row.status, "\(row)")
                #expect(row.status != 405 || response.headers.first("Allow") != nil)
            }
            #expect(try client.get("/v1/nothing").json()["error"]?.stringValue?.isEmpty == false)
        }
    }

    @Test func anUnauthorizedRequestIsRefusedBeforeItsBody() throws {
        try BridgeHome.with { home in
            let stranger = HTTPClient(try TokenTests.serve(home))
            let response = try stranger.ask("POST", "/api/query", ["Content-Length: 1000000"])
            #expect(response.status == 401)
            #expect(response.headers.first("WWW-Authenticate") == "Bearer")
            #expect(try response.json()["error"]?.stringValue?.contains("token") == true)
        }
    }

    @Test func aRequestKeepsItsValidIdOrGetsANewOne() throws {
        try BridgeHome.with { home in
            let client = HTTPClient(try TokenTests.serve(home))
            func id(_ fields: [String], target: String = "/healthz") throws -> String? {
                try client.get(target, fields).headers.first("X-Request-ID")
            }
            #expect(try id(["X-Request-ID: abc-1"]) == "abc-1")
            #expect(
                try id(["X-Request-ID: abc-1"], target: "/v1/sessions") == "abc-1", "a refused request keeps its id too"
            )
            let made = try id([])
            #expect(made?.isEmpty == false)
            #expect(try id([]) != made)
            for odd in ["a b", String(repeating: "x", count: 129), ""] {
                #expect(try id(["X-Request-ID: \(odd)"])?.count == 24, "\(odd)")
            }
            #expect(try id(["X-Request-ID: a", "X-Request-ID: b"])?.count == 24)
        }
    }

    @Test func onlyAnAllowedOriginPassesPreflightAndReadsTheResponse() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home, "--allow-origin", "https://app.example")
            let token = try TokenTests.create(home, "--role", "observe")
            let page = ["Origin: \(Self.origin)"]
            let question =
                page + [
                    "Access-Control-Request-Method: POST", "Access-Control-Request-Headers: authorization,content-type",
                ]
            let stranger = HTTPClient(address)
            let preflight = try stranger.ask("OPTIONS", "/api/query", question)
            #expect(preflight.status == 204)
            #expect(preflight.headers.first("Access-Control-Allow-Origin") == Self.origin)
            #expect(preflight.headers.contains(token: "POST", in: "Access-Control-Allow-Methods"))
            for name in ["Authorization", "apikey", "x-client-info", "x-tenant-id"] {
                #expect(preflight.headers.contains(token: name, in: "Access-Control-Allow-Headers"))
            }
            let methods = try stranger.ask("OPTIONS", "/v1/sessions/s", question).headers
            #expect(methods.contains(token: "PATCH", in: "Access-Control-Allow-Methods"))
            #expect(try stranger.ask("OPTIONS", "/v1/sessions", question).status == 204)

            let client = HTTPClient(address, token: token)
            let answer = try client.get("/v1/agents", page)
            #expect(answer.status == 200)
            #expect(answer.headers.first("Access-Control-Allow-Origin") == Self.origin)
            #expect(answer.headers.contains(token: "Origin", in: "Vary"))
            #expect(answer.headers.contains(token: "X-Request-ID", in: "Access-Control-Expose-Headers"))
            #expect(try stranger.get("/v1/agents", page).headers.first("Access-Control-Allow-Origin") == Self.origin)

            for origin in ["https://evil.example", "null"] {
                let fields = ["Origin: \(origin)"] + question.dropFirst()
                let refused = try client.ask("OPTIONS", "/api/query", fields)
                #expect(refused.status == 403)
                #expect(refused.headers.first("Access-Control-Allow-Origin") == nil)
                #expect(try client.get("/v1/agents", ["Origin: \(origin)"]).status == 403)
            }
            #expect(try client.get("/v1/agents").headers.first("Access-Control-Allow-Origin") == nil)
        }
    }

    @Test func onlyKnownHostNamesAreServed() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home, "--allow-host", "bridge.example")
            let client = HTTPClient(address, token: try TokenTests.create(home, "--role", "observe"))
            for (host, status) in [
                ("bridge.example", 200), ("Bridge.Example:7718", 200), ("localhost:9", 200), ("other.example", 421),
            ] {
                #expect(try client.get("/v1/agents", ["Host: \(host)"]).status == status, "\(host)")
            }
        }
    }

    @Test func aHeadRequestGetsNoBody() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let connection = try RawConnection(.unix(path: home.socket))
            try connection.send(Array(RawConnection.head("/v1/agents", method: "HEAD", ["Connection: close"]).utf8))
            let text = String(decoding: try connection.readToEnd(), as: UTF8.self)
            #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(text.contains("Content-Length: ") && text.hasSuffix("\r\n\r\n"))
        }
    }

    @Test func aHalfClosedConnectionGetsItsResponse() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let socket = try Sockets.connect(to: .unix(path: home.socket))
            let head = Array(RawConnection.head("/v1/agents").utf8)
            #expect(send(socket.raw, head, head.count, 0) == head.count)
            shutdown(socket.raw, Int32(SHUT_WR))
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = recv(socket.raw, &buffer, buffer.count, 0)
            #expect(
                count > 0 && String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test func metricsUseThePrometheusFormat() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            let client = HTTPClient(address, token: try TokenTests.create(home, "--role", "observe"))
            _ = try HTTPClient(address).get("/metrics")
            let response = try client.get("/metrics")
            #expect(response.headers.first("Content-Type")?.hasPrefix("text/plain; version=0.0.4") == true)
            let text = String(decoding: response.body, as: UTF8.self)
            #expect(text.contains("# TYPE acpbridge_requests_total counter\nacpbridge_requests_total 3\n"), "\(text)")
            #expect(text.contains("\nacpbridge_refusals_total 1\n"))
        }
    }
}
