import JSONScan
import PushCrypto
import Tinyvex

/// The rules of a bridge's notifications, from the file that `acpbridge serve --notify` names.
///
///     {"delaySeconds": 3, "targets": [
///         {"name": "team", "type": "webhook", "url": "https://hooks.example/x", "secret": "whsec_…"},
///         {"name": "phone", "type": "ntfy", "url": "https://ntfy.sh", "topic": "my-agents", "quiet": "22:00-07:00"},
///         {"name": "desktop", "type": "command", "command": ["notify-send", "{headline}", "{body}"], "content": true},
///         {"name": "pages", "type": "push", "subject": "mailto:me@example.org"}]}
package struct NotificationSettings: Sendable, Equatable {
    package var targets: [NotificationTarget] = []
    /// The time in which an answer, a prompt or a view of the session makes a notification unnecessary.
    package var delayMilliseconds: Int64 = 3_000

    /// More targets than a person can want.
    static let targetLimit = 32

    package init() {}

    /// The reason why the file is refused: one sentence, which names the place.
    package struct Fault: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    package init(json: [UInt8]) throws(Fault) {
        let value: JSONValue
        do throws(JSONSyntaxError) {
            value = try JSONValue(validating: json)
        } catch {
            throw Fault(description: error.description)
        }
        try self.init(value)
    }

    package init(_ value: JSONValue) throws(Fault) {
        let members = try SettingMembers(value, place: "the file", known: ["delaySeconds", "targets"])
        delayMilliseconds = 1000 * (try members.integer("delaySeconds", in: 0...3600) ?? 3)
        guard let list = value["targets"], list.kind == .array else {
            throw Fault(description: "\"targets\" must be an array")
        }
        guard list.elements.count <= Self.targetLimit else {
            throw Fault(description: "there can be at most \(Self.targetLimit) targets")
        }
        for (index, element) in list.elements.enumerated() {
            let target = try NotificationTarget(element, place: "target \(index + 1)")
            guard !targets.contains(where: { $0.name == target.name }) else {
                throw Fault(description: "two targets are called \"\(target.name)\"")
            }
            if case .apns(let apns) = target.address, self.apns.contains(where: { $0.isSameApp(as: apns) }) {
                throw Fault(description: "two targets are for the topic \"\(apns.topic)\"")
            }
            targets.append(target)
        }
    }

    /// The targets of apps that asked for notifications.
    package var apns: [NotificationTarget.APNs] {
        targets.compactMap { if case .apns(let apns) = $0.address { apns } else { nil } }
    }

    /// The target of the webhooks that clients registered.
    package var webhooks: NotificationTarget.Webhooks? {
        for case .webhooks(let webhooks) in targets.map(\.address) { return webhooks }
        return nil
    }

    /// The target of the pages that asked for notifications.
    package var push: NotificationTarget.Push? {
        for case .push(let push) in targets.map(\.address) { return push }
        return nil
    }
}

