import AgentProcess
import EventLoop
import HTTP1
import JSONScan
import Posix
import Testing

/// A bridge behind a reverse proxy.
@Suite(.blocking) struct ProxyTests {
    @Test func aProxysNetworkIsAllowedOnlyInSoManyWordsAndNeedsTokens() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home, ["--listen", "0.0.0.0:0", "--behind-proxy"])
            let address = try #require(daemon.address)
            #expect(try HTTPClient(address).get("/v1/agents").status == 401)
            let token = try TokenTests.create(home, "--role", "observe")
            #expect(try HTTPClient(address, token: token).get("/v1/agents").status == 200)
        }
    }

    @Test func theClientOfATrustedProxyHasALimitOfItsOwn() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(
                home, "--trusted-proxy", "127.0.0.0/8", "--limit", "requests-per-minute=2")
            let client = HTTPClient(address, token: try TokenTests.create(home, "--role", "observe"))
            func status(_ forwarded: String) throws -> Int {
                try client.get("/v1/agents", ["X-Forwarded-For: \(forwarded)"]).status
            }
            #expect(try [status("203.0.113.1"), status("203.0.113.1"), status("203.0.113.1")] == [200, 200, 429])
            #expect(try status("203.0.113.1, 203.0.113.2") == 200, "what a client wrote itself does not count")
            #expect(try status("203.0.113.2, 203.0.113.1") == 429)
        }
    }

    @Test func anUntrustedPeerCannotChooseItsAddress() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(
                home, "--trusted-proxy", "192.0.2.1", "--limit", "requests-per-minute=1")
            let client = HTTPClient(address, token: try TokenTests.create(home, "--role", "observe"))
            #expect(try client.get("/v1/agents", ["X-Forwarded-For: 203.0.113.1"]).status == 200)
            #expect(try client.get("/v1/agents", ["X-Forwarded-For: 203.0.113.2"]).status == 429)
        }
    }

    @Test func connectionsCountForTheClientOfTheProxy() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(
                home, "--trusted-proxy", "127.0.0.1", "--limit", "connections-per-address=1")
            let token = try TokenTests.create(home, "--role", "observe")
            func upgrade(_ forwarded: String) throws -> (RawConnection, Int) {
                let connection = try RawConnection(address)
                let fields = ["Authorization: Bearer \(token)", "X-Forwarded-For: \(forwarded)"]
                let response = try connection.response(
                    to: RawConnection.head("/tinyvex", RawConnection.upgrade + fields))
                return (connection, response.status)
            }
            let kept = [try upgrade("203.0.113.1"), try upgrade("203.0.113.1"), try upgrade("203.0.113.2")]
            #expect(kept.map(\.1) == [101, 429, 101])
            try eventually("the last connection is recorded") {
                let audit = String(
                    decoding: try #require(FileBytes.read(home.path + "/state/audit.log")), as: UTF8.self)
                return audit.contains(#""address":"203.0.113.2""#)
            }
            withExtendedLifetime(kept) {}
        }
    }

    @Test func linksAndUploadsBeginWithThePublicAddress() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home, "--public-url", "https://bridge.example/base")
            let opened = try home.run("open", "--phone")
            #expect(opened.outputText.contains("https://bridge.example/base/#code="), "\(opened.errorText)")
            let client = HTTPClient(address, token: try TokenTests.create(home, "--role", "control"))
            let url = try client.call("mutation", "files:generateUploadUrl").json()["value"]?.stringValue
            #expect(url?.hasPrefix("https://bridge.example/base/v1/files?upload=") == true)
            #expect(try home.status()["publicUrl"]?.stringValue == "https://bridge.example/base")
        }
    }

    @Test func theBridgeAnswersBelowItsPublicPath() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home, "--public-url", "https://bridge.example/base")
            let client = HTTPClient(address, token: try TokenTests.create(home, "--role", "control"))
            let origin = ["Host: bridge.example", "Origin: https://bridge.example"]
            for target in ["/base/v1/agents", "/v1/agents"] {
                #expect(try client.get(target, origin).status == 200, "\(target)")
            }
            #expect(try client.get("/base/", origin).headers.first("Content-Type")?.hasPrefix("text/html") == true)
            #expect(try client.get("/base/v1/agents", ["Origin: https://bridge.example"]).status == 200)
            #expect(try client.get("/base/v1/agents", ["Origin: https://evil.example"]).status == 403)
            let forged = ["X-Forwarded-Host: evil.example", "Origin: https://evil.example"]
            #expect(try client.get("/base/v1/agents", forged).status == 403)
            let body = "some text"
            let stored = try client.post("/base/v1/files", body, ["Content-Type: text/plain"])
            #expect(stored.status == 200, "an upload below the path has the limit of files")
        }
    }

    @Test(
        arguments: [
            ["--public-url", "bridge.example"], ["--trusted-proxy", "10.0.0.0/33"], ["--no-tcp", "--behind-proxy"],
            ["--trusted-proxy", "1.2.3.999"],
        ] as [[SystemString]])
    func wrongSettingsAreRefused(options: [SystemString]) throws {
        try BridgeHome.with { home in
            let failed = #expect(throws: Daemon.Failed.self) { try Daemon(home, options) }
            #expect(failed?.outcome.errorText.isEmpty == false)
        }
    }
}
