import AgentProcess
import EventLoop
import Glibc
import JSONScan
import Posix
import TestSupport
import Testing
import WebSocket

/// Connecting with tokens of an issuer (JWT).
@Suite(.blocking) struct IssuedTokenTests {
    @Test(arguments: IssuerToken.Algorithm.allCases)
    func validTokensAreAcceptedAndInvalidOnesAreRefused(algorithm: IssuerToken.Algorithm) throws {
        try IssuerHome.with(algorithm) { home in
            let good = try home.token("acme", "observe")
            let client = try TinyvexTestClient(home.address, token: good)
            #expect(try client.call("tinyvex/history.recentSessions")["result"] != nil)
            #expect(try client.call("tinyvex/auth.setToken", #"{"token":"\#(good)"}"#)["result"] != nil)
            let bad = [
                try home.token("acme", "observe", seconds: -1), try home.token("acme", "root"),
                try home.token("acme", "observe", audience: "another"), good + "x", String(good.dropLast(2)),
                IssuerToken.encode(#"{"alg":"none"}"#) + good.drop { $0 != "." },
            ]
            for token in bad {
                let attempt = Result { try TinyvexTestClient(home.address, token: token) }
                #expect(throws: TinyvexTestClient.Refused.self) { try attempt.get() }
                let answer = try client.call("tinyvex/auth.setToken", #"{"token":"\#(token)"}"#)
                #expect(answer.errorCode == "TVX006" && !answer.rawString.contains(token))
            }
        }
    }

    @Test func anExpiredTokenClosesItsConnection() throws {
        try IssuerHome.with { home in
            let client = try TinyvexTestClient(home.address, token: home.token("acme", "observe", seconds: 2))
            try client.waitForEnd(within: .seconds(10))
            #expect(client.closeCode == .policyViolation)
        }
    }

    @Test func anIssuedTokenDoesNotGrantTheAdminRole() throws {
        try IssuerHome.with { home in
            let client = try TinyvexTestClient(home.address, token: home.token("acme", "admin"))
            for name in ["bridge:stop", "tokens:list"] {
                let answer = try client.call("tinyvex/action", #"{"requestId":"1","name":"\#(name)"}"#)
                #expect(answer.errorCode == "TVX011")
            }
        }
    }

    /// A program that replaces the bridge's program reads the keys again. A token that the old keys accepted is then
    /// refused.
    @Test func keysAreReadAgainWhenTheBridgeIsReplaced() throws {
        try IssuerHome.with { home in
            let (before, after) = (try home.token("acme", "observe"), try home.rotated().token("acme", "observe"))
            let client = try TinyvexTestClient(home.address, token: before)
            let early = Result { try TinyvexTestClient(home.address, token: after) }
            #expect(throws: TinyvexTestClient.Refused.self) { try early.get() }
            kill(try #require(home.home.daemon), SIGHUP)
            try client.waitForEnd()
            #expect(client.closeCode == .serviceRestart)
            let late = Result { try TinyvexTestClient(home.address, token: before) }
            #expect(throws: TinyvexTestClient.Refused.self) { try late.get() }
            #expect(try TinyvexTestClient(home.address, token: after).call("tinyvex/connect")["result"] != nil)
        }
    }

    @Test func invalidKeysPreventTheReplacement() throws {
        try IssuerHome.with { home in
            let token = try home.token("acme", "observe")
            let client = try TinyvexTestClient(home.address, token: token)
            try FileBytes.write(Array("short".utf8), to: home.keyFile)
            let key = SystemString(home.keyFile)
            for attempt in [
                try home.home.run("serve", "--replace"),
                try home.home.run("serve", "--replace", "--jwt-key", key, "--jwt-audience", "acpbridge"),
            ] {
                #expect(attempt.status == .exited(code: 1))
                #expect(attempt.errorText.contains("\(home.keyFile): a secret has at least"), "\(attempt.errorText)")
            }
            let relative = try home.home.run("serve", "--replace", "--jwt-key", "issuer.pub", "--jwt-audience", "a")
            #expect(relative.errorText.contains("absolute"), "\(relative.errorText)")
            #expect(try client.call("tinyvex/history.recentSessions")["result"] != nil)
            _ = try TinyvexTestClient(home.address, token: token)
        }
    }

    @Test func aKeyWithoutAnAudienceIsRefused() throws {
        try BridgeHome.with { home in
            let outcome = try home.run("serve", "--no-tcp", "--jwt-key", "x")
            #expect(outcome.status == .exited(code: 64) && outcome.errorText.contains("--jwt-audience"))
            let missing = try home.run("serve", "--no-tcp", "--jwt-key", "/nonexistent", "--jwt-audience", "a")
            #expect(missing.status == .exited(code: 1) && missing.errorText.contains("/nonexistent"))
        }
    }
}

/// A bridge that accepts an issuer's tokens.
struct IssuerHome {
    let home: BridgeHome
    let address: SocketAddress
    private let issuer: IssuerToken.Issuer

    static func with(
        _ algorithm: IssuerToken.Algorithm = .hs256, options: SystemString..., body: (IssuerHome) throws -> Void
    ) throws {
        try BridgeHome.with { home in
            let issuer = try IssuerToken.Issuer(algorithm, in: home.path, name: "issuer")
            let keyFile = SystemString(home.path + "/issuer.pub")
            let address = try #require(
                try Daemon(
                    home, ["--listen", ":0", "--jwt-key", keyFile, "--jwt-audience", "acpbridge"] + options
                ).address)
            try body(IssuerHome(home: home, address: address, issuer: issuer))
        }
    }

    var url: String {
        guard case .ip(let host, let port) = address else { return "" }
        return "ws://\(host):\(port)"
    }

    /// The file of keys that the bridge was started with.
    var keyFile: String { home.path + "/issuer.pub" }

    /// Returns the same home after another key has replaced the first one in the file.
    func rotated(_ algorithm: IssuerToken.Algorithm = .hs256) throws -> IssuerHome {
        IssuerHome(
            home: home, address: address, issuer: try IssuerToken.Issuer(algorithm, in: home.path, name: "issuer"))
    }

    /// - Parameter seconds: the token's validity.
    func token(
        _ tenant: String, _ role: String, seconds: Int64 = 600, audience: String = "acpbridge"
    ) throws -> String {
        let exp = wallClockMilliseconds() / 1000 + seconds
        return try issuer.sign(
            #"{"aud":"\#(audience)","exp":\#(exp),"sub":"someone","tenant":"\#(tenant)","role":"\#(role)"}"#)
    }
}
