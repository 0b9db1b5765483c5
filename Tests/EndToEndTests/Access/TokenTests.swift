import AgentProcess
import EventLoop
import Glibc
import HTTP1
import JSONScan
import Posix
import Testing
import WebSocket

/// Tokens from creation to revocation or expiry, and the access that each one grants.
@Suite(.blocking) struct TokenTests {
    @Test func aRevokedTokenIsRefusedAndItsConnectionsAreClosed() throws {
        try BridgeHome.with { home in
            let address = try Self.serve(home)
            let token = try Self.create(home, "--role", "observe", "--name", "dashboard")
            let id = String(token.prefix(11))
            let client = try TinyvexTestClient(address, token: token)
            let other = try TinyvexTestClient(home)
            #expect(try client.call("tinyvex/history.recentSessions")["result"] != nil)
            let listed = try home.run("token", "list").outputText
            #expect(listed.contains(id) && listed.contains("dashboard") && !listed.contains(token))
            let revoked = try home.run("token", "revoke", SystemString(id))
            #expect(revoked.errorText.contains("1 connection was closed"))
            try client.waitForEnd(within: .seconds(5))
            #expect(client.closeCode == .policyViolation)
            #expect(try other.call("tinyvex/ping")["result"] != nil, "other connections stay open")
            #expect(throws: TinyvexTestClient.Refused.self) { try TinyvexTestClient(address, token: token) }
            #expect(try home.run("token", "revoke", SystemString(id)).status == .exited(code: 1))
        }
    }

    @Test func anExpiredTokenIsRefusedAndItsConnectionsAreClosed() throws {
        try BridgeHome.with { home in
            let address = try Self.serve(home)
            let token = try Self.create(home, "--role", "observe", "--ttl", "1s")
            let client = try TinyvexTestClient(address, token: token)
            try client.waitForEnd(within: .seconds(10))
            #expect(client.closeCode == .policyViolation)
            #expect(throws: TinyvexTestClient.Refused.self) { try TinyvexTestClient(address, token: token) }
        }
    }

    @Test func tokensAreCreatedAndRevokedWithoutABridge() throws {
        try BridgeHome.with { home in
            let kept = try Self.create(home, "--role", "control")
            let gone = try Self.create(home, "--role", "control")
            #expect(try home.run("token", "revoke", SystemString(String(gone.prefix(11)))).status == .exited(code: 0))
            #expect(home.daemon == nil)
            let address = try Self.serve(home)
            _ = try TinyvexTestClient(address, token: kept)
            #expect(throws: TinyvexTestClient.Refused.self) { try TinyvexTestClient(address, token: gone) }
            var status = stat()
            #expect(stat(home.path + "/config/tokens", &status) == 0 && status.st_mode & 0o777 == 0o600)
            let file = try #require(FileBytes.read(home.path + "/config/tokens"))
            #expect(
                !String(decoding: file, as: UTF8.self).contains(kept.dropFirst(12)),
                "the file contains only a hash of the token")
        }
    }

    @Test func aRemoteAdminCreatesTokensOverTCP() throws {
        try BridgeHome.with { home in
            let address = try Self.serve(home)
            guard case .ip(let host, let port) = address else { return }
            let admin = try Self.create(home, "--role", "admin")
            try FileBytes.write(Array(admin.utf8), to: home.path + "/admin")
            let made = try home.shell(
                "acpbridge token create --role observe --url ws://\(host):\(port) --token-file \(home.path)/admin")
            #expect(made.status == .exited(code: 0), "\(made.errorText)")
            let token = made.outputText.trimmed
            let observer = try TinyvexTestClient(address, token: token)
            let answer = try observer.call(
                "tinyvex/action", #"{"requestId":"1","name":"tokens:create","args":{"role":"admin"}}"#)
            #expect(answer.errorCode == "TVX011")
        }
    }

    @Test func aBrowserCanSendItsTokenAsASubprotocol() throws {
        try BridgeHome.with { home in
            let address = try Self.serve(home, "--allow-origin", "https://board.example")
            let token = try Self.create(home, "--role", "observe")
            let response = try RawConnection(address).response(
                to: RawConnection.head(
                    "/tinyvex",
                    RawConnection.upgrade + [
                        "Origin: https://board.example", "Sec-WebSocket-Protocol: tinyvex.v1, bearer.\(token)",
                    ]))
            #expect(response.status == 101)
            #expect(response.headers.all("Sec-WebSocket-Protocol") == ["tinyvex.v1"])
        }
    }

    // MARK: Helpers

    static func serve(_ home: BridgeHome, _ options: SystemString...) throws -> SocketAddress {
        try #require(try Daemon(home, ["--listen", ":0"] + options).address)
    }

    /// Returns the text of a new token.
    static func create(_ home: BridgeHome, _ options: SystemString...) throws -> String {
        let outcome = try EditorProcess([Binary.acpbridge, "token", "create"] + options, in: home).outcome()
        #expect(outcome.status == .exited(code: 0), "\(outcome.errorText)")
        return outcome.outputText.trimmed
    }
}

extension String {
    fileprivate var trimmed: String { String(prefix { !$0.isNewline }) }
}
