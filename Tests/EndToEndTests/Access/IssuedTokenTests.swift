import AgentProcess
import EventLoop
import JSONScan
import TestSupport
import Testing
import WebSocket

/// Tokens of an issuer (JWT) at the door.
@Suite(.blocking) struct IssuedTokenTests {
    @Test(arguments: SignedToken.Algorithm.allCases)
    func theBearerOfAGoodOneComesInAndOthersDoNot(algorithm: SignedToken.Algorithm) throws {
        try IssuerHome.with(algorithm) { home in
            let good = try home.token("acme", "observe")
            let client = try TinyvexTestClient(home.address, token: good)
            #expect(try client.call("tinyvex/history.recentSessions")["result"] != nil)
            #expect(try client.call("tinyvex/auth.setToken", #"{"token":"\#(good)"}"#)["result"] != nil)
            let bad = [
                try home.token("acme", "observe", seconds: -1), try home.token("acme", "root"),
                try home.token("acme", "observe", audience: "another"), good + "x", String(good.dropLast(2)),
                SignedToken.encode(#"{"alg":"none"}"#) + good.drop { $0 != "." },
            ]
            for token in bad {
                let attempt = Result { try TinyvexTestClient(home.address, token: token) }
                #expect(throws: TinyvexTestClient.Refused.self) { try attempt.get() }
                let answer = try client.call("tinyvex/auth.setToken", #"{"token":"\#(token)"}"#)
                #expect(answer.errorCode == "TVX006" && !answer.rawString.contains(token))
            }
        }
    }

    @Test func itsEndClosesWhatRestsOnIt() throws {
        try IssuerHome.with { home in
            let client = try TinyvexTestClient(home.address, token: home.token("acme", "observe", seconds: 2))
            try client.waitForEnd(within: .seconds(10))
            #expect(client.closeCode == .policyViolation)
        }
    }

    @Test func noneMakesAnAdmin() throws {
        try IssuerHome.with { home in
            let client = try TinyvexTestClient(home.address, token: home.token("acme", "admin"))
            for name in ["bridge:stop", "tokens:list"] {
                let answer = try client.call("tinyvex/action", #"{"requestId":"1","name":"\#(name)"}"#)
                #expect(answer.errorCode == "TVX011")
            }
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

/// A bridge that takes an issuer's tokens.
struct IssuerHome {
    let home: BridgeHome
    let address: SocketAddress
    private let issuer: SignedToken.Issuer

    static func with(
        _ algorithm: SignedToken.Algorithm = .hs256, _ body: (IssuerHome) throws -> Void
    ) throws {
        try BridgeHome.with { home in
            let issuer = try SignedToken.Issuer(algorithm, in: home.path, name: "issuer")
            let address = try TokenTests.serve(
                home, "--jwt-key", SystemString(home.path + "/issuer.pub"), "--jwt-audience", "acpbridge")
            try body(IssuerHome(home: home, address: address, issuer: issuer))
        }
    }

    /// - Parameter seconds: for how long it is good.
    func token(
        _ tenant: String, _ role: String, seconds: Int64 = 600, audience: String = "acpbridge"
    ) throws -> String {
        let exp = wallClockMilliseconds() / 1000 + seconds
        return try issuer.sign(
            #"{"aud":"\#(audience)","exp":\#(exp),"sub":"someone","tenant":"\#(tenant)","role":"\#(role)"}"#)
    }
}
