import Hashing
import JSONScan
import PushCrypto
import Tinyvex

/// A destination that a client registered: a browser, an app on a device, or a webhook.
package struct PushSubscription: Sendable, Equatable {
    package enum Address: Sendable, Equatable {
        /// The address of a push service, and the keys of the browser.
        case browser(endpoint: String, PushKeys)
        /// A device token of Apple's push service, in lower-case hexadecimal digits, and the app.
        case device(token: String, topic: String, isDevelopment: Bool)
        /// - Parameter secret: `whsec_…`.
        case webhook(url: String, secret: String?)
    }

    /// Derived from the address and the tenant, so that a client that registers again replaces its registration.
    package let id: String
    package let address: Address
    /// The events that the client wants, among the target's events; nil for all.
    package let kinds: Set<NotificationEvent.Kind>?
    /// The token of the client. The registration ends with it; nil for a token that cannot be revoked.
    package let tokenId: String?
    package let tenant: String?

    /// An endpoint has some hundred bytes.
    private static let endpointLimitBytes = 1024

    package init(_ address: Address, kinds: Set<NotificationEvent.Kind>? = nil, tokenId: String?, tenant: String?) {
        let name =
            switch address {
            case .browser(let endpoint, _): endpoint
            case .device(let token, let topic, let isDevelopment): "\(token)\n\(topic)\n\(isDevelopment)"
            case .webhook(let url, _): url
            }
        id = ShortHash.text(tenant.map { "\(name)\n\($0)" } ?? name)
        self.address = address
        self.kinds = kinds
        self.tokenId = tokenId
        self.tenant = tenant
    }

    // MARK: Registration

    /// Reads the arguments of `push:register`: `{"endpoint":"https://…","keys":{"p256dh":"…","auth":"…"}}`, as a browser
    /// writes them; `{"token":"8f…"}` with `topic` and `environment`; or `{"endpoint":"https://…"}` with `secret` for a
    /// webhook. All can have `events`.
    ///
    /// - Throws: invalid params if the rules of the bridge do not permit the address: it comes from a client, and must not
    ///   lead to another server.
    package init(
        _ members: Parameters, _ settings: NotificationSettings, tokenId: String?, tenant: String?
    ) throws(Rejection) {
        let kinds = try Self.kinds(members)
        let address: Address
        if members.value("token") != nil {
            address = try Self.device(members, settings)
        } else if members.value("keys") != nil {
            guard let push = settings.push else { throw .unconfigured("Web Push", "push") }
            address = try Self.browser(members, push)
        } else {
            guard let webhooks = settings.webhooks else {
                throw .unconfigured("the registration of webhooks", "webhooks")
            }
            address = try Self.webhook(members, webhooks)
        }
        self.init(address, kinds: kinds, tokenId: tokenId, tenant: tenant)
    }

    /// Reads a `PushSubscription` of a browser.
    package init(
        _ members: Parameters, push: NotificationTarget.Push, tokenId: String?, tenant: String?
    ) throws(Rejection) {
        self.init(try Self.browser(members, push), tokenId: tokenId, tenant: tenant)
    }

    private static func browser(
        _ members: Parameters, _ push: NotificationTarget.Push
    ) throws(Rejection) -> Address {
        let endpoint = try members.string("endpoint")
        guard endpoint.utf8.count <= endpointLimitBytes, PushService.isKnown(endpoint, adding: push.services) else {
            throw .invalidParams("endpoint is not an address of a push service that this bridge knows")
        }
        let keys = try members.optionalObject("keys") ?? Parameters(nil)
        guard let keys = PushKeys(p256dh: try keys.string("p256dh"), auth: try keys.string("auth")) else {
            throw .invalidParams("keys has no valid p256dh and auth")
        }
        return .browser(endpoint: endpoint, keys)
    }

    /// Apple names no length. Known tokens have 64 to 160 digits.
    private static let deviceTokenDigits = 16...200

    private static func device(_ members: Parameters, _ settings: NotificationSettings) throws(Rejection) -> Address {
        guard !settings.apns.isEmpty else { throw .unconfigured("Apple's push service", "apns") }
        let token = try members.string("token").lowercased()
        let isHexadecimal = token.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
        guard isHexadecimal, deviceTokenDigits.contains(token.utf8.count), token.utf8.count.isMultiple(of: 2) else {
            throw .invalidParams("token must be a device token as hexadecimal digits")
        }
        let environment = try members.optionalString("environment") ?? "production"
        let topics = settings.apns.filter { $0.isDevelopment == (environment == "development") }.map(\.topic)
        guard ["production", "development"].contains(environment), !topics.isEmpty else {
            throw .invalidParams("environment must be one for which the bridge has a target, production or development")
        }
        let topic = try members.optionalString("topic") ?? (topics.count == 1 ? topics[0] : "")
        guard topics.contains(topic) else {
            throw .invalidParams("topic must be the bundle id of an app for which the bridge has a target")
        }
        return .device(token: token, topic: topic, isDevelopment: environment == "development")
    }

    private static func webhook(
        _ members: Parameters, _ webhooks: NotificationTarget.Webhooks
    ) throws(Rejection) -> Address {
        let url = try members.string("endpoint")
        guard url.utf8.count <= endpointLimitBytes, PushService.isWebhook(url, webhooks) else {
            throw .invalidParams("endpoint is not an https address that this bridge permits for webhooks")
        }
        let secret = try members.optionalString("secret")
        guard secret.map({ WebhookSignature.secret($0) != nil }) ?? true else {
            throw .invalidParams("secret must be whsec_ and 24 to 64 bytes in Base64")
        }
        return .webhook(url: url, secret: secret)
    }

    private static func kinds(_ members: Parameters) throws(Rejection) -> Set<NotificationEvent.Kind>? {
        guard let events = members.value("events") else { return nil }
        let kinds = events.elements.compactMap { $0.stringValue.flatMap(NotificationEvent.Kind.init) }
        guard events.kind == .array, !kinds.isEmpty, kinds.count == events.elements.count, !kinds.contains(.test) else {
            let all = NotificationEvent.Kind.allCases.filter { $0 != .test }.map(\.rawValue)
            throw .invalidParams("events must be an array of \(all.joined(separator: ", "))")
        }
        return Set(kinds)
    }

    // MARK: Use

    /// Whether the client wants an event. An end with an error is an end, too.
    func wants(_ kind: NotificationEvent.Kind) -> Bool {
        guard let kinds, kind != .test else { return true }
        return kinds.contains(kind) || kind == .agentExit && kinds.contains(.sessionEnd)
    }

    /// The row of `push:list`: `{"id":"…","type":"apns","topic":"com.example.app","events":["permission"]}`. It has no part
    /// of an address that is secret.
    package var json: [UInt8] {
        JSONWriter.object { writer in
            writer.member("id", id)
            switch address {
            case .browser(let endpoint, _):
                writer.member("type", "push")
                writer.member("server", ifPresent: PushService.origin(of: endpoint))
            case .device(_, let topic, let isDevelopment):
                writer.member("type", "apns")
                writer.member("topic", topic)
                writer.member("environment", isDevelopment ? "development" : "production")
            case .webhook(let url, _):
                writer.member("type", "webhook")
                writer.member("server", ifPresent: PushService.origin(ofAny: url))
            }
            writeKinds(to: &writer)
            writer.member("tenant", ifPresent: tenant)
        }
    }

    private func writeKinds(to writer: inout JSONWriter) {
        guard let kinds else { return }
        writer.memberArray("events") { writer in
            for kind in kinds.map(\.rawValue).sorted() { writer.element(kind) }
        }
    }

    // MARK: The file

    /// The registration as one line, without its line feed.
    package func storedLine() -> [UInt8] {
        JSONWriter.object { writer in
            switch address {
            case .browser(let endpoint, let keys):
                writer.member("endpoint", endpoint)
                writer.member("p256dh", keys.p256dh)
                writer.member("auth", keys.auth)
            case .device(let token, let topic, let isDevelopment):
                writer.member("deviceToken", token)
                writer.member("topic", topic)
                writer.member("development", isDevelopment)
            case .webhook(let url, let secret):
                writer.member("webhook", url)
                writer.member("secret", ifPresent: secret)
            }
            writeKinds(to: &writer)
            writer.member("tokenId", ifPresent: tokenId)
            writer.member("tenant", ifPresent: tenant)
        }
    }

    package init?(storedLine line: [UInt8]) {
        guard let value = try? JSONValue(validating: line), let address = Self.address(value) else { return nil }
        let kinds = value["events"].map {
            Set($0.elements.compactMap { $0.stringValue.flatMap(NotificationEvent.Kind.init) })
        }
        self.init(
            address, kinds: kinds, tokenId: value["tokenId"]?.stringValue, tenant: value["tenant"]?.stringValue)
    }

    private static func address(_ value: JSONValue) -> Address? {
        if let token = value["deviceToken"]?.stringValue, let topic = value["topic"]?.stringValue {
            return .device(token: token, topic: topic, isDevelopment: value["development"]?.boolValue == true)
        }
        if let url = value["webhook"]?.stringValue { return .webhook(url: url, secret: value["secret"]?.stringValue) }
        guard let endpoint = value["endpoint"]?.stringValue, let p256dh = value["p256dh"]?.stringValue,
            let auth = value["auth"]?.stringValue, let keys = PushKeys(p256dh: p256dh, auth: auth)
        else { return nil }
        return .browser(endpoint: endpoint, keys)
    }
}

