import JSONCoding
import JSONScan
import Tinyvex

/// One notification for one destination, which waits to be delivered. The names of the properties are the names in the
/// queue's file.
package struct NotificationMessage: Sendable, Equatable, Codable {
    /// Unguessable. The receiver can use it to recognise a repetition.
    package let id: String
    /// The name of the target.
    package let target: String
    /// The push subscription, for a target of Web Push.
    package let subscription: String?
    package let kind: NotificationEvent.Kind
    package let agent: String
    package let sessionId: String
    /// The tenant of the session; nil for a session of the bridge's own users.
    let tenant: String?
    package var title: String?
    package var folder: String?
    package var text: String?
    /// The address of the page with the session; nil without a public address.
    package var url: String?
    /// The name of the session's incarnation in the log; nil before the log has answered the claim.
    var incarnation: String?
    /// The names of the incarnations of the session and its parents in the log; nil in lines of an earlier build.
    package var incarnations: [String]?
    /// The agent's requests that wait for a person, as JSON text.
    package var requestIds: [String] = []
    /// The number of events in this notification.
    package var count = 1
    /// Milliseconds since 1970.
    package let createdTs: Int64
    /// The time of the next attempt. Milliseconds since 1970.
    package var dueTs: Int64
    /// The attempts that have failed.
    package var attempts = 0

    init(
        id: String, _ event: NotificationEvent, target: NotificationTarget, subscription: String?, at now: Int64,
        dueTs: Int64
    ) {
        self.id = id
        self.target = target.name
        self.subscription = subscription
        kind = event.kind
        agent = event.agent
        sessionId = event.sessionId
        tenant = event.tenant
        title = target.showsContent ? event.title : nil
        folder = target.showsContent ? event.folder : nil
        text = target.showsContent ? event.text : nil
        url = event.url
        incarnation = event.incarnation
        incarnations = event.incarnations
        requestIds = event.requestId.map { [$0] } ?? []
        createdTs = now
        self.dueTs = dueTs
    }

    var place: NotifiedPlace {
        // Lines of an earlier build have only the list, which begins with the session's own.
        NotifiedPlace(
            agent: agent, sessionId: sessionId, tenant: tenant, incarnation: incarnation ?? incarnations?.first)
    }

    /// A session can have more requests. The rest are not counted again.
    private static let requestLimit = 100

    /// Adds another event of the same kind and session. Returns false if the message already has this request.
    mutating func merge(_ event: NotificationEvent) -> Bool {
        if let requestId = event.requestId {
            guard !requestIds.contains(requestId) else { return false }
            if requestIds.count < Self.requestLimit { requestIds.append(requestId) }
        }
        count += 1
        if incarnation == nil { (incarnation, incarnations) = (event.incarnation, event.incarnations) }
        if title != nil { title = event.title }
        if text != nil { text = event.text }
        return true
    }

    /// Removes a request that was answered. Returns true if no request is left.
    mutating func removeRequest(_ requestId: String) -> Bool {
        guard let index = requestIds.firstIndex(of: requestId) else { return false }
        requestIds.remove(at: index)
        count -= 1
        return requestIds.isEmpty
    }

    // MARK: Text

    /// For a person: `codex needs you`.
    package var headline: String {
        switch kind {
        case .permission, .elicitation: "\(agent) needs you"
        case .turnEnd: "\(agent) is done"
        case .failed: "\(agent) failed"
        case .agentExit: "\(agent) ended unexpectedly"
        case .sessionEnd: "\(agent) has ended"
        case .test: "acpbridge"
        }
    }

    /// For a person: one or a few lines.
    package var body: String { ([title, text].compactMap { $0 } + [fact]).joined(separator: "\n") }

    /// The last line of ``body``, which has no text of an agent.
    var fact: String {
        switch kind {
        case .permission: count == 1 ? "A permission request waits." : "\(count) permission requests wait."
        case .elicitation: count == 1 ? "A question waits." : "\(count) questions wait."
        case .turnEnd: "The turn has ended."
        case .failed: "The turn has ended with an error."
        case .agentExit: "The agent's program has ended with an error."
        case .sessionEnd: "The session has ended."
        case .test: "Notifications of this bridge arrive here."
        }
    }

    /// The members that programs read: `{"agent":"codex","sessionId":"s1","count":1}`.
    func writeFacts(to writer: inout JSONWriter) {
        writer.member("agent", agent)
        writer.member("sessionId", sessionId)
        writer.member("count", count)
        writer.member("url", ifPresent: url)
        writer.member("title", ifPresent: title)
        writer.member("folder", ifPresent: folder)
        writer.member("text", ifPresent: text)
    }

    /// The approximate size in memory: the texts, and 256 bytes for the rest.
    var byteCount: Int {
        var bytes = 256 + agent.utf8.count + sessionId.utf8.count + (title?.utf8.count ?? 0)
        bytes += (url?.utf8.count ?? 0) + (folder?.utf8.count ?? 0) + (text?.utf8.count ?? 0)
        for text in requestIds + (incarnations ?? []) { bytes += text.utf8.count }
        return bytes
    }

    // MARK: The queue's file

    /// The message as one line, without its line feed.
    func storedLine() -> [UInt8]? { try? JSONTextEncoder().encode(self) }

    /// Returns nil for a line that is not a message, for example of a later version.
    package init?(storedLine line: [UInt8]) {
        guard let message = try? JSONTextDecoder().decode(Self.self, from: line) else { return nil }
        self = message
    }
}
