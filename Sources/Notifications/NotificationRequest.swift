import JSONScan
import PushCrypto
import TerminalText
import Tinyvex

/// One HTTP request that delivers a notification. Pure.
package struct NotificationRequest: Sendable, Equatable {
    package let url: String
    /// `name: value`, without line ends.
    package let fields: [String]
    package let body: [UInt8]
    /// The server's address must not be private, because the URL came from a client.
    package let isPublicOnly: Bool
    package var usesHTTP2 = false

    /// By the rules of Standard Webhooks: `{"type":"permission","timestamp":"…","data":{"agent":"codex",…}}`.
    ///
    /// - Parameters:
    ///   - isPublicOnly: The URL came from a client.
    ///   - now: milliseconds since 1970.
    package static func webhook(
        _ message: NotificationMessage, url: String, secret: [UInt8]?, isPublicOnly: Bool = false, at now: Int64
    ) throws(CryptoFailure) -> NotificationRequest {
        let body = JSONWriter.object { writer in
            writer.member("type", message.kind.rawValue)
            writer.member("timestamp", Timestamp.milliseconds(message.createdTs))
            writer.memberObject("data") { message.writeFacts(to: &$0) }
        }
        var fields = [
            "Content-Type: application/json", "webhook-id: \(message.id)", "webhook-timestamp: \(now / 1000)",
        ]
        if let secret {
            let signature = try WebhookSignature.value(
                id: message.id, timestamp: now / 1000, body: body, secret: secret)
            fields.append("webhook-signature: \(signature)")
        }
        return NotificationRequest(url: url, fields: fields, body: body, isPublicOnly: isPublicOnly)
    }

    /// As JSON, because titles in header fields break on UTF-8 and line feeds. Source: ntfy's documentation, "Publish as
    /// JSON".
    package static func ntfy(
        _ message: NotificationMessage, url: String, topic: String, token: String?
    ) -> NotificationRequest {
        let body = JSONWriter.object { writer in
            writer.member("topic", topic)
            writer.member("title", message.headline)
            writer.member("message", message.body)
            writer.member("priority", message.kind.needsPerson ? 4 : 3)
            writer.member("click", ifPresent: message.url)
        }
        var fields = ["Content-Type: application/json"]
        if let token, token.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) {
            fields.append("Authorization: Bearer \(token)")
        }
        return NotificationRequest(url: url, fields: fields, body: body, isPublicOnly: false)
    }

    /// Web Push. The page's service worker gets `{"id":"…","type":"permission","headline":"…","body":"…","agent":"…"}`, or
    /// only the first four members if the rest does not fit.
    package static func push(
        _ message: NotificationMessage, endpoint: String, keys: PushKeys, _ push: NotificationTarget.Push,
        key: P256KeyPair, at now: Int64
    ) throws(CryptoFailure) -> NotificationRequest {
        let whole = pushText(message) { message.writeFacts(to: &$0) }
        // A push message has 4 KiB, and a folder alone can have as much.
        let text = whole.count <= PushEncryption.textLimitBytes ? whole : pushText(message) { _ in }
        let authorization = try VAPID.authorization(
            origin: PushService.origin(of: endpoint) ?? "", subject: push.subject, key: key,
            now: now / 1000)
        let fields = [
            "Authorization: \(authorization)", "Content-Encoding: aes128gcm",
            "Content-Type: application/octet-stream",
            // The push service keeps the message for a browser that is off, and replaces an older one of the session.
            "TTL: 86400", "Urgency: \(message.kind.needsPerson ? "high" : "normal")",
            "Topic: \(message.collapseId)",
        ]
        return NotificationRequest(
            url: endpoint, fields: fields, body: try PushEncryption.body(text, for: keys),
            isPublicOnly: !push.allowsPrivate)
    }

    private static func pushText(_ message: NotificationMessage, _ facts: (inout JSONWriter) -> Void) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("id", message.id)
            writer.member("type", message.kind.rawValue)
            writer.member("headline", message.headline)
            writer.member("body", message.body)
            facts(&writer)
        }
    }

    /// The meaning of a server's answer.
    ///
    /// - Parameter status: 0 if there was none.
    package static func outcome(
        status: Int, isPush: Bool, retryAfterSeconds: Int = 0
    ) -> NotificationMachine.Outcome {
        switch status {
        case 200..<300: .delivered
        case 404 where isPush: .gone
        case 410: .gone
        case 429 where retryAfterSeconds > 0, 503 where retryAfterSeconds > 0: .busy(Int64(retryAfterSeconds) * 1000)
        default: .failed
        }
    }
}

extension NotificationMessage {
    /// Names the messages that replace each other on a device: 16 characters.
    var collapseId: String { ShortHash.text(kind.rawValue + "\n" + agent + "\n" + sessionId) }
}

/// A command that delivers a notification.
package enum NotificationCommand {
    /// Replaces `{headline}`, `{body}`, `{kind}`, `{agent}`, `{session}` and `{url}` in each argument. The program runs without a
    /// shell, so no character of a value is special to one. A value is safe for a terminal, because the program can print
    /// it there. A value at the beginning of an argument that begins with `-` gets a space in front, because it comes from
    /// an agent, and must not be taken for an option.
    package static func arguments(_ command: [String], for message: NotificationMessage) -> [String] {
        let values = [
            ("headline", message.headline), ("body", message.body), ("kind", message.kind.rawValue),
            ("agent", message.agent), ("session", message.sessionId), ("url", message.url ?? ""),
        ]
        return command.map { argument in
            var result = ""
            var rest = argument[...]
            while let brace = rest.firstIndex(of: "{") {
                result += rest[..<brace]
                rest = rest[brace...]
                if let (name, value) = values.first(where: { rest.hasPrefix("{\($0.0)}") }) {
                    let shown = TerminalFilter.lines(value)
                    // A character can begin with a dash and have accents.
                    if result.isEmpty, shown.utf8.first == UInt8(ascii: "-") { result = " " }
                    result += shown
                    rest = rest.dropFirst(name.count + 2)
                } else {
                    result.append("{")
                    rest = rest.dropFirst()
                }
            }
            return result + rest
        }
    }
}
