import BridgeRequests
import Invocations
import TerminalIO
import TerminalText

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
        var drafts: [String: Draft] = [:]
        var (client, session, options) = (client, session, options)
        var previous: ListedSession?
        let known = KnownWaiting()
        while true {
            let signals = try Interruptions()
            let editor = TerminalEditor(
                client, session, options, signals, folderName, previous: previous, known: known)
            let ending = try await editor.run(draft: drafts.removeValue(forKey: session.key)?.text ?? "")
            if drafts.count < Self.draftLimit, !editor.draft.isEmpty {
                drafts[session.key] = Draft(session: session.name, text: editor.draft)
            }
            guard case .moved(let target) = ending else { return Self.report(drafts.values) }
            // Until the next session is shown, Ctrl-C ends the command.
            signals.end()
            // A client can be the primary of one agent only. The prompts that wait are sent without it, too.
            client.sync.close()
            client = client.again()
            let next =
                if let target { target } else {
                    try await SessionPicker(client, folderName, chosen: session)
                        .choose(TerminalInput.clearScreen) ?? session
                }
            if next.key != session.key { previous = session }
            session = try await client.refreshed(next)
            if target != nil { try TerminalInput.clearScreen() }
            options.from = .last(Self.tailCount)
        }
    }

    private struct Draft {
        /// The session's name.
        let session: String
        let text: String
    }

    /// Prints the texts that would be lost.
    private static func report(_ drafts: some Collection<Draft>) {
        for draft in drafts.sorted(by: { $0.session < $1.session }) {
            Console.report("acpbridge: your unsent text for \(Table.cell(draft.session)):")
            Console.report(TerminalText(lines: draft.text))
        }
    }
}

extension CommandClient {
    /// The session as the bridge lists it now.
    fileprivate func refreshed(_ session: ListedSession) async throws -> ListedSession {
        SessionRing(try await runningSessions(limit: SessionRing.limit)).session(session.key) ?? session
    }
}
