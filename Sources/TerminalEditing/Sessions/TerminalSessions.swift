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

    /// Returns when the person leaves, or the present session has ended. Unsent texts are printed then, also if an error or
    /// Ctrl-C ends the command.
    package func run(_ client: CommandClient, _ session: ListedSession) async throws {
        var drafts = Drafts()
        defer { drafts.report() }
        try await run(client, session, &drafts)
    }

    private func run(_ client: CommandClient, _ session: ListedSession, _ drafts: inout Drafts) async throws {
        var (client, session, options) = (client, session, options)
        var previous: ListedSession?
        let known = KnownWaiting()
        let signals = try Interruptions()
        defer { signals.end() }
        while true {
            let editor = TerminalEditor(
                client, session, options, signals, folderName, previous: previous, known: known)
            let ending = try await work(editor, with: session, &drafts)
            guard case .moved(let target) = ending else { return }
            // The present connection is open, so the list comes at once.
            let list =
                target != nil
                ? nil
                : try await signals.unlessInterrupted(client.loop) { [client] in try await PickedSessions(client) }
            // A client can be the primary of one agent only. The prompts that wait are sent without it, too.
            client.replaceConnection()
            try TerminalInput.clearScreen()
            let picker = SessionPicker(client, folderName, chosen: session)
            let next = if let target { target } else { try await picker.choose(from: list, signals) ?? session }
            if next.key != session.key { previous = session }
            session = try await signals.unlessInterrupted(client.loop) { [client] in try await client.refreshed(next) }
            options.from = .last(Self.tailCount)
        }
    }

    /// Keeps the text that is not sent, also if an error ends the work.
    private func work(
        _ editor: TerminalEditor, with session: ListedSession, _ drafts: inout Drafts
    ) async throws -> TerminalEditor.Ending {
        let draft = drafts[session]
        var isTaken = false
        // Before the editor has taken it, the earlier text is still the unsent one.
        defer { if isTaken { drafts[session] = editor.draft } }
        return try await editor.run(draft: draft) { isTaken = true }
    }
}

/// The texts that a person has typed and not sent, by their sessions. Pure, except for the report.
struct Drafts {
    private struct Draft {
        /// The session's name.
        let session: String
        let text: String
    }

    /// 100 unsent texts, each of at most 64 KiB. Others are dropped.
    private static let limit = 100
    private var drafts: [String: Draft] = [:]

    /// Empty: none.
    subscript(session: ListedSession) -> String {
        get { drafts[session.key]?.text ?? "" }
        set {
            drafts[session.key] = nil
            guard !newValue.isEmpty, drafts.count < Self.limit else { return }
            drafts[session.key] = Draft(session: session.name, text: newValue)
        }
    }

    /// In the order of the sessions' names.
    var lines: [TerminalText] {
        drafts.values.sorted { $0.session < $1.session }.flatMap { draft -> [TerminalText] in
            ["acpbridge: your unsent text for \(Table.cell(draft.session)):", TerminalText(lines: draft.text)]
        }
    }

    /// Prints the texts, which would be lost.
    func report() {
        for line in lines { Console.report(line) }
    }
}

extension CommandClient {
    /// The session as the bridge lists it now.
    fileprivate func refreshed(_ session: ListedSession) async throws -> ListedSession {
        SessionRing(try await runningSessions(limit: SessionRing.limit)).session(session.key) ?? session
    }
}
