import BridgeRequests
import Invocations
import TerminalIO

/// The sessions that a person continues in one terminal, one after another.
package struct TerminalSessions: Sendable {
    private let options: AttachOptions
    private let folderName: FolderName

    package init(_ options: AttachOptions, _ folderName: FolderName) {
        (self.options, self.folderName) = (options, folderName)
    }

    /// 200 updates: more than a screen shows.
    private static let tailCount: Int64 = 200
    /// 100 unsent texts, each of at most 64 KiB. Others are dropped.
    private static let draftLimit = 100

    /// Returns when the person leaves, or the present session has ended.
    package func run(_ client: CommandClient, _ session: ListedSession) async throws {
        var drafts: [String: String] = [:]
        var (client, session, options) = (client, session, options)
        var previous: ListedSession?
        while true {
            let editor = try TerminalEditor(
                client, session, options, Interruptions(), folderName, previous: previous)
            let draft = drafts.removeValue(forKey: session.key) ?? ""
            guard case .moved(let target) = try await editor.run(draft: draft) else { return }
            if drafts.count < Self.draftLimit { drafts[session.key] = editor.draft }
            // A client can be the primary of one agent only. The prompts that wait are sent without it, too.
            client.sync.close()
            client = client.again()
            try TerminalInput.clearScreen()
            let next =
                if let target { target } else {
                    try await SessionPicker(client, folderName, chosen: session).choose() ?? session
                }
            if next.key != session.key { previous = session }
            session = try await client.refreshed(next)
            options.from = .last(Self.tailCount)
        }
    }
}

extension CommandClient {
    /// The session as the bridge lists it now.
    fileprivate func refreshed(_ session: ListedSession) async throws -> ListedSession {
        SessionRing(try await runningSessions(limit: SessionRing.limit)).session(session.key) ?? session
    }
}
