import AgentProcess
import EventLoop
import Glibc
import HTTP1
import JSONScan
import Posix
import Testing

/// Destinations that clients register: devices of Apple's push service, and webhooks.
@Suite(.blocking) struct PushRegistrationTests {
    private static let token = String(repeating: "8f", count: 32)
    /// Made for this test with `openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256`.
    private static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg2AFzxHMZR37g5ePn
        ZRjd2NexCY5ii939Zy75f+gpnA6hRANCAAR+lc2Y0iQYlOkSeep5tXRbb1hSs38c
        BW9PBRjVohrTyuykaZYcfGUZF5rs0rQgKjL3/MlRd7miG1AaJ3RtYioy
        -----END PRIVATE KEY-----

        """

    private static func write(_ targets: String, in home: BridgeHome) throws {
        mkdir(home.path + "/config", 0o700)
        let rules = #"{"delaySeconds":0,"targets":[\#(targets)]}"#
        try FileBytes.write(Array(rules.utf8), to: home.path + "/config/notifications.json")
    }

    private static func apns(_ home: BridgeHome, _ url: String) throws -> String {
        try FileBytes.write(Array(key.utf8), to: home.path + "/key.p8")
        chmod(home.path + "/key.p8", 0o600)
        return #"{"name":"ios","type":"apns","keyFile":"\#(home.path)/key.p8","keyId":"ABC123DEFG","#
            + #""teamId":"DEF123GHIJ","topic":"com.example.app","url":"\#(url)"}"#
    }

    private static func test(_ home: BridgeHome) throws -> JSONValue {
        let outcome = try home.run("notify", "test", "--json")
        return try JSONValue(validating: Array(outcome.output.prefix { $0 != 0x0a }))
    }

    @Test(.enabled(if: PythonSDK.isInstalled, "Tests/run.sh installs HTTP/2 into .venv"))
    func aDeviceGetsNotificationsUntilItIsGone() throws {
        try BridgeHome.with { home in
            let record = home.path + "/requests"
            let server = try EditorProcess(
                [
                    PythonSDK.python, PythonSDK.script("apns.py"), SystemString(record), "200",
                    "500:InternalServerError", "410:Unregistered",
                ], in: home)
            let port = try #require(try server.readLine())
            try Self.write(try Self.apns(home, "http://127.0.0.1:\(port)"), in: home)
            _ = try Daemon(home)
            let client = HTTPClient(.unix(path: home.socket))
            let arguments = #"{"token":"\#(Self.token.uppercased())","events":["permission"]}"#
            let answer = try client.call("mutation", "push:register", arguments)
            let id = try #require(try answer.json()["value"]?["id"]?.stringValue)
            #expect(try client.call("mutation", "push:register", arguments).json()["value"]?["id"]?.stringValue == id)
            #expect(try home.run("notify", "list").outputText == "\(id) apns com.example.app production permission\n")

            #expect(try Self.test(home)["delivered"]?.boolValue == true)
            let failed = try Self.test(home)
            #expect(failed["error"]?.stringValue == "the server answered 500 (InternalServerError)")
            #expect(try Self.test(home)["error"]?.stringValue == "the server answered 410 (Unregistered)")
            let list = try client.call("query", "push:list").json()["value"]
            #expect(list?["data"]?.elements.isEmpty == true, "the device is gone")

            let lines = String(decoding: try #require(FileBytes.read(record)), as: UTF8.self).split(separator: "\n")
            #expect(lines.count == 3)
            let request = try JSONValue(validating: Array(try #require(lines.first).utf8))
            let fields = request["fields"]
            #expect(fields?[":path"]?.stringValue == "/3/device/\(Self.token)")
            #expect(fields?[":method"]?.stringValue == "POST")
            #expect(fields?["apns-topic"]?.stringValue == "com.example.app")
            #expect(fields?["apns-push-type"]?.stringValue == "alert")
            let authorization = try #require(fields?["authorization"]?.stringValue)
            let parts = authorization.dropFirst("bearer ".count).split(separator: ".").map {
                Base64URL.decode($0) ?? []
            }
            #expect(parts.count == 3 && parts.last?.count == 64)
            #expect(String(decoding: parts.first ?? [], as: UTF8.self) == #"{"alg":"ES256","kid":"ABC123DEFG"}"#)
            let body = try JSONValue(validating: Array((request["body"]?.stringValue ?? "").utf8))
            #expect(body["aps"]?["alert"]?["title"]?.stringValue == "acpbridge")
            server.kill(SIGTERM)
        }
    }

    @Test func aKeyFileThatCannotBeUsedStopsTheStart() throws {
        try BridgeHome.with { home in
            try Self.write(try Self.apns(home, "http://127.0.0.1:9"), in: home)
            let path = home.path + "/key.p8"
            chmod(path, 0o666)
            #expect(try home.run("serve").errorText.contains(path))
            chmod(path, 0o600)
            try FileBytes.write(Array("nonsense".utf8), to: path)
            let outcome = try home.run("serve")
            #expect(outcome.status == .exited(code: 78) && outcome.errorText.contains("PEM"), "\(outcome.errorText)")
        }
    }

    @Test(arguments: [false, true])
    func aRegisteredWebhookReachesAPrivateAddressOnlyIfTheRulesPermitIt(isPermitted: Bool) throws {
        try BridgeHome.with { home in
            let server = try WebhookServer()
            try Self.write(#"{"name":"hooks","type":"webhooks","allowPrivate":\#(isPermitted)}"#, in: home)
            _ = try Daemon(home)
            let client = HTTPClient(.unix(path: home.socket))
            let plain = try client.call(
                "mutation", "push:register", #"{"endpoint":"http://127.0.0.1:\#(server.port)/x"}"#)
            #expect((plain.status == 200) == isPermitted)
            if !isPermitted {
                let secure = try client.call(
                    "mutation", "push:register", #"{"endpoint":"https://127.0.0.1:\#(server.port)/x"}"#)
                #expect(secure.status == 200, "the name of a host says nothing about its address")
            }
            #expect(try Self.test(home)["delivered"]?.boolValue == isPermitted)
            #expect((server.connectionCount > 0) == isPermitted)
        }
    }

    @Test func aClientTestsItsOwnRegistrationsOnly() throws {
        try BridgeHome.with { home in
            let server = try WebhookServer([200, 500])
            try Self.write(#"{"name":"hooks","type":"webhooks","allowPrivate":true}"#, in: home)
            let address = try TokenTests.serve(home)
            let own = HTTPClient(address, token: try TokenTests.create(home, "--role", "observe"))
            let other = HTTPClient(address, token: try TokenTests.create(home, "--role", "control"))
            func registered(_ client: HTTPClient, _ path: String) throws -> String {
                let arguments = #"{"endpoint":"http://127.0.0.1:\#(server.port)/\#(path)"}"#
                let answer = try client.call("mutation", "push:register", arguments)
                return try #require(try answer.json()["value"]?["id"]?.stringValue)
            }
            let id = try registered(own, "own")
            _ = try registered(other, "other")
            func test(_ client: HTTPClient, _ id: String) throws -> JSONValue {
                try client.call("action", "push:test", #"{"id":"\#(id)"}"#).json()
            }
            #expect(try test(own, id)["value"]?.rawString == #"{"delivered":true}"#)
            #expect(
                try test(own, id)["value"]?.rawString == #"{"delivered":false,"error":"the server answered 500"}"#)
            #expect(server.received.map(\.request.head.target) == ["/own", "/own"])
            for answer in [try test(other, id), try test(own, "nothing")] {
                #expect(answer["value"]?["delivered"]?.boolValue == false)
                #expect(answer["value"]?["error"]?.stringValue == "this client has no such registration")
            }
            #expect(server.received.count == 2)
        }
    }

    @Test func aTenantSeesOnlyItsOwnRegistrations() throws {
        try IssuerHome.with { home in
            let acme = HTTPClient(home.address, token: try home.token("acme", "observe"))
            #expect(try acme.call("query", "push:list").json()["value"]?["data"]?.elements.isEmpty == true)
            let answer = try acme.call("mutation", "push:register", #"{"token":"\#(Self.token)"}"#)
            #expect(answer.status == 400 && String(decoding: answer.body, as: UTF8.self).contains("apns"))
        }
    }
}
