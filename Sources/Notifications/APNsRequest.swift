import JSONScan
import PushCrypto

/// The request that delivers a notification by Apple's push service, and the meaning of its answer. Pure. Source: Apple,
/// "Sending notification requests to APNs" and "Handling notification responses from APNs".
package enum APNsRequest {
    /// A larger payload is refused with 413.
    static let payloadLimitBytes = 4096
    /// The time for which Apple keeps a message for a device that is off. Milliseconds.
    private static let life: Int64 = 86_400_000

    /// - Parameters:
    ///   - deviceToken: hexadecimal digits.
    ///   - token: ``APNsToken/text``.
    package static func request(
        _ message: NotificationMessage, deviceToken: String, _ apns: NotificationTarget.APNs, token: String
    ) -> NotificationRequest {
        let fields = [
            "authorization: bearer \(token)", "apns-topic: \(apns.topic)", "apns-push-type: alert",
            "apns-priority: \(message.kind.needsPerson ? 10 : 5)",
            "apns-expiration: \((message.createdTs + life) / 1000)", "apns-collapse-id: \(message.collapseId)",
            "content-type: application/json",
        ]
        return NotificationRequest(
            url: "\(apns.url)/3/device/\(deviceToken)", fields: fields + identifier(message.id),
            body: payload(message), isPublicOnly: false, usesHTTP2: true)
    }

    /// The `apns-id` is a UUID. The id of a message has as many digits.
    private static func identifier(_ id: String) -> [String] {
        let digits = Array(id.utf8)
        guard digits.count == 32 else { return [] }
        let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(decoding: digits[$0], as: UTF8.self) }
        return ["apns-id: \(parts.joined(separator: "-"))"]
    }

    /// `{"aps":{"alert":{"title":"codex needs you","body":"…"},…},"id":"…","type":"permission","agent":"codex",…}`. If that
    /// is too large, the app gets the title, a general text, the id and the type.
    static func payload(_ message: NotificationMessage) -> [UInt8] {
        let whole = payload(message, body: message.body) { message.writeFacts(to: &$0) }
        return whole.count <= payloadLimitBytes ? whole : payload(message, body: message.fact) { _ in }
    }

    private static func payload(
        _ message: NotificationMessage, body: String, _ facts: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        JSONWriter.object { writer in
            writer.memberObject("aps") { writer in
                writer.memberObject("alert") { writer in
                    writer.member("title", message.headline)
                    writer.member("body", body)
                }
                writer.member("sound", "default")
                writer.member("thread-id", ShortHash.text(message.agent + "\n" + message.sessionId))
                writer.member("interruption-level", message.kind.needsPerson ? "time-sensitive" : "active")
            }
            writer.member("id", message.id)
            writer.member("type", message.kind.rawValue)
            facts(&writer)
        }
    }

    /// - Parameters:
    ///   - status: 0 if there was no answer.
    ///   - body: `{"reason":"BadDeviceToken"}`; empty with 200.
    package static func outcome(
        status: Int, body: String, retryAfterSeconds: Int
    ) -> NotificationMachine.Outcome {
        switch (status, reason(body)) {
        case (400, "BadDeviceToken"), (400, "DeviceTokenNotForTopic"): .gone
        case (429, _) where retryAfterSeconds == 0: .busy(busyMilliseconds)
        default: NotificationRequest.outcome(status: status, isPush: false, retryAfterSeconds: retryAfterSeconds)
        }
    }

    /// Apple gives no time after 429, which means too many messages for one device.
    private static let busyMilliseconds: Int64 = 60_000

    /// Apple's name for the error, such as `BadDeviceToken`; nil if the answer has none.
    package static func reason(_ body: String) -> String? {
        (try? JSONValue(validating: Array(body.utf8)))?["reason"]?.stringValue
    }

    /// Whether the sender must make another token before the next attempt. After `InvalidProviderToken`, another one would
    /// not help: the key, its id or the team's id is wrong.
    package static func isExpiredToken(status: Int, body: String) -> Bool {
        status == 403 && reason(body) == "ExpiredProviderToken"
    }
}
