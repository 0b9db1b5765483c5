import AgentProcess
import EventLoop
import Glibc
import HTTP1
import JSONScan
import Posix
import Testing
import WebSocket

/// Several requests on one connection. `StrictnessTests` has the requests that end it.
@Suite(.blocking) struct KeptConnectionTests {
    private static let last = ["Connection: close"]

    private static func head(_ target: String = "/healthz", _ fields: [String] = []) -> String {
        RawConnection.head(target, fields)
    }

    private static func authorization(_ token: String) -> [String] { ["Authorization: Bearer \(token)"] }

    @Test func eachRequestIsCheckedByItself() throws {
        try BridgeHome.with { home in
            let connection = try RawConnection(try TokenTests.serve(home))
            let observer = Self.authorization(try TokenTests.create(home, "--role", "observe"))
            let admin = Self.authorization(try TokenTests.create(home, "--role", "admin"))
            let rows: [(String, [String], Int)] = [
                ("/", [], 200), ("/v1/agents", [], 401), ("/v1/agents", observer, 200),
                ("/v1/agents", Self.authorization("wrong"), 401), ("/api/v1/devices", admin, 200),
                ("/v1/agents", ["Origin: https://evil.example"] + admin, 403), ("/v1/nothing", observer, 404),
                ("/v1/agents", ["Host: other.example"] + admin, 421), ("/v1/agents", [], 401), ("/healthz", [], 200),
            ]
            for (target, fields, status) in rows {
                let response = try connection.response(to: Self.head(target, fields))
                #expect(response.status == status, "\(target) \(fields.count)")
                #expect(response.headers.first("Connection") == nil)
            }
            #expect(
                try connection.response(to: Self.head("/healthz", Self.last)).headers.first("Connection") == "close")
            #expect(try connection.readAfterAnswers().isEmpty)
        }
    }

    @Test func curlUsesItsConnectionAgain() throws {
        try BridgeHome.with { home in
            guard case .ip(_, let port) = try TokenTests.serve(home) else { return }
            let url = "http://127.0.0.1:\(port)/healthz"
            let outcome = try home.shell("curl -s -w ' %{num_connects} ' -o /dev/null \(url) -o /dev/null \(url)")
            #expect(outcome.outputText == " 1  0 ", "\(outcome)")
        }
    }

    @Test func bodiesWithALengthOrInChunksAreFollowedByRequests() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            let control = Self.authorization(try TokenTests.create(home, "--role", "control"))
            let connection = try RawConnection(address)
            let query = #"{"path":"sessions:list","args":{},"format":"json"}"#
            func post(_ target: String, _ fields: [String], _ body: String) throws -> Response {
                try connection.response(to: RawConnection.head(target, method: "POST", control + fields) + body)
            }
            let chunks = "\(String(query.utf8.count, radix: 16))\r\n\(query)\r\n0\r\nX-Trailer: 1\r\n\r\n"
            #expect(try post("/api/query", ["Content-Length: \(query.utf8.count)"], query).status == 200)
            #expect(try post("/api/query", ["Transfer-Encoding: chunked"], chunks).status == 200)
            #expect(try post("/api/query", ["Content-Length: 2"], "[]").status == 400)

            let fields = control + ["Content-Type: image/png", "Content-Length: 3", "Expect: 100-continue"]
            try connection.send(Array(RawConnection.head("/v1/files", method: "POST", fields).utf8))
            try connection.waitForText("HTTP/1.1 100 Continue\r\n\r\n")
            let id = try connection.response(to: "abc").json()["storageId"]?.stringValue
            let stored = try connection.response(to: Self.head("/v1/files/\(try #require(id))", control))
            #expect(stored.body == Array("abc".utf8))
            #expect(try post("/v1/files", ["Content-Type: image/png", "Content-Length: 0"], "").status == 200)
            #expect(try connection.response(to: Self.head()).status == 200)
        }
    }

    @Test func aRequestThatIsRefusedBeforeItsBodyEndsTheConnection() throws {
        try BridgeHome.with { home in
            let connection = try RawConnection(try TokenTests.serve(home))
            #expect(try connection.response(to: Self.head()).status == 200)
            let fields = ["Content-Length: 60"]
            let refused = try connection.response(to: RawConnection.head("/api/query", method: "POST", fields))
            #expect(refused.status == 401 && refused.headers.first("Connection") == "close")
            // The body contains a request.
            try connection.send(Array(Self.head("/metrics").utf8))
            #expect(try connection.readAfterAnswers().isEmpty)
        }
    }

    // MARK: Pipelining

    @Test func pipelinedRequestsAreAnsweredInTheirOrder() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let targets = ["/v1/agents", "/healthz", "/api/query?path=sessions:list&args=%7B%7D", "/v1/nothing"]
            let heads = (0..<200).map { number in
                Self.head(targets[number % 4], ["X-Request-ID: n\(number)"] + (number == 199 ? Self.last : []))
            }
            for cut in [0, 1, 57, 4_000] {
                let connection = try RawConnection(.unix(path: home.socket))
                let bytes = Array(heads.joined().utf8)
                try connection.send(Array(bytes[..<cut]))
                try connection.send(Array(bytes[cut...]))
                let text = String(decoding: try connection.readToEnd(), as: UTF8.self)
                let ids = text.split(separator: "\r\n").filter { $0.hasPrefix("X-Request-ID: ") }.map {
                    String($0.dropFirst(14))
                }
                #expect(ids == (0..<200).map { "n\($0)" })
            }
        }
    }

    @Test func aHalfClosedConnectionGetsAllItsAnswers() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let connection = try RawConnection(.unix(path: home.socket))
            try connection.send(Array((Self.head() + Self.head("/v1/agents") + Self.head()).utf8))
            connection.finishSending()
            let text = String(decoding: try connection.readToEnd(), as: UTF8.self)
            #expect(text.ranges(of: "HTTP/1.1 200 OK\r\n").count == 3)
        }
    }

    /// The bridge keeps neither the requests nor the answers of a client that reads nothing.
    @Test func aClientThatReadsNoAnswerCannotSendWithoutEnd() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            let connection = try RawConnection(address)
            let requests = Array(String(repeating: Self.head(), count: 1_000).utf8)
            let limitBytes = 64 << 20
            var sentBytes = 0
            var isFull = false
            while !isFull, sentBytes < limitBytes {
                sentBytes += try connection.sendNow(Array(requests[(sentBytes % requests.count)...]))
                isFull = !connection.waitForRoom(500)
            }
            #expect(isFull, "sent \(sentBytes)")
            #expect(try HTTPClient(address).get("/healthz").status == 200)
        }
    }

    // MARK: Deadlines

    @Test func aConnectionIsClosedWithoutAnAnswerIfNoFurtherRequestArrives() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home, "--limit", "keep-alive=300ms")
            let connection = try RawConnection(address)
            for _ in 0..<2 { #expect(try connection.response(to: Self.head()).status == 200) }
            let begin = Instant.now
            #expect(try connection.readAfterAnswers().isEmpty)
            #expect(Instant.now - begin < .seconds(9), "the deadline of a request is later")
        }
    }

    @Test func aFurtherRequestHasItsOwnDeadline() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home, "--limit", "admission=300ms")
            let connection = try RawConnection(address)
            #expect(try connection.response(to: Self.head()).status == 200)
            // Longer than a request can take, without one.
            connection.waitForBytes(700)
            #expect(try connection.response(to: Self.head()).status == 200)
            let partial = Self.head().dropLast(2)
            #expect(try connection.response(to: String(partial)).status == 408)
            #expect(try connection.readAfterAnswers().isEmpty)

            // Its first bytes arrive with the request before.
            let pipelined = try RawConnection(address)
            try pipelined.send(Array((Self.head() + partial).utf8))
            let text = String(decoding: try pipelined.readToEnd(), as: UTF8.self)
            #expect(text.hasPrefix("HTTP/1.1 200 ") && text.contains("HTTP/1.1 408 "), "\(text)")
        }
    }

    // MARK: Limits

    @Test func idleConnectionsMakeRoomForNewOnes() throws {
        for limit in ["connections-per-address=2", "connections=3"] {
            try BridgeHome.with { home in
                let address = try TokenTests.serve(home, "--limit", SystemString(limit))
                let kept = try (0..<2).map { _ in try RawConnection(address) }
                for connection in kept { #expect(try connection.response(to: Self.head()).status == 200) }
                // The first one is used again, so the second one waits longest.
                #expect(try kept[0].response(to: Self.head()).status == 200)
                let new = try RawConnection(address)
                #expect(try new.response(to: Self.head()).status == 200, "\(limit)")
                #expect(try kept[1].readAfterAnswers().isEmpty)
                #expect(try kept[0].response(to: Self.head()).status == 200)
            }
        }
    }

    @Test func aProxysConnectionServesOneClientAfterTheOther() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(
                home, "--trusted-proxy", "127.0.0.1", "--limit", "connections-per-address=1",
                "--limit", "requests-per-minute=2")
            let observer = Self.authorization(try TokenTests.create(home, "--role", "observe"))
            let proxy = [try RawConnection(address), try RawConnection(address)]
            func status(_ index: Int, _ client: String) throws -> Int {
                try proxy[index].response(to: Self.head("/v1/agents", observer + ["X-Forwarded-For: \(client)"])).status
            }
            #expect(try status(0, "203.0.113.1") == 200)
            #expect(try status(0, "203.0.113.2") == 200)
            #expect(try status(1, "203.0.113.1") == 200, "a connection counts for a client until its answer")
            #expect(try status(0, "203.0.113.1") == 429)
            #expect(try status(0, "203.0.113.2") == 200)
        }
    }

    // MARK: Other protocols and the end

    @Test func aKeptConnectionBecomesAWebSocket() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            let observer = Self.authorization(try TokenTests.create(home, "--role", "observe"))
            let connection = try RawConnection(address)
            #expect(try connection.response(to: Self.head("/v1/agents", observer)).status == 200)
            var ping: [UInt8] = []
            let request = #"{"jsonrpc":"2.0","id":"early","method":"tinyvex/ping","params":{"t":42}}"#
            Frame.append(.text, Array(request.utf8).span, maskKey: 7, to: &ping)
            try connection.send(Array(Self.head("/tinyvex", RawConnection.upgrade + observer).utf8) + ping)
            try connection.waitForText("HTTP/1.1 101 ")
            try connection.waitForText(#""id":"early""#)
        }
    }

    @Test(arguments: [[], [RawConnection.upgrade[0], RawConnection.upgrade[1]]])
    func aRefusedUpgradeEndsTheConnectionIfOtherBytesMayFollow(fields: [String]) throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let connection = try RawConnection(.unix(path: home.socket))
            #expect(try connection.response(to: Self.head("/tinyvex", fields)).status == (fields.isEmpty ? 426 : 400))
            guard fields.isEmpty else {
                #expect(try connection.readAfterAnswers().isEmpty)
                return
            }
            #expect(try connection.response(to: Self.head()).status == 200)
        }
    }

    @Test func aStoppedBridgeClosesIdleConnections() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home)
            let connection = try RawConnection(.unix(path: home.socket))
            #expect(try connection.response(to: Self.head()).status == 200)
            daemon.process.kill(SIGTERM)
            #expect(try connection.readAfterAnswers().isEmpty)
            #expect(try daemon.process.exitStatus() == .exited(code: 0))
        }
    }

    @Test func aReplacedProgramClosesIdleConnections() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let connection = try RawConnection(.unix(path: home.socket))
            #expect(try connection.response(to: Self.head()).status == 200)
            #expect(try home.run("serve", "--replace").status == .exited(code: 0))
            #expect(try connection.readAfterAnswers().isEmpty)
            #expect(try RawConnection(.unix(path: home.socket)).response(to: Self.head()).status == 200)
        }
    }

    /// Each connection and each request must give its descriptor back.
    @Test func closedConnectionsLeaveNoDescriptor() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home, ["--no-tcp", "--limit", "keep-alive=200ms"])
            func count() -> Int { ProcessFolder.descriptorCount(of: daemon.process.pid) }
            _ = try RawConnection(.unix(path: home.socket)).response(to: Self.head("/v1/agents"))
            try eventually("the first connection is closed") { try home.status()["connections"]?.int64Value == 1 }
            let before = count()
            for _ in 0..<20 {
                let connection = try RawConnection(.unix(path: home.socket))
                for _ in 0..<3 { #expect(try connection.response(to: Self.head("/v1/agents")).status == 200) }
            }
            try eventually("all descriptors are closed") { count() <= before }
        }
    }
}
