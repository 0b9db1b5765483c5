import JSONScan
import PushCrypto
import Testing
import Tinyvex

@testable import Notifications

/// The registrations of clients: browsers, devices, webhooks.
@Suite struct PushRegistrationTests {
    private static let apns =
        #"{"name":"ios","type":"apns","keyFile":"/k.p8","keyId":"ABC123DEFG","teamId":"DEF123GHIJ","topic":"com.example.app"}"#
    private static let webhooks = #"{"name":"hooks","type":"webhooks"}"#
    private static let token = String(repeating: "8f", count: 32)

    private static func settings(_ targets: String...) throws -> NotificationSettings {
        let json = #"{"delaySeconds":0,"targets":[\#(targets.joined(separator: ","))]}"#
        return try NotificationSettings(json: Array(json.utf8))
    }

    private static func register(
        _ arguments: String, _ settings: NotificationSettings, by token: String = "tk_1", tenant: String? = nil
    ) throws -> PushSubscription {
        let members = Parameters(try JSONValue(validating: Array(arguments.utf8)))
        return try PushSubscription(members, settings, tokenId: token, tenant: tenant)
    }

    // MARK: Arguments

    @Test func aDeviceIsRegisteredForTheOnlyApp() throws {
        let upper = Self.token.uppercased()
        let device = try Self.register(#"{"token":"\#(upper)","events":["permission"]}"#, try Self.settings(Self.apns))
        #expect(device.address == .device(token: Self.token, topic: "com.example.app", isDevelopment: false))
        #expect(device.kinds == [.permission] && device.wants(.permission) && !device.wants(.turnEnd))
        #expect(PushSubscription(storedLine: device.storedLine()) == device)
        let row = try JSONValue(validating: device.json)
        #expect(row["type"]?.stringValue == "apns" && row["topic"]?.stringValue == "com.example.app")
        #expect(!row.rawString.contains("8f8f"), "the token is a secret")
    }

    @Test func aRegistrationBelongsToItsTenant() throws {
        let settings = try Self.settings(Self.apns)
        let arguments = #"{"token":"\#(Self.token)"}"#
        let (mine, again) = (try Self.register(arguments, settings), try Self.register(arguments, settings))
        let theirs = try Self.register(arguments, settings, tenant: "acme")
        #expect(mine.id == again.id && mine.id != theirs.id)
    }

    @Test(arguments: [
        #"{"token":"8f"}"#, #"{"token":"xyz"}"#, #"{"token":"8f8f8f8f8f8f8f8f8"}"#, #"{"token":7}"#,
        #"{"token":"@","topic":"com.example.other"}"#, #"{"token":"@","environment":"development"}"#,
        #"{"token":"@","environment":"test"}"#, #"{"token":"@","events":[]}"#, #"{"token":"@","events":["test"]}"#,
        #"{"token":"@","events":"permission"}"#, "{}",
    ])
    func wrongArgumentsAreRefused(arguments: String) throws {
        let settings = try Self.settings(Self.apns, Self.webhooks)
        #expect(throws: Rejection.self) {
            try Self.register(arguments.replacing("@", with: Self.token), settings)
        }
    }

    @Test(arguments: [
        #"{"token":"8f8f8f8f8f8f8f8f"}"#, #"{"endpoint":"https://hooks.example/x"}"#,
        #"{"endpoint":"https://fcm.googleapis.com/x","keys":{"auth":"a","p256dh":"b"}}"#,
    ])
    func anAddressWithoutATargetOfItsTypeIsRefused(arguments: String) throws {
        let command = #"{"name":"t","type":"command","command":["x"]}"#
        do {
            _ = try Self.register(arguments, try Self.settings(command))
            Issue.record("\(arguments) was accepted")
        } catch let rejection as Rejection {
            #expect(rejection.message.contains("notifications.json has no target of the type"))
        }
    }

