import FieldLimits
import JSONScan
import SessionRecords
import Tinyvex

/// A session's record between two bridges. Pure.
package struct PeerRecord: Sendable, Equatable {
    package var record: SessionRecord
    /// True while a turn is running.
    package var isRunning: Bool
    /// The prompts that wait for the end of the turn. Empty in lists.
    package var queue: [RemotePrompt]

    package init(_ record: SessionRecord, isRunning: Bool, queue: [RemotePrompt] = []) {
        self.record = record
        self.isRunning = isRunning
        self.queue = queue
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("sid", record.sid)
        writer.member("agent", record.agent)
        writer.member("sessionId", record.sessionId)
        writer.member("title", ifPresent: record.title)
        writer.member("cwd", ifPresent: record.cwd)
        writer.member("prompt", ifPresent: record.firstPrompt)
        writer.member("tenant", ifPresent: record.tenant)
        writer.member("parentId", ifPresent: record.parentId)
        if let usage = record.usage.flatMap(Self.usage) { writer.member("usage", raw: usage.rawText) }
        writer.member("ownTitle", ifPresent: record.label.title)
        writer.memberArray("tags") { for tag in record.label.tags { $0.element(tag) } }
        writer.member("archived", record.label.isArchived)
        writer.member("journal", record.journal.description)
        writer.member("createdTs", record.createdTs)
        writer.member("lastTs", record.lastTs)
        writer.member("usedTs", ifPresent: record.usedTs)
        writer.member("oldest", record.oldest)
        writer.member("head", record.head)
        writer.member("timelineHead", record.timelineHead)
        writer.member("live", record.state == .live)
        writer.member("running", isRunning)
        writer.member("exit", ifPresent: record.exit)
        guard !queue.isEmpty else { return }
        writer.memberArray("queue") { writer in
            for prompt in queue { writer.object { prompt.write(to: &$0) } }
        }
    }

    /// Nil if members are missing, or if the numbers do not fit among those of this bridge. Texts are cut, because another
    /// program can have written longer ones.
    ///
    /// - Parameter logId: the peer's log, which the record must belong to.
    package init?(_ value: JSONValue, log logId: UInt32) {
        let numbers = ["createdTs", "lastTs", "oldest", "head", "timelineHead"].compactMap { value[$0]?.int64Value }
        guard numbers.count == 5, numbers.allSatisfy(UpdateNumber.range.contains),
            let journal = value["journal"]?.stringValue.flatMap({ Journal($0) }), journal.logId == logId,
            journal.sid == value["sid"]?.int64Value, let place = HubSid(journal),
            let agent = value["agent"]?.stringValue,
            let sessionId = value["sessionId"]?.stringValue?.within(bytes: FieldLimit.sessionIdBytes)
        else { return nil }
        record = SessionRecord(
            sid: place.sid, agent: agent.prefix(scalars: FieldLimit.agentCharacters), sessionId: sessionId,
            title: Self.title(value["title"]), cwd: value["cwd"]?.stringValue?.within(bytes: FieldLimit.folderBytes),
            firstPrompt: value["prompt"]?.stringValue?.prefix(scalars: FieldLimit.promptCharacters),
            tenant: value["tenant"]?.stringValue?.within(bytes: FieldLimit.tenantBytes),
            parentId: value["parentId"]?.stringValue?.within(bytes: FieldLimit.sessionIdBytes),
            usage: Self.usage(value["usage"]),
            label: SessionLabel(
                title: Self.title(value["ownTitle"]), tags: Self.tags(value["tags"]),
                isArchived: value["archived"]?.boolValue ?? false),
            journal: journal, createdTs: numbers[0], lastTs: numbers[1], oldest: numbers[2], head: numbers[3],
            timelineHead: numbers[4], state: value["live"]?.boolValue == true ? .live : .ended,
            exit: Self.title(value["exit"]))
        record.usedTs = value["usedTs"]?.int64Value.flatMap { UpdateNumber.range.contains($0) ? $0 : nil }
        isRunning = value["running"]?.boolValue ?? false
        queue = (value["queue"]?.elements ?? []).prefix(RemotePrompt.limit).compactMap(RemotePrompt.init)
    }

    func bounded(to latest: Int64) -> PeerRecord {
        var result = self
        result.record.lastTs = min(record.lastTs, latest)
        result.record.usedTs = record.usedTs.map { min($0, latest) }
        return result
    }

    /// The usage as a log stores it. A peer of an earlier version sends none.
    private static func usage(_ value: JSONValue?) -> String? {
        value.flatMap { $0.kind == .object ? $0.rawString.within(bytes: FieldLimit.usageBytes) : nil }
    }

    private static func usage(_ text: String) -> JSONValue? { try? JSONValue(validating: Array(text.utf8)) }

    private static func title(_ value: JSONValue?) -> String? {
        value?.stringValue?.prefix(scalars: FieldLimit.titleCharacters)
    }

    /// As many as people can give a session: 32 of 64 bytes.
    private static func tags(_ value: JSONValue?) -> [String] {
        (value?.elements ?? []).prefix(32).compactMap { $0.stringValue?.within(bytes: 64) }
    }

    /// The record as this bridge lists it.
    ///
    /// - Parameters:
    ///   - unreachableTs: see ``SessionHome``.
    ///   - sent: the prompts that this bridge has sent to the peer.
    package func record(
        of bridge: String, unreachableTs: Int64?, sent: ForwardedPrompts = ForwardedPrompts()
    ) -> SessionRecord {
        var record = record
        record.home = SessionHome(
            bridge: bridge, isRunning: isRunning && unreachableTs == nil, unreachableTs: unreachableTs,
            queue: unreachableTs == nil ? sent.named(queue, in: record.sid) : [])
        return record
    }

    /// The memory that the record takes, about.
    package var costBytes: Int {
        let texts = [
            record.title, record.cwd, record.firstPrompt, record.tenant, record.parentId, record.usage,
            record.label.title, record.exit,
        ]
        let tags = record.label.tags.reduce(0) { $0 + $1.utf8.count }
        return texts.reduce(256 + record.sessionId.utf8.count + record.agent.utf8.count + tags) {
            $0 + ($1?.utf8.count ?? 0)
        }
    }
}

extension RemotePrompt {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("by", by)
        writer.member("queuedTs", queuedTs)
        writer.member("text", ifPresent: text)
        writer.member("own", isOwn)
    }

    /// Texts are cut, as in the record.
    fileprivate init?(_ value: JSONValue) {
        guard let by = value["by"]?.stringValue, let queuedTs = value["queuedTs"]?.int64Value, queuedTs >= 0 else {
            return nil
        }
        self.init(
            by: by.prefix(scalars: FieldLimit.agentCharacters), queuedTs: queuedTs,
            text: value["text"]?.stringValue?.prefix(scalars: Self.textCharacters),
            isOwn: value["own"]?.boolValue ?? false)
    }
}