extension Rejection {
    fileprivate static func unconfigured(_ subject: String, _ type: String) -> Rejection {
        Rejection(
            .mutationFailed,
            "\(subject) is not configured: notifications.json has no target of the type \(type); see `acpbridge help notify`",
            rpcCode: .invalidRequest)
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
        return isAuthority(of: origin, among: hosts + others)
    }

    /// Whether clients can register this webhook.
    static func isWebhook(_ url: String, _ webhooks: NotificationTarget.Webhooks) -> Bool {
        guard let origin = webhooks.allowsPrivate ? origin(ofAny: url) : origin(of: url) else { return false }
        return webhooks.hosts.map { isAuthority(of: origin, among: $0) } ?? true
    }

    private static func isAuthority(of origin: String, among names: [String]) -> Bool {
        let authority = origin.drop { $0 != "/" }.dropFirst(2).lowercased()
        return names.contains { name in name.hasPrefix(".") ? authority.hasSuffix(name) : authority == name }
    }

    /// `https://fcm.googleapis.com`; nil for an address that is not plain `https`, or has a user name.
    package static func origin(of endpoint: String) -> String? {
        origin(of: endpoint, scheme: "https://")
    }

    /// The same for an address of `http` or `https`.
    static func origin(ofAny url: String) -> String? {
        origin(of: url, scheme: "https://") ?? origin(of: url, scheme: "http://")
    }

    private static func origin(of endpoint: String, scheme: String) -> String? {
        guard endpoint.hasPrefix(scheme), endpoint.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            return nil
        }
        let authority = endpoint.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
        let isPlain = authority.utf8.allSatisfy { byte in
            (48...57).contains(byte) || (97...122).contains(byte | 0x20) || "-.:".utf8.contains(byte)
        }
        return authority.isEmpty || !isPlain ? nil : scheme + authority
    }
}

/// A short name for a text: the first 16 bytes of its SHA-256, in hexadecimal. It is public. No other text with the same
/// name can be found, so a client can replace a registration only if it knows the address, which is secret.
enum ShortHash {
    static func text(_ text: String) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let name = SHA256.digest(of: Array(text.utf8)).prefix(16).flatMap {
            [digits[Int($0 >> 4)], digits[Int($0 & 15)]]
        }
        return String(decoding: name, as: UTF8.self)
    }
}