/// A place to which notifications are sent, and the rules for it.
package struct NotificationTarget: Sendable, Equatable {
    package enum Address: Sendable, Equatable {
        /// An HTTP server, by the rules of Standard Webhooks.
        case webhook(url: String, secret: [UInt8]?)
        /// A topic of a server like ntfy.sh.
        case ntfy(url: String, topic: String, token: String?)
        /// A program with its arguments, without a shell.
        case command([String])
        /// The pages that asked for notifications.
        case push(Push)
        /// The apps that asked for notifications by Apple's service.
        case apns(APNs)
        /// The webhooks that clients registered.
        case webhooks(Webhooks)
    }

    /// Apple's push service, for one app.
    package struct APNs: Sendable, Equatable {
        /// The path of the key file from Apple (`.p8`).
        package let keyFile: String
        package let keyId: String
        package let teamId: String
        /// The app's bundle id.
        package let topic: String
        /// For apps that were built for development. Their device tokens are valid only at Apple's other server.
        package let isDevelopment: Bool
        /// The server without a final slash: `https://api.push.apple.com`.
        package let url: String

        package func isSameApp(as other: APNs) -> Bool {
            topic == other.topic && isDevelopment == other.isDevelopment
        }
    }

    package struct Webhooks: Sendable, Equatable {
        /// The permitted hosts; a suffix begins with a dot; nil for all.
        package let hosts: [String]?
        /// The addresses can be private, and the URLs can begin with `http:`.
        package let allowsPrivate: Bool
    }

    /// Web Push.
    package struct Push: Sendable, Equatable {
        /// The sender's address, which Apple's service requires: `mailto:` or `https:`.
        package let subject: String
        /// Hosts of push services in addition to the known ones; a suffix begins with a dot.
        package let services: [String]
        /// The addresses of `services` can be private.
        package let allowsPrivate: Bool
    }

    package let name: String
    package let address: Address
    package let kinds: Set<NotificationEvent.Kind>
    /// Names of agents; nil for all.
    package let agents: Set<String>?
    /// Folders of sessions, with their subfolders; nil for all.
    package let folders: [String]?
    /// Turns that were shorter are not reported.
    package let minTurnMilliseconds: Int64
    /// Titles and folders can be sent. Otherwise a notification has only names, kinds and counts.
    package let showsContent: Bool
    package let quiet: QuietTime?
    /// A file of certificates in PEM form to trust instead of the system's, for servers of one's own.
    package let authoritiesFile: String?

    private static let known = [
        "name", "type", "url", "secret", "topic", "token", "command", "subject", "services", "allowPrivate", "hosts",
        "keyFile", "keyId", "teamId", "environment", "events", "agents", "folders", "minTurnSeconds", "content",
        "quiet", "caFile",
    ]
    private static let standardKinds: Set<NotificationEvent.Kind> = [.permission, .elicitation, .turnEnd, .failed]

    init(_ value: JSONValue, place: String) throws(NotificationSettings.Fault) {
        let members = try SettingMembers(value, place: place, known: Self.known)
        name = try members.string("name")
        guard (1...64).contains(name.utf8.count) else { throw members.fault("name", "1 to 64 bytes") }
        address = try Self.address(members)
        agents = try members.strings("agents").map { Set($0) }
        folders = try members.strings("folders")
        guard folders?.allSatisfy({ $0.hasPrefix("/") }) != false else {
            throw members.fault("folders", "absolute paths")
        }
        minTurnMilliseconds = 1000 * (try members.integer("minTurnSeconds", in: 0...86_400) ?? 10)
        showsContent = try members.bool("content") ?? false
        kinds = try Self.kinds(members)
        authoritiesFile = try members.optionalString("caFile")
        guard authoritiesFile?.hasPrefix("/") != false else { throw members.fault("caFile", "an absolute path") }
        guard let text = try members.optionalString("quiet") else {
            quiet = nil
            return
        }
        guard let quiet = QuietTime(text) else { throw members.fault("quiet", "a time such as 22:00-07:00") }
        self.quiet = quiet
    }

    private static func kinds(
        _ members: SettingMembers
    ) throws(NotificationSettings.Fault) -> Set<NotificationEvent.Kind> {
        guard let names = try members.strings("events") else { return standardKinds }
        let kinds = names.compactMap(NotificationEvent.Kind.init)
        guard kinds.count == names.count, !kinds.contains(.test) else {
            let all = NotificationEvent.Kind.allCases.filter { $0 != .test }.map(\.rawValue)
            throw members.fault("events", "an array of \(all.joined(separator: ", "))")
        }
        return Set(kinds)
    }

    private static func address(_ members: SettingMembers) throws(NotificationSettings.Fault) -> Address {
        switch try members.string("type") {
        case "webhook":
            let secret = try members.optionalString("secret")
            let bytes = secret.flatMap { WebhookSignature.secret($0) }
            guard secret == nil || bytes != nil else {
                throw members.fault("secret", "whsec_ and 24 to 64 bytes in Base64")
            }
            return .webhook(url: try url(members), secret: bytes)
        case "ntfy":
            return .ntfy(
                url: try url(members), topic: try members.string("topic"), token: try members.optionalString("token"))
        case "command":
            guard let command = try members.strings("command"), let program = command.first, !program.isEmpty else {
                throw members.fault("command", "a program and its arguments, as an array of strings")
            }
            return .command(command)
        case "push":
            let subject = try members.string("subject")
            guard subject.hasPrefix("mailto:") || subject.hasPrefix("https://") else {
                throw members.fault("subject", "an address that begins with mailto: or https://")
            }
            return .push(
                Push(
                    subject: subject, services: try members.strings("services") ?? [],
                    allowsPrivate: try members.bool("allowPrivate") ?? false))
        case "apns": return .apns(try apns(members))
        case "webhooks":
            return .webhooks(
                Webhooks(
                    hosts: try members.strings("hosts"), allowsPrivate: try members.bool("allowPrivate") ?? false))
        default: throw members.fault("type", "webhook, ntfy, command, push, apns or webhooks")
        }
    }

    private static func apns(_ members: SettingMembers) throws(NotificationSettings.Fault) -> APNs {
        let keyFile = try members.string("keyFile")
        guard keyFile.hasPrefix("/") else { throw members.fault("keyFile", "an absolute path") }
        let (keyId, teamId) = (try members.string("keyId"), try members.string("teamId"))
        let topic = try members.string("topic")
        guard [keyId, teamId, topic].allSatisfy({ $0.utf8.allSatisfy { (0x21...0x7e).contains($0) } }) else {
            throw members.fault("keyId, teamId and topic", "visible ASCII characters")
        }
        let environment = try members.optionalString("environment") ?? "production"
        guard ["production", "development"].contains(environment) else {
            throw members.fault("environment", "production or development")
        }
        let isDevelopment = environment == "development"
        let standard = isDevelopment ? "https://api.sandbox.push.apple.com" : "https://api.push.apple.com"
        var server = try members.optionalString("url") == nil ? standard : try url(members)
        if server.hasSuffix("/") { server.removeLast() }
        return APNs(
            keyFile: keyFile, keyId: keyId, teamId: teamId, topic: topic, isDevelopment: isDevelopment, url: server)
    }

    private static func url(_ members: SettingMembers) throws(NotificationSettings.Fault) -> String {
        let url = try members.string("url")
        guard url.hasPrefix("https://") || url.hasPrefix("http://"),
            url.utf8.allSatisfy({ (0x21...0x7e).contains($0) }), url.utf8.count <= 2048
        else { throw members.fault("url", "an http:// or https:// address") }
        return url
    }

    /// Whether the target's messages go to what clients registered.
    var isForRegistrations: Bool {
        switch address {
        case .push, .apns, .webhooks: true
        case .webhook, .ntfy, .command: false
        }
    }

    /// Whether this target sends the messages for a registration.
    func serves(_ subscription: PushSubscription) -> Bool {
        switch (address, subscription.address) {
        case (.push, .browser), (.webhooks, .webhook): true
        case (.apns(let apns), .device(_, let topic, let isDevelopment)):
            apns.topic == topic && apns.isDevelopment == isDevelopment
        default: false
        }
    }

    /// Whether the rules permit a notification of this event.
    func wants(_ event: NotificationEvent) -> Bool {
        if event.kind == .test { return true }
        // An end with an error is an end, too.
        let isWanted = kinds.contains(event.kind) || event.kind == .agentExit && kinds.contains(.sessionEnd)
        guard isWanted, agents?.contains(event.agent) != false else { return false }
        if event.kind == .turnEnd, event.turnMilliseconds ?? .max < minTurnMilliseconds { return false }
        guard let folders else { return true }
        guard let folder = event.folder else { return false }
        return folders.contains { folder == $0 || folder.hasPrefix($0.hasSuffix("/") ? $0 : $0 + "/") }
    }
}

