import CommandContext
import JSONScan
import Posix
import SessionRecords
import TerminalIO

/// A session that a command has begun.
package struct BegunSession: Sendable {
    package let id: String
    package let agent: String
    /// Nil if it is not known. Another bridge can have a session of the same agent and id.
    package let journal: String?

    package init(id: String, agent: String, journal: String? = nil) {
        (self.id, self.agent, self.journal) = (id, agent, journal)
    }

    /// Another agent can use the same id.
    package var qualifiedId: String { "\(agent):\(id)" }

    fileprivate func isSame(as other: ListedSession) -> Bool {
        journal.map { Journal.nameSameIncarnation($0, other.journal) } ?? true
    }
}

extension CommandClient {
    /// Returns nil if the bridge does not list it as a running one.
    package func running(_ session: BegunSession) async throws -> ListedSession? {
        try await runningSession(id: session.id, agent: session.agent, where: session.isSame)
    }

    /// Has the bridge start an agent for a session, a new one or an earlier one. A signal cancels the start.
    ///
    /// - Parameters:
    ///   - bridge: The name of another bridge, at which a new session begins; nil for this client's.
    ///   - folder: The folder of a new session, on the bridge's machine; nil for its user's home folder.
    ///   - text: A prompt that the bridge sends.
    /// - Returns: The session, and whether this request has started the agent.
    package func begin(
        _ agent: String, at bridge: String?, in folder: String?, continuing earlier: ListedSession?,
        prompting text: String?,
        _ signals: Interruptions
    ) async throws -> (session: BegunSession, isOwn: Bool) {
        if bridge != nil { try await signals.unlessInterrupted(loop) { try await self.requireOtherBridges() } }
        let key = Self.newRequestId()
        func more(_ writer: inout JSONWriter) {
            writer.member("text", ifPresent: text)
            writer.member("start", key)
        }
        let (name, arguments) =
            if let earlier {
                ("sessions:resume", earlier.arguments(more))
            } else {
                (
                    "sessions:begin",
                    JSONWriter.object { writer in
                        writer.member("agent", agent)
                        writer.member("bridge", ifPresent: bridge)
                        writer.member("cwd", ifPresent: folder)
                        more(&writer)
                    }
                )
            }
        let value: JSONValue?
        do {
            value = try await signals.unlessInterrupted(loop) { try await self.action(name, args: arguments) }
        } catch let interrupted as Interrupted {
            await cancelStart(Self.stopping(key, at: bridge, or: earlier), signals)
            throw interrupted
        }
        guard let id = value?["sessionId"]?.stringValue else {
            throw Failure(message: "the bridge's answer has no session; it may be of an earlier version")
        }
        // It is empty until the log has stored the session.
        let journal = value?["journal"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
        return (BegunSession(id: id, agent: agent, journal: journal), value?["started"]?.boolValue != false)
    }

    /// Another bridge can be away, and a person can press Ctrl-C again.
    private func cancelStart(_ arguments: [UInt8], _ signals: Interruptions) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = try? await self.action("agents:stop", args: arguments) }
            group.addTask { _ = await signals.next(self.loop) }
            group.addTask { await self.loop.sleep(until: .now + Self.cancellationPatience) }
            await group.next()
            group.cancelAll()
        }
    }

    /// A start that was not cancelled ends by itself, after 5 minutes.
    private static let cancellationPatience = Duration.seconds(5)

    /// The arguments of `agents:stop` for a start. An earlier session names its bridge.
    private static func stopping(_ key: String, at bridge: String?, or earlier: ListedSession?) -> [UInt8] {
        if let earlier, earlier.bridge != nil { return earlier.arguments { $0.member("start", key) } }
        return JSONWriter.object { writer in
            writer.member("bridge", ifPresent: bridge)
            writer.member("start", key)
        }
    }

    /// A bridge that shows no others, or an older one, would begin the session itself.
    private func requireOtherBridges() async throws {
        guard try await value("agents:list")["bridges"] == nil else { return }
        throw Failure(
            message: """
                the bridge has no peers, or is too old to begin sessions at them: start it with `acpbridge serve --peer`, \
                or use --url with the address of the other bridge
                """)
    }
}
