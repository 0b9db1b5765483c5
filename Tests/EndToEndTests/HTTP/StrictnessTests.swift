import EventLoop
import Posix
import Testing

/// Requests that a stricter or a laxer proxy could parse differently, and bytes that are not requests at all. Each gets
/// one answer with the right status, and then the connection ends. Requests that are only unusual are followed by others. `RequestParserTests` has the parser's own table.
@Suite(.blocking) struct StrictnessTests {
    private static let second = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    private static let secondAndLast = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

    private static func get(_ line: String = "GET /healthz HTTP/1.1", _ fields: String = "") -> String {
        "\(line)\r\nHost: localhost\r\n\(fields)\r\n"
    }

    private static func post(_ fields: String, _ body: String = "") -> String {
        "POST /api/query HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n\r\n\(body)"
    }

    private static var smuggling: [(String, Int)] {
        [
            (post("Content-Length: 4\r\nTransfer-Encoding: chunked", "0\r\n\r\n"), 400),
            (post("Transfer-Encoding: chunked\r\nContent-Length: 4", "0\r\n\r\n"), 400),
            (post("Transfer-Encoding: chunked", "1;a=\"b\r\n\"\r\nx\r\n0\r\n\r\n"), 400),
            (post("Transfer-Encoding: chunked", "2 2\r\n{}\r\n0\r\n\r\n"), 400),
            (post("Transfer-Encoding: chunked", "2\r\n{}\r\n0\r\nX : a\r\n\r\n"), 400),
            (post("Transfer-Encoding: gzip, chunked", "0\r\n\r\n"), 501),
            (post("Transfer-Encoding: identity\r\nContent-Length: 2", "{}"), 400),
            (post("Transfer-Encoding : chunked", "0\r\n\r\n"), 400), (post(" Content-Length: 2", "{}"), 400),
            (post("Content-Length: 2\r\nContent-Length: 2", "{}"), 400),
            (post("Content-Length: 2\r\nContent-Length: 3", "{}"), 400), (post("Content-Length: 2, 2", "{}"), 400),
            (post("Content-Length: +2", "{}"), 400), (post("Content-Length: 0x2", "{}"), 400),
            (post("Content-Length: -1"), 400), (post("Content-Length: 99999999999999999999"), 413),
            (post("X: a\r\n Content-Length: 2", "{}"), 400), (post("X: a\nContent-Length: 2", "{}"), 400),
            (post("X: a\rContent-Length: 2", "{}"), 400), (post("X: a\u{0}b\r\nContent-Length: 2", "{}"), 400),
            ("GET /healthz HTTP/1.1\nHost: localhost\n\n", 400),
            (get("GET /healthz HTTP/1.1", "Content-Length: 5\r\n"), 413),
            ("\r\n" + get(), 400),
        ]
    }

