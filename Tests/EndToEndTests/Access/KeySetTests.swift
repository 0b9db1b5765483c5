import AgentProcess
import EventLoop
import Posix
import TestSupport
import Testing

/// Tokens whose keys are in a set (JWKS) that the bridge fetches.
@Suite(.blocking) struct KeySetTests {
    private static let issuer = "https://login.example/"

    private static func claims(issuer: String = issuer) -> String {
        let exp = wallClockMilliseconds() / 1000 + 600
        return #"{"aud":"acpbridge","iss":"\#(issuer)","exp":\#(exp),"app":{"tenant":"acme"},"scope":"openid read"}"#
    }

    private static func set(_ keys: String...) -> String { #"{"keys":[\#(keys.joined(separator: ","))]}"# }

    private static func serve(_ home: BridgeHome, _ server: WebhookServer) throws -> SocketAddress {
        try TokenTests.serve(
            home, "--jwt-jwks", SystemString("http://127.0.0.1:\(server.port)/jwks.json"), "--jwt-audience",
            "acpbridge", "--jwt-issuer", SystemString(issuer), "--jwt-tenant-claim", "app.tenant",
            "--jwt-role-claim", "scope", "--jwt-role", "read=observe")
    }

    /// Returns the status of the bridge's answer to a client with this token, after the key set was fetched.
    private static func status(of token: String, at address: SocketAddress) throws -> Int {
        var status = 503
        try eventually("the key set is fetched") {
            do {
                let client = try TinyvexTestClient(address, token: token)
                #expect(try client.call("tinyvex/history.recentSessions")["result"] != nil)
                status = 101
            } catch let refused as TinyvexTestClient.Refused {
                status = refused.response.status
                if status == 503 { #expect(refused.response.headers.first("Retry-After") == "1") }
            }
            return status != 503
        }
        return status
    }

    @Test func aNewKeyIsAcceptedAndARemovedKeyIsRefused() throws {
        try BridgeHome.with { home in
            let old = try IssuerToken.Issuer(.rs256, in: home.path, name: "old")
            let new = try IssuerToken.Issuer(.es256, in: home.path, name: "new")
            let server = try WebhookServer()
            server.answer(200, Self.set(try old.publicJSON(id: "old")))
            let address = try Self.serve(home, server)
            let oldToken = try old.sign(Self.claims(), keyId: "old")
            #expect(try Self.status(of: oldToken, at: address) == 101)
            let other = try old.sign(Self.claims(issuer: "https://other.example/"), keyId: "unknown")
            #expect(try Self.status(of: other, at: address) == 401)
            #expect(server.received.count == 1, "a token of another issuer causes no request")

            server.answer(200, Self.set(try new.publicJSON(id: "new")))
            #expect(try Self.status(of: try new.sign(Self.claims(), keyId: "new"), at: address) == 101)
            #expect(try Self.status(of: oldToken, at: address) == 401)
            let forged = try new.sign(Self.claims(), saying: "RS256", keyId: "new")
            #expect(try Self.status(of: forged, at: address) == 401)
            #expect(server.received.count == 2, "unknown keys cause one request per minute")
            #expect(server.received.allSatisfy { $0.request.head.target == "/jwks.json" })
        }
    }

    @Test func aFailedRequestKeepsTheKeysAndIsReported() throws {
        try BridgeHome.with { home in
            let issuer = try IssuerToken.Issuer(.es256, in: home.path, name: "a")
            let server = try WebhookServer()
            server.answer(200, Self.set(try issuer.publicJSON(id: "a")))
            let address = try Self.serve(home, server)
            let token = try issuer.sign(Self.claims(), keyId: "a")
            #expect(try Self.status(of: token, at: address) == 101)

            server.answer(500, "")
            #expect(try Self.status(of: try issuer.sign(Self.claims(), keyId: "b"), at: address) == 401)
            #expect(try Self.status(of: token, at: address) == 101)
            let own = try TinyvexTestClient(home)
            let warnings = try own.query("bridge:status", "{}")?["warnings"]?.rawString ?? ""
            #expect(warnings.contains("--jwt-jwks") && warnings.contains("the issuer answered 500"), "\(warnings)")
        }
    }

    @Test func aKeySetOfAnotherMachineRequiresTLS() throws {
        try BridgeHome.with { home in
            let outcome = try home.run(
                "serve", "--no-tcp", "--jwt-jwks", "http://login.example/jwks.json", "--jwt-audience", "a")
            #expect(outcome.status == .exited(code: 64) && outcome.errorText.contains("--jwt-jwks"))
        }
    }
}