/// A part of the day, in local time, in which a target gets nothing.
package struct QuietTime: Sendable, Equatable {
    private let start: Int
    private let end: Int

    /// - Parameter text: `22:00-07:00`.
    init?(_ text: String) {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map(Self.minutes)
        guard ends.count == 2, let start = ends[0], let end = ends[1], start != end else { return nil }
        self.start = start
        self.end = end
    }

    private static func minutes(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.count == 2 && $0.utf8.allSatisfy { (48...57).contains($0) } }),
            let hours = Int(parts[0]), let minutes = Int(parts[1]), hours < 24, minutes < 60
        else { return nil }
        return hours * 60 + minutes
    }

    /// The number of minutes until the quiet time ends; nil outside of it.
    func minutesLeft(at minute: Int) -> Int? {
        let length = (end - start + 1440) % 1440
        let passed = (minute - start + 1440) % 1440
        return passed < length ? length - passed : nil
    }
}

/// Reads the members of an object, and names the place in errors.
struct SettingMembers {
    private let value: JSONValue
    private let place: String

    init(_ value: JSONValue, place: String, known: [String]) throws(NotificationSettings.Fault) {
        self.value = value
        self.place = place
        guard value.kind == .object else {
            throw NotificationSettings.Fault(description: "\(place) must be a JSON object")
        }
        guard !value.repeatsName else {
            throw NotificationSettings.Fault(description: "\(place) has a member twice")
        }
        for (name, _) in value.members where !known.contains(name) {
            throw NotificationSettings.Fault(
                description: "\(place) has an unknown member \"\(name)\"; the known ones are "
                    + known.joined(separator: ", "))
        }
    }

    func fault(_ name: String, _ expectation: String) -> NotificationSettings.Fault {
        NotificationSettings.Fault(description: "\"\(name)\" of \(place) must be \(expectation)")
    }

    func optionalString(_ name: String) throws(NotificationSettings.Fault) -> String? {
        guard let member = value[name] else { return nil }
        guard let string = member.stringValue else { throw fault(name, "a string") }
        return string
    }

    func string(_ name: String) throws(NotificationSettings.Fault) -> String {
        guard let string = try optionalString(name), !string.isEmpty else { throw fault(name, "a string") }
        return string
    }

    func strings(_ name: String) throws(NotificationSettings.Fault) -> [String]? {
        guard let member = value[name] else { return nil }
        let strings = member.elements.compactMap(\.stringValue)
        guard member.kind == .array, strings.count == member.elements.count else {
            throw fault(name, "an array of strings")
        }
        return strings
    }

    func bool(_ name: String) throws(NotificationSettings.Fault) -> Bool? {
        guard let member = value[name] else { return nil }
        guard let bool = member.boolValue else { throw fault(name, "true or false") }
        return bool
    }

    func integer(_ name: String, in range: ClosedRange<Int64>) throws(NotificationSettings.Fault) -> Int64? {
        guard let member = value[name] else { return nil }
        guard let integer = member.int64Value, range.contains(integer) else {
            throw fault(name, "an integer from \(range.lowerBound) to \(range.upperBound)")
        }
        return integer
    }
}