    /// Requests that the parser refuses.
    private static var odd: [(String, Int)] {
        [
            (get("GET /healthz HTTP/1.1", "Host: other\r\n"), 400), ("GET /healthz HTTP/1.1\r\n\r\n", 400),
            (get("GET  /healthz HTTP/1.1"), 400), (get("GET http://localhost/healthz HTTP/1.1"), 400),
            (get("GET /healthz#a HTTP/1.1"), 400), (get("GET healthz HTTP/1.1"), 400),
            (get("OPTIONS * HTTP/1.1"), 400),
            (get("GET /healthz HTTP/1.1", "Expect: more\r\n"), 417), (get("GET /healthz"), 505),
            (get("GET /healthz HTTP/1.2"), 505), (get("GET /healthz HTTP/2.0"), 505),
            (get("GET /healthz HTTP/0.9"), 505),
            ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505), (get("BREW /healthz HTTP/1.1"), 501),
            (get("get /healthz HTTP/1.1"), 501), (get("TRACE /healthz HTTP/1.1"), 501),
            (get("CONNECT localhost:1 HTTP/1.1"), 501),
            ("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\r\n\r\n", 400),
            (get("GET /\(String(repeating: "a", count: 9_000)) HTTP/1.1"), 414),
            (get("GET /healthz HTTP/1.1", "X: \(String(repeating: "a", count: 17_000))\r\n"), 431),
            (get("GET /healthz HTTP/1.1", String(repeating: "X: a\r\n", count: 3_000)), 431),
        ]
    }

    /// Requests that end the connection after their answer.
    private static var last: [(String, Int)] {
        [
            (get("GET /healthz HTTP/1.0"), 200), (get("GET /healthz HTTP/1.0", "Connection: keep-alive\r\n"), 200),
            (get("GET /healthz HTTP/1.1", "Connection: close\r\n"), 200),
            (get("GET /healthz HTTP/1.1", "Connection: keep-alive, Close\r\n"), 200),
            (get("GET /healthz HTTP/1.1", "Connection: Upgrade\r\nUpgrade: h2c\r\n"), 200),
            (get("GET /tinyvex HTTP/1.1", "Connection: Upgrade\r\nUpgrade: websocket\r\n"), 400),
        ]
    }

    /// Requests whose end is known, so that another one can follow.
    private static var complete: [(String, Int)] {
        [
            (get("GET /%6detrics HTTP/1.1"), 400), (get("GET /%68ealthz HTTP/1.1"), 400),
            (get("GET /v1/session%73 HTTP/1.1"), 400), (get("GET /v1/%73essions/a/updates HTTP/1.1"), 400),
            (get("GET /v1/sessions/%61 HTTP/1.1"), 404), (get("GET /v1/sessions/a/update%73 HTTP/1.1"), 400),
            (get("GET /%61pi/query HTTP/1.1"), 400), (get("GET /%61cp HTTP/1.1"), 400),
            (get("GET /healthz HTTP/1.1", "Expect: 100-continue\r\n"), 200),
            (get("DELETE /healthz HTTP/1.1"), 405),
            (get("PUT /healthz HTTP/1.1", "Content-Length: 0\r\n"), 405), (get("POST /healthz HTTP/1.1"), 405),
            (get("GET /tinyvex HTTP/1.1"), 426), (post("Transfer-Encoding: chunked", "0\r\n\r\n"), 400),
            (post("Content-Length: 2", "{}"), 400),
            (get(), 200), (get("HEAD /healthz HTTP/1.1"), 200),
            (get("GET /healthz HTTP/1.1", "Connection: keep-alive\r\n"), 200),
        ]
    }

    /// Source: RFC 9110, section 9.3.2.
    @Test func aRefusedHeadRequestGetsNoBody() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            for request in ["HEAD / HTTP/1.1\r\n\r\n", "HEAD / HTTP/2.0\r\nHost: a\r\n\r\n"] {
                let text = try Self.answer(to: request, address)
                #expect(text.contains("\r\nContent-Length: ") && text.hasSuffix("\r\n\r\n"), "\(text)")
            }
        }
    }

    @Test func aMalformedRequestGetsOneResponseAndAClosedConnection() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            for place in [address, .unix(path: home.socket)] {
                for (request, status) in Self.smuggling + Self.odd + Self.last {
                    let text = try Self.answer(to: request + Self.second, place)
                    // Without a token, a valid request is refused for the missing token.
                    let statuses = place == address ? [status, 401] : [status]
                    #expect(statuses.contains { text.hasPrefix("HTTP/1.1 \($0) ") }, "\(request.prefix(80)): \(text)")
                    #expect(Self.answerCount(text) == 1, "\(request.prefix(80)): \(text)")
                    #expect(text.contains("\r\nConnection: close\r\n"), "\(request.prefix(80)): \(text)")
                    for field in ["X-Request-ID", "X-Content-Type-Options: nosniff", "Content-Security-Policy"] {
                        #expect(text.contains("\r\n\(field)"), "\(request.prefix(80)): \(text)")
                    }
                }
            }
            #expect(try HTTPClient(address).get("/healthz").status == 200)
        }
    }

    @Test func anotherRequestFollowsACompleteOneWhateverItsAnswerIs() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            for place in [address, .unix(path: home.socket)] {
                for (request, status) in Self.complete {
                    let text = try Self.answer(to: request + Self.secondAndLast, place)
                    let statuses = place == address ? [status, 401] : [status]
                    #expect(statuses.contains { text.hasPrefix("HTTP/1.1 \($0) ") }, "\(request.prefix(80)): \(text)")
                    #expect(Self.answerCount(text) == 2, "\(request.prefix(80)): \(text)")
                    #expect(text.ranges(of: "\r\nConnection: close\r\n").count == 1, "\(request.prefix(80)): \(text)")
                    #expect(text.contains("\r\n\r\n{\"status\":\"ok\"}"), "\(request.prefix(80)): \(text)")
                }
            }
        }
    }

    @Test func aRefusalHasTheFormOfItsPathAndTheIdOfItsRequest() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            let fields = "Host: localhost\r\nX-Request-ID: mine\r\nExpect: more\r\n\r\n"
            let resource = try Self.answer(to: "POST /v1/files HTTP/1.1\r\n\(fields)", address)
            #expect(resource.contains("\r\nX-Request-ID: mine\r\n"))
            #expect(resource.hasSuffix("{\"error\":\"Expect can only be 100-continue.\"}\n"), "\(resource)")
            let probe = try Self.answer(to: "GET /healthz HTTP/1.1\r\n\(fields)", address)
            #expect(probe.hasSuffix("\r\n\r\nExpect can only be 100-continue.\n"), "\(probe)")
        }
    }

    /// The number of heads in the text.
    private static func answerCount(_ text: String) -> Int { text.ranges(of: "\r\nX-Request-ID: ").count }

    private static func answer(to request: String, _ place: SocketAddress) throws -> String {
        let connection = try RawConnection(place)
        try connection.send(Array(request.utf8))
        return String(decoding: try connection.readToEnd(), as: UTF8.self)
    }

    /// The bridge waits for a missing body no longer than for a head, however slowly the bytes arrive.
    @Test func aSlowRequestGetsStatus408() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home, ["--no-tcp", "--limit", "admission=400ms"])
            let trickle = try RawConnection(.unix(path: home.socket))
            let body = try RawConnection(.unix(path: home.socket))
            try body.send(Array(Self.post("Content-Length: 5", "{").utf8))
            var bytes = Array(Self.get("GET /healthz HTTP/1.1", "X: \(String(repeating: "a", count: 10_000))").utf8)[
                ...]
            while !trickle.hasAnswer, let byte = bytes.popFirst() { try? trickle.send([byte], thenWaiting: 5) }
            for connection in [trickle, body] {
                let text = String(decoding: try connection.readToEnd(), as: UTF8.self)
                #expect(text.hasPrefix("HTTP/1.1 408 ") && Self.answerCount(text) == 1, "\(text)")
            }
        }
    }
}

extension RawConnection {
    /// Bytes have arrived.
    fileprivate var hasAnswer: Bool { waitingBytes > 0 }

    fileprivate func send(_ bytes: [UInt8], thenWaiting milliseconds: Int32) throws {
        try send(bytes)
        waitForBytes(milliseconds)
    }
}
