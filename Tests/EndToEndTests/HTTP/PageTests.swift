import EventLoop
import HTTP1
import JSONScan
import Posix
import Testing

/// The page that the bridge serves, to peers without a token.
@Suite(.blocking) struct PageTests {
    @Test func thePageNeedsNoTokenAndHasStrictHeaders() throws {
        try BridgeHome.with { home in
            let page = try HTTPClient(try TokenTests.serve(home)).get("/")
            #expect(page.status == 200)
            #expect(page.headers.first("Content-Type") == "text/html; charset=utf-8")
            #expect(page.headers.first("Cache-Control") == "no-cache")
            let policy = page.headers.first("Content-Security-Policy") ?? ""
            for part in [
                "default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'",
                "form-action 'none'", "require-trusted-types-for 'script'",
                "connect-src 'self' ws://localhost wss://localhost",
            ] { #expect(policy.contains(part), "\(policy)") }
            for (name, value) in [
                ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
                ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
                ("X-Frame-Options", "DENY"),
            ] { #expect(page.headers.all(name) == [value]) }
            #expect(page.headers.first("Set-Cookie") == nil)
        }
    }

    @Test func otherAnswersCanLoadNothing() throws {
        try BridgeHome.with { home in
            let client = HTTPClient(try TokenTests.serve(home))
            for target in ["/healthz", "/v1/sessions", "/nothing"] {
                let policies = try client.get(target).headers.all("Content-Security-Policy")
                #expect(policies == ["default-src 'none'; frame-ancestors 'none'"], "\(target)")
            }
        }
    }

    @Test func anUnchangedPageIsNotSentAgain() throws {
        try BridgeHome.with { home in
            let client = HTTPClient(try TokenTests.serve(home))
            let tag = try #require(try client.get("/").headers.first("ETag"))
            let again = try client.get("/", ["If-None-Match: \(tag)"])
            #expect(again.status == 304 && again.body.isEmpty)
            #expect(try client.get("/", ["If-None-Match: \"other\""]).status == 200)
        }
    }

    @Test(arguments: [
        ("/%2e%2e/token", 401), ("/../token", 401), ("/..%2ftoken", 401), ("//", 401), ("/index.html/..", 401),
        ("/%00", 401),
    ])
    func noOtherPathIsAFileOfThePage(target: String, status: Int) throws {
        try BridgeHome.with { home in
            let response = try HTTPClient(try TokenTests.serve(home)).get(target)
            #expect(response.status == status)
            #expect(response.headers.first("Cache-Control") == "no-store")
        }
    }

    @Test func thePageIsReadOnly() throws {
        try BridgeHome.with { home in
            let response = try HTTPClient(try TokenTests.serve(home)).post("/", "x")
            #expect(response.status == 405 && response.headers.first("Allow") == "GET, HEAD")
        }
    }

    @Test func aForeignNameOrOriginGetsNoPage() throws {
        try BridgeHome.with { home in
            let client = HTTPClient(try TokenTests.serve(home))
            #expect(try client.get("/", ["Host: rebound.example"]).status == 421)
            #expect(try client.get("/", ["Origin: https://evil.example"]).status == 403)
            #expect(try client.get("/", ["Origin: http://localhost"]).status == 200)
        }
    }

    @Test func filesOfThePageHaveALimitOfTheirOwn() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(
                home, "--limit", "file-requests-per-minute=3", "--limit", "requests-per-minute=2")
            let client = HTTPClient(address, token: try TokenTests.create(home, "--role", "observe"))
            for _ in 0..<3 { #expect(try client.get("/").status == 200) }
            let refused = try client.get("/")
            #expect(refused.status == 429 && refused.headers.first("Retry-After") != nil)
            #expect(try client.get("/v1/agents").status == 200)
        }
    }
}
