import AgentProcess
import EventLoop
import Glibc
import HTTP1
import JSONScan
import Posix
import PushCrypto
import Testing

/// Notifications from the agent's request to the target.
@Suite(.blocking) struct NotificationTests {
    private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    /// Starts a bridge with these targets, without a delay.
    @discardableResult
    private static func serve(
        _ home: BridgeHome, _ targets: String, delaySeconds: Int = 0, options: [SystemString] = []
    ) throws -> Daemon {
        mkdir(home.path + "/config", 0o700)
        let rules = #"{"delaySeconds":\#(delaySeconds),"targets":[\#(targets)]}"#
        try FileBytes.write(Array(rules.utf8), to: home.path + "/config/notifications.json")
        return try options.isEmpty ? Daemon(home) : Daemon(home, ["--listen", "127.0.0.1:0"] + options)
    }

    private static func webhook(_ server: WebhookServer, _ members: String = "") -> String {
        #"{"name":"hook","type":"webhook","url":"http://127.0.0.1:\#(server.port)/x"\#(members)}"#
    }

    @Test func aPermissionRequestReachesTheWebhookOnce() throws {
        try BridgeHome.with { home in
            let server = try WebhookServer()
            try Self.serve(home, Self.webhook(server, #","secret":"\#(Self.secret)","events":["permission"]"#))
            let editor = try TourEditor([Binary.rudeAgent, "echo", "--id-style", "number"], in: home)
            let id = try editor.prompt()
            try eventually("the webhook gets the request") { !server.received.isEmpty }
            try editor.answerPermission(id, #""result":{"outcome":{"outcome":"cancelled"}}"#)
            let received = try #require(server.received.first)
            #expect(received.request.head.method == "POST" && received.request.head.target == "/x")
            #expect(received.body?["type"]?.stringValue == "permission")
            #expect(received.body?["data"]?["agent"]?.stringValue == "rude-agent")
            #expect(received.body?["data"]?["sessionId"]?.stringValue == "rude-1")
            #expect(received.body?["data"]?["text"] == nil, "without `content` there are names and counts only")
            let id2 = try #require(received.field("webhook-id"))
            let time = try #require(received.field("webhook-timestamp").flatMap { Int64($0) })
            let signature = try WebhookSignature.value(
                id: id2, timestamp: time, body: received.request.body,
                secret: try #require(WebhookSignature.secret(Self.secret)))
            #expect(received.field("webhook-signature") == signature)
            try editor.leave()
            #expect(server.received.count == 1)
        }
    }

    @Test func aNotificationLinksToItsSessionIfThePageHasAPublicAddress() throws {
        try BridgeHome.with { home in
            let server = try WebhookServer()
            try Self.serve(
                home, Self.webhook(server, #","events":["permission"]"#),
                options: ["--public-url", "https://bridge.example/base"])
            let editor = try TourEditor([Binary.rudeAgent, "echo", "--id-style", "number"], in: home)
            let id = try editor.prompt()
            try eventually("the webhook gets the request") { !server.received.isEmpty }
            try editor.answerPermission(id, #""result":{"outcome":{"outcome":"cancelled"}}"#)
            let rows = try wholeLines(of: try home.run("sessions", "--json").output).map(JSONValue.init(validating:))
            let journal = try #require(rows.first?["journal"]?.stringValue)
            let url = try #require(server.received.first?.body?["data"]?["url"]?.stringValue)
            // The journal is not known if the request came before the session was stored.
            let session = "https://bridge.example/base/#/s/rude-1/"
            #expect([session, session + journal].contains(url))
            try editor.leave()
        }
    }

    @Test func aFailedDeliveryIsRepeatedWithTheSameId() throws {
        try BridgeHome.with { home in
            let server = try WebhookServer([500])
            try Self.serve(home, Self.webhook(server, #","events":["permission"]"#))
            let editor = try TourEditor([Binary.rudeAgent, "echo", "--id-style", "number"], in: home)
            let id = try editor.prompt()
            // The first repetition comes after 5 s.
            try eventually("the webhook gets the request again") { server.received.count == 2 }
            #expect(server.received.map(\.status) == [500, 204])
            #expect(Set(server.received.map { $0.field("webhook-id") }).count == 1)
            try editor.answerPermission(id, #""result":{"outcome":{"outcome":"cancelled"}}"#)
            try editor.leave()
        }
    }

    @Test func aNotificationSurvivesAKilledBridge() throws {
        try BridgeHome.with { home in
            let server = try WebhookServer([0])
            let first = try Self.serve(home, Self.webhook(server, #","events":["permission"]"#))
            let editor = try TourEditor([Binary.rudeAgent, "echo", "--id-style", "number"], in: home)
            _ = try editor.prompt()
            try eventually("the first delivery has failed") { server.received.count == 1 }
            try eventually("the queue is stored") {
                FileBytes.read(home.path + "/state/notifications").map {
                    String(decoding: $0, as: UTF8.self).contains("\"attempts\":1")
                } == true
            }
            try first.killAtOnce()
            _ = try Daemon(home)
            try eventually("the next bridge delivers it") { server.received.count == 2 }
            #expect(Set(server.received.map { $0.field("webhook-id") }).count == 1)
        }
    }

    @Test func anAnsweredRequestCausesNoNotification() throws {
        try BridgeHome.with { home in
            let server = try WebhookServer()
            let targets = Self.webhook(server, #","events":["permission"]"#)
            try Self.serve(home, targets, delaySeconds: 3600)
            let editor = try TourEditor([Binary.rudeAgent, "echo", "--id-style", "number"], in: home)
            let id = try editor.prompt()
            func queue() -> String {
                String(decoding: FileBytes.read(home.path + "/state/notifications") ?? [], as: UTF8.self)
            }
            try eventually("the notification waits") { queue().contains("rude-1") }
            try editor.answerPermission(id, #""result":{"outcome":{"outcome":"cancelled"}}"#)
            try eventually("the notification is dropped") { queue().isEmpty }
            try editor.leave()
            #expect(server.received.isEmpty)
        }
    }

    @Test func aMutedSessionCausesNoNotificationAndALaterOneWithItsIdDoes() throws {
        try BridgeHome.with { home in
            let server = try WebhookServer()
            let targets = Self.webhook(server, #","events":["permission"]"#)
            let bridge = try Self.serve(home, targets, delaySeconds: 3600)
            let client = try TinyvexTestClient(home)
            let muted = try TourEditor([Binary.rudeAgent, "echo", "--id-style", "number"], in: home)
            #expect(try client.watch("sessions:get", #"{"sessionId":"rude-1"}"#)["result"] != nil)
            #expect(try client.value { $0["live"]?.boolValue == true }["muted"]?.boolValue == false)
            let answer = try client.mutate("sessions:mute", #"{"sessionId":"rude-1"}"#)
            #expect(answer["result"]?["value"]?.rawString == #"{"muted":true}"#)
            _ = try client.value { $0["muted"]?.boolValue == true }
            let id = try muted.prompt()
            let later = try TourEditor([Binary.rudeAgent, "echo", "--id-style", "number"], in: home)
            _ = try later.prompt()
            func queue() -> [UInt8] { FileBytes.read(home.path + "/state/notifications") ?? [] }
            try eventually("the notification of the later session waits") { !queue().isEmpty }
            #expect(try JSONValue(validating: queue())["count"]?.int64Value == 1)
            try muted.answerPermission(id, #""result":{"outcome":{"outcome":"cancelled"}}"#)
            try bridge.killAtOnce()
            let stored = FileBytes.read(home.path + "/state/muted-sessions")
            #expect(stored.map { String(decoding: $0, as: UTF8.self).contains("-1\"}") } == true)
            _ = try Daemon(home)
            let journal = try #require(
                try wholeLines(of: try home.run("sessions", "--json", "--all").output).map(JSONValue.init(validating:))
                    .compactMap { $0["journal"]?.stringValue }.first { $0.contains("-1-") })
            let next = try TinyvexTestClient(home)
            #expect(try next.watch("sessions:get", #"{"sessionId":"rude-1","journal":"\#(journal)"}"#)["result"] != nil)
            #expect(try next.nextValue().value["muted"]?.boolValue == true, "a mute survives the bridge")
        }
    }

    @Test func withoutTargetsNothingCanBeMuted() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let editor = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            let client = try TinyvexTestClient(home)
            let answer = try client.mutate("sessions:mute", #"{"sessionId":"rude-1"}"#)
            #expect(answer["error"]?["data"]?["code"]?.stringValue == "TVX003")
            #expect(try client.watch("sessions:get", #"{"sessionId":"rude-1"}"#)["result"] != nil)
            #expect(try client.value { $0["live"]?.boolValue == true }["muted"] == nil)
            try editor.end()
        }
    }

    @Test func aCommandGetsItsArgumentsWithoutAShell() throws {
        try BridgeHome.with { home in
            let script =
                "#!/bin/sh\nprintf '%s\\n' \"$@\" > \(home.path)/new && mv \(home.path)/new \(home.path)/told\n"
            try FileBytes.write(Array(script.utf8), to: home.path + "/tell")
            chmod(home.path + "/tell", 0o700)
            try Self.serve(
                home,
                #"{"name":"t","type":"command","command":["\#(home.path)/tell","{headline}","$(id)","{session}"],"#
                    + #""minTurnSeconds":0}"#)
            let editor = try EditorSession([Binary.demoAgent], in: home)
            try editor.prompt("/echo hi")
            try eventually("the command has run") { FileBytes.read(home.path + "/told") != nil }
            let told = String(decoding: try #require(FileBytes.read(home.path + "/told")), as: UTF8.self)
            #expect(told.hasSuffix(" is done\n$(id)\n\(editor.sessionId)\n"), "\(told)")
            try editor.end()
        }
    }

    @Test func theTestReportsEachTarget() throws {
        try BridgeHome.with { home in
            let (good, bad) = (try WebhookServer(), try WebhookServer([302]))
            let other =
                #"{"name":"broken","type":"ntfy","url":"http://127.0.0.1:\#(bad.port)","topic":"agents","token":"secret"}"#
            let url = "http://127.0.0.1:\(good.port)/more"
            let more = (0..<6).map { #",{"name":"more\#($0)","type":"webhook","url":"\#(url)"}"# }.joined()
            try Self.serve(home, Self.webhook(good) + "," + other + more)
            let outcome = try home.run("notify", "test")
            #expect(outcome.status == .exited(code: 1))
            for number in 0..<6 { #expect(outcome.outputText.contains("more\(number): delivered\n")) }
            #expect(outcome.outputText.contains("hook: delivered\n"))
            #expect(outcome.outputText.contains("broken: the server answered 302\n"), "no redirect is followed")
            #expect(good.received.count == 7 && bad.received.count == 1)
            #expect(bad.received.first?.body?["topic"]?.stringValue == "agents")
            #expect(bad.received.first?.field("Authorization") == "Bearer secret")
        }
    }

    @Test func withoutTargetsTheTestFails() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let outcome = try home.run("notify", "test")
            #expect(outcome.status == .exited(code: 1) && outcome.errorText.contains("help notify"))
        }
    }

    @Test func aWrongFileStopsTheStart() throws {
        try BridgeHome.with { home in
            mkdir(home.path + "/config", 0o700)
            let path = home.path + "/config/notifications.json"
            for (text, part) in [("{", path), (#"{"targets":[{"name":"a","type":"mail"}]}"#, "\"type\"")] {
                try FileBytes.write(Array(text.utf8), to: path)
                let outcome = try home.run("serve")
                #expect(outcome.status == .exited(code: 78) && outcome.errorText.contains(part), "\(outcome.errorText)")
            }
            chmod(path, 0o666)
            #expect(try home.run("serve").errorText.contains(path))
            #expect(try home.run("serve", "--notify", SystemString(home.path + "/none")).errorText.contains("none"))
        }
    }

    /// A new bridge that cannot read the file would not start, and its agents would be lost.
    @Test func aWrongFileKeepsTheRunningBridgeAndARightOneIsReadAgain() throws {
        try BridgeHome.with { home in
            let server = try WebhookServer()
            try Self.serve(home, "")
            let path = home.path + "/config/notifications.json"
            try FileBytes.write(Array("{".utf8), to: path)
            let refused = try home.run("serve", "--replace")
            #expect(refused.status == .exited(code: 78) && refused.errorText.contains(path), "\(refused.errorText)")
            #expect(try home.run("notify", "test").errorText.contains("help notify"), "the bridge has no targets")
            try FileBytes.write(Array(#"{"targets":[\#(Self.webhook(server))]}"#.utf8), to: path)
            #expect(try home.run("serve", "--replace").status == .exited(code: 0))
            #expect(try home.run("notify", "test").status == .exited(code: 0))
            #expect(server.received.count == 1)
        }
    }

    // MARK: Web Push

    private static let subscription =
        #"{"endpoint":"https://127.0.0.1:1/x","keys":{"auth":"BTBZMqHH6r4Tts7J_aSIgg","p256dh":""#
        + #"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"}}"#

    @Test func aPageSubscribesToKnownPushServicesOnly() throws {
        try BridgeHome.with { home in
            try Self.serve(home, #"{"name":"pages","type":"push","subject":"mailto:me@example.org"}"#)
            let client = HTTPClient(.unix(path: home.socket))
            let key = try client.get("/api/v1/push/key").json()["key"]?.stringValue
            #expect(key.flatMap { Base64URL.decode($0) }?.count == 65)
            #expect(try client.get("/api/v1/push/key").json()["key"]?.stringValue == key)
            #expect(try client.post("/api/v1/push/subscriptions", Self.subscription).status == 400)
            let known = Self.subscription.replacing("127.0.0.1:1", with: "fcm.googleapis.com")
            let id = try #require(try client.post("/api/v1/push/subscriptions", known).json()["id"]?.stringValue)
            #expect(try client.post("/api/v1/push/subscriptions", known).json()["id"]?.stringValue == id)
            #expect(try client.ask("DELETE", "/api/v1/push/subscriptions/\(id)").status == 200)
            #expect(try client.ask("DELETE", "/api/v1/push/subscriptions/\(id)").status == 404)
            for wrong in ["{}", "[]", known.replacing("BTBZ", with: "!!!!")] {
                #expect(try client.post("/api/v1/push/subscriptions", wrong).status == 400, "\(wrong)")
            }
        }
    }

    @Test(arguments: [false, true])
    func aPushEndpointReachesAPrivateAddressOnlyIfTheRulesPermitIt(isPermitted: Bool) throws {
        try BridgeHome.with { home in
            let server = try WebhookServer()
            let service = "127.0.0.1:\(server.port)"
            try Self.serve(
                home,
                #"{"name":"pages","type":"push","subject":"mailto:me@example.org","services":["\#(service)"],"#
                    + #""allowPrivate":\#(isPermitted)}"#)
            let client = HTTPClient(.unix(path: home.socket))
            let subscription = Self.subscription.replacing("127.0.0.1:1", with: service)
            #expect(try client.post("/api/v1/push/subscriptions", subscription).status == 200)
            let outcome = try home.run("notify", "test", "--json")
            let result = try JSONValue(validating: Array(outcome.output.prefix { $0 != 0x0a }))
            #expect(result["target"]?.stringValue == "pages" && result["delivered"]?.boolValue == false, "no TLS there")
            #expect((server.connectionCount > 0) == isPermitted)
        }
    }

    /// The receiver is a program of other libraries: http-ece decrypts, and py-vapid verifies the sender.
    @Test(.enabled(if: PythonSDK.isInstalled, "Tests/run.sh installs http-ece and py-vapid into .venv"))
    func aBrowserOfOtherLibrariesDecryptsAPushAndVerifiesItsSender() throws {
        try BridgeHome.with { home in
            let (record, files) = (home.path + "/pushes", try CertificateOnDisk(home))
            let service = try EditorProcess(
                [PythonSDK.python, PythonSDK.script("push.py")]
                    + [record, files.certificate, files.key].map { SystemString($0) }, in: home)
            let subscription = try JSONValue(validating: Array(try #require(try service.readLine()).utf8))
            let endpoint = try #require(subscription["endpoint"]?.stringValue)
            let origin = "https://" + endpoint.dropFirst("https://".count).prefix { $0 != "/" }
            try Self.serve(
                home,
                #"{"name":"pages","type":"push","subject":"mailto:me@example.org","events":["permission"],"content":true,"#
                    + #""services":["\#(origin.dropFirst("https://".count))"],"allowPrivate":true,"#
                    + #""caFile":"\#(files.certificate)"}"#, options: ["--public-url", "https://bridge.example/base"])
            let client = HTTPClient(.unix(path: home.socket))
            #expect(try client.post("/api/v1/push/subscriptions", subscription.rawString).status == 200)
            let editor = try TourEditor([Binary.rudeAgent, "echo", "--id-style", "number"], in: home)
            let id = try editor.prompt()
            try eventually("the browser gets the push") { FileBytes.read(record)?.contains(0x0a) == true }
            try editor.answerPermission(id, #""result":{"outcome":{"outcome":"cancelled"}}"#)
            let pushes = try wholeLines(of: FileBytes.read(record) ?? []).map(JSONValue.init(validating:))
            let push = try #require(pushes.first)
            #expect(pushes.count == 1 && push["error"] == nil, "\(push.rawString)")
            let message = try #require(push["message"])
            #expect(message["type"]?.stringValue == "permission" && message["sessionId"]?.stringValue == "rude-1")
            #expect(message["url"]?.stringValue?.hasPrefix("https://bridge.example/base/#/s/rude-1/") == true)
            #expect(push["claims"]?["aud"]?.stringValue == origin)
            #expect(push["claims"]?["sub"]?.stringValue == "mailto:me@example.org")
            let lifetime = (push["claims"]?["exp"]?.int64Value ?? 0) - wallClockMilliseconds() / 1000
            #expect((1...86_400).contains(lifetime), "RFC 8292 permits a day")
            #expect(try push["key"]?.stringValue == client.get("/api/v1/push/key").json()["key"]?.stringValue)
            #expect(push["fields"]?["content-encoding"]?.stringValue == "aes128gcm")
            try editor.leave()
        }
    }

    @Test func withoutATargetThereIsNoWebPush() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            #expect(try HTTPClient(address).get("/api/v1/push/key").status == 401)
            let client = HTTPClient(.unix(path: home.socket))
            #expect(try client.get("/api/v1/push/key").status == 404)
            #expect(try client.post("/api/v1/push/subscriptions", Self.subscription).status == 404)
        }
    }
}
