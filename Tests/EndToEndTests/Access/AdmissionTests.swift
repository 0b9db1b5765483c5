import EventLoop
import HTTP1
import Posix
import Testing

/// The status of the response to each accepted or refused connection.
@Suite(.blocking) struct AdmissionTests {
    private struct Case {
        let name: String
        var onSocket = false
        var target = "/tinyvex"
        var fields: [String] = []
        let status: Int
    }

    private static let allowed = "https://board.example"

    private static func cases(_ token: String) -> [Case] {
        let bearer = "Authorization: Bearer \(token)"
        return [
            Case(name: "health needs no token", target: "/healthz", status: 200),
            Case(name: "readiness needs no token", target: "/readyz", status: 200),
            Case(name: "the report needs no token", target: "/health", status: 200),
            Case(name: "health on the socket", onSocket: true, target: "/healthz", status: 200),
            Case(name: "no token", status: 401),
            Case(name: "a wrong token", fields: ["Authorization: Bearer \(String(token.reversed()))x"], status: 401),
            Case(
                name: "a token of the right length",
                fields: ["Authorization: Bearer \(token.map { _ in "0" }.joined())"], status: 401),
            Case(name: "the token with another scheme", fields: ["Authorization: Basic \(token)"], status: 401),
            Case(name: "two tokens", fields: [bearer, bearer], status: 401),
            Case(name: "the token", fields: [bearer], status: 101),
            Case(name: "the scheme in lower case", fields: ["authorization: bearer \(token)"], status: 101),
            Case(name: "the same user on the socket", onSocket: true, status: 101),
            Case(name: "a foreign page", fields: [bearer, "Origin: https://evil.example"], status: 403),
            Case(
                name: "a foreign page on the socket", onSocket: true, fields: ["Origin: https://evil.example"],
                status: 403),
            Case(name: "a page with a null origin", fields: [bearer, "Origin: null"], status: 403),
            Case(
                name: "a page with a null origin on the socket", onSocket: true, fields: ["Origin: null"], status: 403),
            Case(name: "an allowed page", fields: [bearer, "Origin: \(allowed)"], status: 101),
            Case(name: "an allowed page without a token", fields: ["Origin: \(allowed)"], status: 401),
            Case(
                name: "an allowed page and a foreign page",
                fields: [bearer, "Origin: \(allowed)", "Origin: https://evil.example"], status: 403),
            Case(
                name: "an allowed name over another scheme", fields: [bearer, "Origin: http://board.example"],
                status: 403),
            Case(name: "a name that is not loopback", fields: [bearer, "Host: rebound.example"], status: 421),
            Case(
                name: "a name that begins like IPv4 loopback", fields: [bearer, "Host: 127.0.0.1.evil.example"],
                status: 421),
            Case(
                name: "a name that begins like IPv6 loopback", fields: [bearer, "Host: [::1].evil.example"], status: 421
            ),
            Case(name: "another name of the configured domain", fields: [bearer, "Host: example"], status: 421),
            Case(name: "a configured name", fields: [bearer, "Host: bridge.example"], status: 101),
            Case(name: "a configured name with a port", fields: [bearer, "Host: BRIDGE.example:8443"], status: 101),
            Case(name: "a configured name without a token", fields: ["Host: bridge.example"], status: 401),
            // The user chooses the local port of `ssh -L`.
            Case(name: "localhost at another port", fields: [bearer, "Host: localhost:1"], status: 101),
            Case(name: "loopback at another port", fields: [bearer, "Host: 127.0.0.1:1"], status: 101),
            Case(name: "loopback of IPv6", fields: [bearer, "Host: [::1]"], status: 101),
            Case(name: "loopback of IPv6 at another port", fields: [bearer, "Host: [::1]:1"], status: 101),
            Case(name: "a token in the URL", target: "/tinyvex?token=\(token)", status: 400),
            Case(
                name: "a token in the URL and in the head", target: "/tinyvex?a=1&access_token=x", fields: [bearer],
                status: 400),
            Case(name: "another path", target: "/other", fields: [bearer], status: 404),
            Case(name: "another path without a token", target: "/other", status: 401),
            Case(name: "a shim over TCP", target: "/stdio", fields: [bearer], status: 403),
        ]
    }

    @Test func requestsAreAdmittedByTokenOriginHostAndPath() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(
                home, ["--listen", ":0", "--allow-origin", "https://board.example", "--allow-host", "Bridge.example"])
            let address = try #require(daemon.address)
            let bytes = try #require(FileBytes.read(home.token))
            let token = String(decoding: bytes.dropLast(), as: UTF8.self)
            for row in Self.cases(token) {
                let connection = try RawConnection(row.onSocket ? .unix(path: home.socket) : address)
                let response = try connection.response(
                    to: RawConnection.head(row.target, RawConnection.upgrade + row.fields))
                #expect(response.status == row.status, "\(row.name)")
                #expect(!String(decoding: response.bytes(), as: UTF8.self).contains(token), "\(row.name)")
            }
        }
    }

    @Test(arguments: [
        "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\u{0}\r\n\r\n",
        "GET / HTTP/1.1\r\nno colon\r\n\r\n",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tinyvex/ping\"}\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ])
    func requestsThatAreNotHTTPAreRefusedAndTheBridgeKeepsRunning(garbage: String) throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let place = SocketAddress.unix(path: home.socket)
            let status = try RawConnection(place).response(to: garbage).status
            #expect([400, 505].contains(status))
            #expect(try RawConnection(place).response(to: RawConnection.head("/healthz")).status == 200)
        }
    }
}
