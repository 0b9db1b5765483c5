import JSONScan
import PushCrypto
import Testing
import Tinyvex

@testable import Notifications

@Suite struct NotificationSettingsTests {
    private func settings(_ target: String) throws -> NotificationSettings {
        try NotificationSettings(json: Array(#"{"targets":[\#(target)]}"#.utf8))
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"targets":{}}"#, #"{"targets":[],"target":[]}"#, #"{"targets":[],"targets":[]}"#,
        #"{"targets":[],"delaySeconds":-1}"#, #"{"targets":[1]}"#,
    ])
    func aWrongFileIsRefused(json: String) {
        #expect(throws: NotificationSettings.Fault.self) { try NotificationSettings(json: Array(json.utf8)) }
    }

    @Test(arguments: [
        (#"{"type":"webhook","url":"https://h"}"#, "name"), (#"{"name":"a"}"#, "type"),
        (#"{"name":"a","type":"mail"}"#, "type"), (#"{"name":"a","type":"webhook"}"#, "url"),
        (#"{"name":"a","type":"webhook","url":"file:///etc/passwd"}"#, "url"),
        (#"{"name":"a","type":"webhook","url":"https://h/ x"}"#, "url"),
        (#"{"name":"a","type":"webhook","url":"https://h","secret":"x"}"#, "secret"),
        (#"{"name":"a","type":"webhook","url":"https://h","event":[]}"#, "events"),
        (#"{"name":"a","type":"webhook","url":"https://h","events":["never"]}"#, "permission"),
        (#"{"name":"a","type":"ntfy","url":"https://h"}"#, "topic"),
        (#"{"name":"a","type":"command","command":[]}"#, "command"),
        (#"{"name":"a","type":"command","command":"x"}"#, "command"),
        (#"{"name":"a","type":"push","subject":"me"}"#, "subject"),
        (#"{"name":"a","type":"webhook","url":"https://h","caFile":"ca.pem"}"#, "caFile"),
        (#"{"name":"a","type":"apns","keyFile":"k.p8","keyId":"k","teamId":"t","topic":"x"}"#, "keyFile"),
        (#"{"name":"a","type":"apns","keyFile":"/k.p8","keyId":"k","teamId":"t"}"#, "topic"),
        (#"{"name":"a","type":"apns","keyFile":"/k.p8","keyId":"k","teamId":"t","topic":"x\ny"}"#, "topic"),
        (
            #"{"name":"a","type":"apns","keyFile":"/k","keyId":"k","teamId":"t","topic":"x","environment":"test"}"#,
            "environment"
        ),
        (#"{"name":"a","type":"webhooks","hosts":"h"}"#, "hosts"),
        (#"{"name":"a","type":"command","command":["x"],"quiet":"22-7"}"#, "quiet"),
        (#"{"name":"a","type":"command","command":["x"],"folders":["work"]}"#, "folders"),
    ])
    func aWrongTargetIsRefusedByName(target: String, name: String) {
        do {
            _ = try settings(target)
            Issue.record("\(target) was accepted")
        } catch {
            #expect("\(error)".contains(name) && "\(error)".contains("target 1"), "\(error)")
        }
    }

    @Test func twoTargetsHaveTwoNames() {
        let target = #"{"name":"a","type":"command","command":["x"]}"#
        #expect(throws: NotificationSettings.Fault.self) { try settings("\(target),\(target)") }
    }

    @Test(arguments: [
        ("22:00-07:00", 1320, 540), ("22:00-07:00", 0, 420), ("22:00-07:00", 419, 1), ("22:00-07:00", 420, nil),
        ("22:00-07:00", 1319, nil), ("12:00-13:30", 720, 90), ("12:00-13:30", 810, nil),
    ])
    func aQuietTimeCanSpanMidnight(text: String, minute: Int, left: Int?) {
        #expect(QuietTime(text)?.minutesLeft(at: minute) == left)
    }

    @Test(arguments: ["", "22:00", "22:00-22:00", "24:00-07:00", "22:60-07:00", "2:00-07:00", "22:00-07:00-08:00"])
    func aMalformedQuietTimeIsRefused(text: String) { #expect(QuietTime(text) == nil) }
}

@Suite struct NotificationRequestTests {
    private static let keys = PushKeys(
        p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        auth: "BTBZMqHH6r4Tts7J_aSIgg")

    private func message(
        _ kind: NotificationEvent.Kind = .permission, session: String = "s1", url: String? = nil
    ) throws -> NotificationMessage {
        let json = #"{"targets":[{"name":"t","type":"command","command":["x"],"content":true}]}"#
        let target = try #require(try NotificationSettings(json: Array(json.utf8)).targets.first)
        let event = NotificationEvent(kind, agent: "codex", sessionId: session, title: "a \"title\"\nx: y", url: url)
        return NotificationMessage(
            id: "m1", event, target: target, subscription: nil, at: 1_700_000_000_000, dueTs: 0)
    }

    @Test func theAddressOfTheSessionIsInEachRequest() throws {
        let url = "https://bridge.example/base/#/s/s1/9f03c2aa-16-1"
        let message = try message(url: url)
        let webhook = try NotificationRequest.webhook(message, url: "https://h", secret: nil, at: 0)
        #expect(try JSONValue(validating: webhook.body)["data"]?["url"]?.stringValue == url)
        let ntfy = NotificationRequest.ntfy(message, url: "https://h", topic: "t", token: nil)
        #expect(try JSONValue(validating: ntfy.body)["click"]?.stringValue == url)
        #expect(try JSONValue(validating: APNsRequest.payload(message))["url"]?.stringValue == url)
        #expect(NotificationCommand.arguments(["open", "{url}"], for: message) == ["open", url])
        let line = try #require(message.storedLine())
        #expect(NotificationMessage(storedLine: line) == message)
    }

    @Test func withoutAPublicAddressThereIsNone() throws {
        let ntfy = NotificationRequest.ntfy(try message(), url: "https://h", topic: "t", token: nil)
        #expect(try JSONValue(validating: ntfy.body)["click"] == nil)
        #expect(NotificationCommand.arguments(["open", "{url}"], for: try message()) == ["open", ""])
    }

    @Test func aWebhookIsSignedWithItsIdAndTime() throws {
        let secret = try #require(WebhookSignature.secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let request = try NotificationRequest.webhook(
            try message(), url: "https://h", secret: secret, at: 1_700_000_001_999)
        let body = try JSONValue(validating: request.body)
        #expect(body["type"]?.stringValue == "permission")
        #expect(body["timestamp"]?.stringValue == "2023-11-14T22:13:20.000Z")
        #expect(body["data"]?["agent"]?.stringValue == "codex" && body["data"]?["count"]?.int64Value == 1)
        #expect(request.fields.contains("webhook-id: m1") && request.fields.contains("webhook-timestamp: 1700000001"))
        let signature = try WebhookSignature.value(
            id: "m1", timestamp: 1_700_000_001, body: request.body, secret: secret)
        #expect(request.fields.contains("webhook-signature: \(signature)"))
        #expect(!request.isPublicOnly)
    }

    @Test func noTextOfAnAgentIsInAHeaderField() throws {
        let request = NotificationRequest.ntfy(try message(), url: "https://n", topic: "t", token: "a\r\nb")
        #expect(request.fields == ["Content-Type: application/json"])
        #expect(try JSONValue(validating: request.body)["message"]?.stringValue?.hasPrefix("a \"title\"\nx: y") == true)
    }

    @Test func aPushMessageFitsIntoOneRecord() throws {
        let push = NotificationTarget.Push(subject: "mailto:a@b", services: [], allowsPrivate: false)
        let keys = try #require(Self.keys)
        let key = try P256KeyPair()
        for session in ["s1", String(repeating: "\u{1}", count: 1024)] {
            let request = try NotificationRequest.push(
                try message(session: session), endpoint: "https://fcm.googleapis.com/x", keys: keys, push, key: key,
                at: 0)
            #expect(request.body.count <= 4096 && request.isPublicOnly)
            let topic = try #require(request.fields.first { $0.hasPrefix("Topic: ") }).dropFirst("Topic: ".count)
            #expect(topic.count <= 32, "RFC 8030, section 5.4")
        }
    }

    @Test(arguments: [
        (200, false, NotificationMachine.Outcome.delivered), (204, true, .delivered), (404, false, .failed),
        (404, true, .gone), (410, false, .gone), (410, true, .gone), (301, false, .failed), (500, true, .failed),
        (0, false, .failed), (429, true, .failed),
    ])
    func anAnswerHasAMeaning(status: Int, isPush: Bool, outcome: NotificationMachine.Outcome) {
        #expect(NotificationRequest.outcome(status: status, isPush: isPush) == outcome)
    }

    @Test func aBusyServerSaysWhenToTryAgain() {
        #expect(NotificationRequest.outcome(status: 429, isPush: false, retryAfterSeconds: 7) == .busy(7000))
        #expect(NotificationRequest.outcome(status: 503, isPush: true, retryAfterSeconds: 7) == .busy(7000))
        #expect(NotificationRequest.outcome(status: 500, isPush: true, retryAfterSeconds: 7) == .failed)
    }

    @Test func aCommandGetsValuesAsWholeTexts() throws {
        let message = try message(.turnEnd, session: "s{agent}; rm")
        let arguments = NotificationCommand.arguments(
            ["say", "{headline}", "{session}/{kind}", "{unknown}", "{", "}"], for: message)
        #expect(arguments == ["say", "codex is done", "s{agent}; rm/turn_end", "{unknown}", "{", "}"])
    }

    @Test func aValueIsNeitherAnOptionNorAnEscapeSequence() throws {
        let message = try message(.turnEnd, session: "--\u{1B}[2J\u{9B}x\n")
        #expect(
            NotificationCommand.arguments(["{session}", "--id={session}", "-x"], for: message)
                == [" --[2Jx\n", "--id=--[2Jx\n", "-x"])
        let accented = try self.message(.turnEnd, session: "-\u{301}x")
        #expect(NotificationCommand.arguments(["{session}"], for: accented) == [" -\u{301}x"])
    }
}

@Suite struct PushSubscriptionTests {
    @Test(arguments: [
        "https://fcm.googleapis.com/fcm/send/x", "https://updates.push.services.mozilla.com/wpush/v2/x",
        "https://web.push.apple.com/x", "https://db5p.notify.windows.com/w/?token=x",
        "https://push.example:8443/x",
    ])
    func addressesOfPushServicesAreAccepted(endpoint: String) {
        #expect(PushService.isKnown(endpoint, adding: ["push.example:8443"]))
    }

    @Test(arguments: [
        "http://fcm.googleapis.com/x", "https://evil.example/x", "https://fcm.googleapis.com.evil.example/",
        "https://fcm.googleapis.com:22/x", "https://fcm.googleapis.com@127.0.0.1/", "https://a:b@fcm.googleapis.com/",
        "https://127.0.0.1/", "https://notify.windows.com.evil/", "https://evilpush.apple.com/",
        "https://fcm.googleapis.com\\@evil.example/", "https://", "file:///x", "https://fcm.googleapis.com /x",
    ])
    func otherAddressesAreRefused(endpoint: String) { #expect(!PushService.isKnown(endpoint, adding: [])) }

    @Test func aSubscriptionSurvivesItsFile() throws {
        let json =
            #"{"endpoint":"https://fcm.googleapis.com/x","expirationTime":null,"keys":{"auth":"BTBZMqHH6r4Tts7J_aSIgg","#
            + #""p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"}}"#
        let push = NotificationTarget.Push(subject: "mailto:a@b", services: [], allowsPrivate: false)
        let members = Parameters(try JSONValue(validating: Array(json.utf8)))
        let subscription = try PushSubscription(members, push: push, tokenId: "tk_1", tenant: "acme")
        #expect(PushSubscription(storedLine: subscription.storedLine()) == subscription)
        #expect(PushSubscription(storedLine: Array("{}".utf8)) == nil)
    }
}