    @Test func aWebhookIsHTTPSUnlessTheRulesPermitPrivateAddresses() throws {
        let usual = try Self.settings(Self.webhooks)
        let hook = try Self.register(
            #"{"endpoint":"https://hooks.example/x?y","secret":"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}"#, usual)
        #expect(PushSubscription(storedLine: hook.storedLine()) == hook)
        let row = try JSONValue(validating: hook.json)
        #expect(row["server"]?.stringValue == "https://hooks.example" && !row.rawString.contains("whsec_"))
        for wrong in [
            #"{"endpoint":"http://hooks.example/"}"#, #"{"endpoint":"https://me@hooks.example/"}"#,
            #"{"endpoint":"file:///x"}"#, #"{"endpoint":"https://hooks.example/","secret":"x"}"#,
        ] {
            #expect(throws: Rejection.self, "\(wrong)") { try Self.register(wrong, usual) }
        }
        let open = try Self.settings(#"{"name":"hooks","type":"webhooks","allowPrivate":true,"hosts":[".local"]}"#)
        _ = try Self.register(#"{"endpoint":"http://box.local/x"}"#, open)
        #expect(throws: Rejection.self) { try Self.register(#"{"endpoint":"http://box.local:80/x"}"#, open) }
        #expect(throws: Rejection.self) { try Self.register(#"{"endpoint":"https://hooks.example/"}"#, open) }
    }

    @Test func twoTargetsCannotBeForOneApp() throws {
        let other = Self.apns.replacing("ios", with: "ios2")
        #expect(throws: NotificationSettings.Fault.self) { try Self.settings(Self.apns, other) }
        let development = other.replacing(#""keyId""#, with: #""environment":"development","keyId""#)
        let settings = try Self.settings(Self.apns, development)
        #expect(settings.apns.map(\.url) == ["https://api.push.apple.com", "https://api.sandbox.push.apple.com"])
    }

    // MARK: Delivery

    private let start = NotificationTime(ts: 1_700_000_000_000, minuteOfDay: 720)

    private static func deliveries(_ actions: [NotificationMachine.Action]) -> [NotificationMessage] {
        actions.compactMap { if case .deliver(let message) = $0 { message } else { nil } }
    }

    private static func machine(_ subscriptions: [PushSubscription], _ settings: NotificationSettings)
        -> NotificationMachine
    {
        NotificationMachine(settings, subscriptions: subscriptions, newId: Ids().next)
    }

    @Test func eachTargetSendsToItsOwnRegistrations() throws {
        let settings = try Self.settings(Self.apns, Self.webhooks)
        let device = try Self.register(#"{"token":"\#(Self.token)","events":["failed"]}"#, settings, by: "tk_2")
        let hook = try Self.register(#"{"endpoint":"https://hooks.example/"}"#, settings)
        let theirs = try Self.register(#"{"endpoint":"https://hooks.example/"}"#, settings, tenant: "acme")
        var machine = Self.machine([device, hook, theirs], settings)
        let asked = machine.occurred(
            NotificationEvent(.permission, agent: "codex", sessionId: "s1", requestId: "1"), at: start)
        #expect(Self.deliveries(asked).map(\.subscription) == [hook.id])
        let failed = machine.occurred(NotificationEvent(.failed, agent: "codex", sessionId: "s2"), at: start)
        #expect(Self.deliveries(failed).map { [$0.target, $0.subscription] } == [["ios", device.id]])
    }

    @Test func aClientLeavesRoomForTheRegistrationsOfOthers() throws {
        let settings = try Self.settings(Self.webhooks)
        func hook(_ number: Int, by token: String) throws -> PushSubscription {
            try Self.register(#"{"endpoint":"https://hooks.example/\#(number)"}"#, settings, by: token)
        }
        var machine = Self.machine([], settings)
        for number in 0..<20 { try machine.register(hook(number, by: "tk_many")) }
        #expect(throws: Rejection.self) { try machine.register(hook(20, by: "tk_many")) }
        try machine.register(hook(19, by: "tk_many"))
        for number in 100..<180 { try machine.register(hook(number, by: "tk_\(number)")) }
        #expect(machine.subscriptions.count == 100)
        #expect(throws: Rejection.self) { try machine.register(hook(200, by: "tk_other")) }
    }

    @Test func aRegistrationOfADeviceThatIsGoneEnds() throws {
        let settings = try Self.settings(Self.apns)
        let device = try Self.register(#"{"token":"\#(Self.token)"}"#, settings)
        var machine = Self.machine([device], settings)
        let sent = Self.deliveries(
            machine.occurred(NotificationEvent(.failed, agent: "codex", sessionId: "s1"), at: start))
        let message = try #require(sent.first)
        #expect(machine.finished(message.id, .gone, at: start) == [.forget(subscription: device.id), .store])
        #expect(machine.subscriptions.isEmpty && machine.waitingCount == 0)
    }

    @Test func aBusyDestinationGetsTheMessageWhenItAsksForIt() throws {
        let settings = try Self.settings(Self.apns)
        var machine = Self.machine([try Self.register(#"{"token":"\#(Self.token)"}"#, settings)], settings)
        let sent = Self.deliveries(
            machine.occurred(NotificationEvent(.failed, agent: "codex", sessionId: "s1"), at: start))
        _ = machine.finished(try #require(sent.first).id, .busy(60_000), at: start)
        #expect(machine.nextDueTs == start.ts + 60_000)
        let again = machine.due(at: NotificationTime(ts: start.ts + 60_000, minuteOfDay: 721))
        // A shorter time than the usual delay does not shorten it.
        _ = machine.finished(
            try #require(Self.deliveries(again).first).id, .busy(1),
            at: NotificationTime(ts: start.ts, minuteOfDay: 721))
        #expect(machine.nextDueTs == start.ts + 20_000)
    }
}

@Suite struct APNsRequestTests {
    private static let apns = NotificationTarget.APNs(
        keyFile: "/k.p8", keyId: "ABC123DEFG", teamId: "DEF123GHIJ", topic: "com.example.app", isDevelopment: false,
        url: "https://api.push.apple.com")

    private static func message(
        _ kind: NotificationEvent.Kind = .permission, session: String = "s1", text: String? = nil
    ) throws -> NotificationMessage {
        let json = #"{"targets":[{"name":"t","type":"command","command":["x"],"content":true}]}"#
        let target = try #require(try NotificationSettings(json: Array(json.utf8)).targets.first)
        let event = NotificationEvent(kind, agent: "codex", sessionId: session, text: text)
        return NotificationMessage(
            id: "5f1cd1be07d2a3f3e6ab9ef15b8d8c9a", event, target: target, subscription: "d1", at: 1_700_000_000_000,
            dueTs: 0)
    }

    @Test func theRequestIsThatOfApplesDocumentation() throws {
        let request = APNsRequest.request(try Self.message(), deviceToken: "8f8f", Self.apns, token: "a.b.c")
        #expect(request.url == "https://api.push.apple.com/3/device/8f8f" && request.usesHTTP2)
        #expect(
            request.fields.filter { !$0.hasPrefix("apns-collapse-id") } == [
                "authorization: bearer a.b.c", "apns-topic: com.example.app", "apns-push-type: alert",
                "apns-priority: 10", "apns-expiration: 1700086400", "content-type: application/json",
                "apns-id: 5f1cd1be-07d2-a3f3-e6ab-9ef15b8d8c9a",
            ])
        let collapse = try #require(request.fields.first { $0.hasPrefix("apns-collapse-id: ") })
        #expect(collapse.utf8.count <= "apns-collapse-id: ".utf8.count + 64)
    }

    @Test func thePayloadHasTheAlertAndTheSession() throws {
        let payload = try JSONValue(validating: APNsRequest.payload(try Self.message(text: "rm -r build")))
        let aps = payload["aps"]
        #expect(aps?["alert"]?["title"]?.stringValue == "codex needs you")
        #expect(aps?["alert"]?["body"]?.stringValue == "rm -r build\nA permission request waits.")
        #expect(aps?["sound"]?.stringValue == "default")
        #expect(aps?["interruption-level"]?.stringValue == "time-sensitive")
        #expect(payload["type"]?.stringValue == "permission" && payload["agent"]?.stringValue == "codex")
        #expect(payload["sessionId"]?.stringValue == "s1" && payload["count"]?.int64Value == 1)
        let done = try JSONValue(validating: APNsRequest.payload(try Self.message(.turnEnd)))
        #expect(done["aps"]?["interruption-level"]?.stringValue == "active")
    }

    @Test func aPayloadThatWouldBeTooLargeHasNoFacts() throws {
        let message = try Self.message(session: String(repeating: "s", count: 5000), text: "x")
        let payload = APNsRequest.payload(message)
        #expect(payload.count <= APNsRequest.payloadLimitBytes)
        let value = try JSONValue(validating: payload)
        #expect(value["sessionId"] == nil && value["id"]?.stringValue == message.id)
        #expect(value["aps"]?["alert"]?["body"]?.stringValue == "A permission request waits.")
    }

    @Test(arguments: [
        (200, "", 0, NotificationMachine.Outcome.delivered),
        (400, #"{"reason":"BadDeviceToken"}"#, 0, .gone), (400, #"{"reason":"DeviceTokenNotForTopic"}"#, 0, .gone),
        (410, #"{"reason":"Unregistered","timestamp":1700000000000}"#, 0, .gone),
        (400, #"{"reason":"BadTopic"}"#, 0, .failed), (403, #"{"reason":"ExpiredProviderToken"}"#, 0, .failed),
        (429, #"{"reason":"TooManyRequests"}"#, 0, .busy(60_000)), (429, "", 5, .busy(5000)),
        (500, #"{"reason":"InternalServerError"}"#, 0, .failed), (503, "", 9, .busy(9000)), (0, "", 0, .failed),
        (400, "{", 0, .failed),
    ])
    func anAnswerHasAMeaning(status: Int, body: String, seconds: Int, outcome: NotificationMachine.Outcome) {
        #expect(APNsRequest.outcome(status: status, body: body, retryAfterSeconds: seconds) == outcome)
    }

    @Test func onlyAnExpiredTokenIsReplaced() {
        #expect(APNsRequest.isExpiredToken(status: 403, body: #"{"reason":"ExpiredProviderToken"}"#))
        #expect(!APNsRequest.isExpiredToken(status: 403, body: #"{"reason":"InvalidProviderToken"}"#))
        #expect(!APNsRequest.isExpiredToken(status: 410, body: #"{"reason":"ExpiredProviderToken"}"#))
    }
}
