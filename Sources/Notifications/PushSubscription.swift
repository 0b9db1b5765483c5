import Hashing
import JSONScan
import PushCrypto
import Tinyvex

/// A browser that wants notifications, as its page gave it: the address of a push service, and the keys.
package struct PushSubscription: Sendable, Equatable {
    /// Derived from the endpoint, so that a page that subscribes again replaces its subscription.
    package let id: String
    package let endpoint: String
    package let keys: PushKeys
    /// The token of the page. The subscription ends with it; nil for a token that cannot be revoked.
    package let tokenId: String?
    package let tenant: String?

    /// An endpoint has some hundred bytes.
    private static let endpointLimitBytes = 1024

    /// Reads a `PushSubscription` as a browser writes it: `{"endpoint":"https://…","keys":{"p256dh":"…","auth":"…"}}`.
    ///
    /// - Throws: invalid params if the endpoint is not one of a push service: it comes from a client, and must not lead
    ///   to another server.
    package init(
        _ members: Parameters, push: NotificationTarget.Push, tokenId: String?, tenant: String?
    ) throws(Rejection) {
        let endpoint = try members.string("endpoint")
        guard endpoint.utf8.count <= Self.endpointLimitBytes, PushService.isKnown(endpoint, adding: push.services)
        else {
            throw .invalidParams("endpoint is not an address of a push service that this bridge knows")
        }
        let keys = try members.optionalObject("keys") ?? Parameters(nil)
        guard let keys = PushKeys(p256dh: try keys.string("p256dh"), auth: try keys.string("auth")) else {
            throw .invalidParams("keys has no valid p256dh and auth")
        }
        self.init(endpoint: endpoint, keys: keys, tokenId: tokenId, tenant: tenant)
    }

    init(endpoint: String, keys: PushKeys, tokenId: String?, tenant: String?) {
        id = ShortHash.text(endpoint)
        self.endpoint = endpoint
        self.keys = keys
        self.tokenId = tokenId
        self.tenant = tenant
    }

    // MARK: The file

    /// The subscription as one line, without its line feed.
    package func storedLine() -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("endpoint", endpoint)
            writer.member("p256dh", keys.p256dh)
            writer.member("auth", keys.auth)
            writer.member("tokenId", ifPresent: tokenId)
            writer.member("tenant", ifPresent: tenant)
        }
    }

    package init?(storedLine line: [UInt8]) {
        guard let value = try? JSONValue(validating: line), let endpoint = value["endpoint"]?.stringValue,
            let p256dh = value["p256dh"]?.stringValue, let auth = value["auth"]?.stringValue,
            let keys = PushKeys(p256dh: p256dh, auth: auth)
        else { return nil }
        self.init(
            endpoint: endpoint, keys: keys, tokenId: value["tokenId"]?.stringValue,
            tenant: value["tenant"]?.stringValue)
    }
}

/// The push services of the browsers.
package enum PushService {
    /// Chrome and others; Firefox; Safari; Edge. A name that begins with a dot matches all names with that end.
    private static let hosts = [
        "fcm.googleapis.com", "updates.push.services.mozilla.com", ".push.services.mozilla.com", "web.push.apple.com",
        ".push.apple.com", ".notify.windows.com",
    ]

    /// Whether an endpoint is an `https` address of a push service. A port is only permitted for `others`.
    ///
    /// - Parameter others: further hosts, of the settings: `push.example`, `.push.example` or `push.example:8443`.
    package static func isKnown(_ endpoint: String, adding others: [String]) -> Bool {
        guard let origin = origin(of: endpoint) else { return false }
        let authority = origin.dropFirst("https://".count).lowercased()
        return (hosts + others).contains { name in
            name.hasPrefix(".") ? authority.hasSuffix(name) : authority == name
        }
    }

    /// `https://fcm.googleapis.com`; nil for an address that is not plain `https`, or has a user name.
    package static func origin(of endpoint: String) -> String? {
        guard endpoint.hasPrefix("https://"), endpoint.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            return nil
        }
        let authority = endpoint.dropFirst("https://".count).prefix { !"/?#".contains($0) }
        let isPlain = authority.utf8.allSatisfy { byte in
            (48...57).contains(byte) || (97...122).contains(byte | 0x20) || "-.:".utf8.contains(byte)
        }
        return authority.isEmpty || !isPlain ? nil : "https://\(authority)"
    }
}

/// A short name for a text: FNV-1a with 64 bits, in hexadecimal. It is public, and
/// collisions are harmless: a client can replace a subscription only if it knows the endpoint, which is secret.
enum ShortHash {
    static func text(_ text: String) -> String {
        let digits = String(FNV1a.hash(of: text.utf8), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
