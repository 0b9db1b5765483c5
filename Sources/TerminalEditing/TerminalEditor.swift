import AgentQuestions
import BridgeRequests
import Glibc
import Invocations
import JSONRPC
import JSONScan
import Posix
import SessionOutput
import Synchronization
import TerminalIO
import TerminalText
import TinyvexMachine
import TinyvexSync

/// A terminal that acts as the session's editor: it shows the session, sends prompts, and answers the agent's questions.
struct TerminalEditor: Sendable {
    private let client: CommandClient
    private let session: ListedSession
    private let signals: Interruptions
    private let line: PromptLine
    private let dialogs: TerminalDialogs
    private let following: Following
    private let folderName: FolderName
    private let switching: SessionSwitching
    private let cancelling = Cancelling()

    /// - Parameters:
    ///   - folderName: Shows the session's folder.
    ///   - previous: The session from which the person came.
    ///   - known: The sessions that wait for the person, as the person knows.
    init(
        _ client: CommandClient, _ session: ListedSession, _ options: AttachOptions, _ signals: Interruptions,
        _ folderName: FolderName, previous: ListedSession?, known: KnownWaiting
    ) {
        self.folderName = folderName
        switching = SessionSwitching(client, session, previous: previous, known: known)
        self.client = client
        self.session = session
        self.signals = signals
        let line = PromptLine(
            session: session.id, isRunning: options.from == .now && session.state == "running")
        let request = AttachRequest(session: session, options: options)
        let printer = PrettyPrinter(
            filter: request.filter,
            hasColour: Console.hasColour(STDOUT_FILENO),
            isOwnBridge: options.connection.url == nil,
            hidingPrompts: { line.isEcho(of: $0) })
        let output = AttachOutput(printer, follows: true)
        dialogs = TerminalDialogs(client, session, output, readsLines: false)
        var following = request.following(client)
        following.output = output
        self.following = following
        self.line = line
    }

    private var output: AttachOutput { following.output }
    private var input: TerminalInput { output.input }

    /// The end of a person's work with the session.
    enum Ending {
        /// The session has ended.
        case ended
        /// The person leaves.
        case left
        /// The person goes to another session; nil if it is not chosen yet.
        case moved(ListedSession?)
    }

    /// Returns when the session has ended, or the person leaves it.
    ///
    /// - Parameters:
    ///   - draft: A text that the person has typed there before.
    ///   - begun: Called when the input line has that text.
    func run(draft: String, _ begun: () -> Void = {}) async throws -> Ending {
        client.isAbout(session.id)
        // An older bridge does not know some of them.
        let details = try? await client.details(of: session)
        line.showOnce(try await "acpbridge: " + description(details) + "; " + ownership())
        input.offer(commands: AgentCommands.names(details?["commands"]))
        input.begin(client.loop)
        defer { input.finish() }
        if input.takesKeys { input.offer(keys: SessionCommand.keys, help: SessionCommand.help) }
        if !draft.isEmpty { _ = try input.putBack(draft) }
        begun()
        var following = following
        following.prepare = { [self] in try line.hide(before: $0, output) }
        following.observe = { [self] entries in
            try dialogs.note(entries)
            // The terminal remembers later prompts when they are typed.
            if line.isBeginning { remember(entries) }
            for entry in entries {
                AgentCommands.names(in: entry, of: session.id).map(input.offer(commands:))
            }
            try line.note(entries, isAsking: dialogs.isOpen, output)
        }
        do {
            let tasks = [
                keepOwnership, serveAgent, readLines, cancelOnInterrupt, watchSessionlessQuestions, showWaitingSessions,
            ]
            try await following.run(beside: tasks)
            input.finish()
            session.reportEnd()
            return .ended
        } catch let moved as Moved {
            try output.endQuestion(isAnswered: false)
            return .moved(moved.session)
        } catch is UserLeft {
            try output.endQuestion(isAnswered: false)
            // The output can have ended in the middle of a line.
            try output.report(farewell)
            return .left
        }
    }

    /// The text that was typed and not sent. Without a connection, the bridge may not have got the prompts that wait.
    var draft: String {
        let waiting = client.isConnected ? [] : line.waitingPrompts.map(\.words)
        return (waiting + [input.unsent]).filter { !$0.isEmpty }.joined(separator: "\n")
    }

    // MARK: Other sessions

    private struct Moved: Error { let session: ListedSession? }

    private func perform(_ command: SessionCommand) async throws {
        switch command {
        case .exit: try await leave(UserLeft())
        case .list: try await leave(Moved(session: nil))
        default:
            do {
                guard let session = try await lookUp(command) else {
                    return try output.report(command.absence(hasPrevious: switching.hasPrevious))
                }
                try await leave(Moved(session: session))
            } catch is NoAnswer {
                try output.report("acpbridge: the bridge does not answer; try again, or press Ctrl-D to exit")
            } catch let failure as BridgeFailure {
                try output.report("acpbridge: the sessions cannot be listed: \(failure)")
            }
        }
    }

    /// The bridge must have got a cancellation before the connection is closed.
    private func leave(_ reason: any Error) async throws {
        await cancelling.wait(client)
        throw reason
    }

    private struct NoAnswer: Error {}
    /// A bridge that does not answer must not keep the keys from having their effects.
    private static let lookUpLimit = Duration.seconds(3)

    private func lookUp(_ command: SessionCommand) async throws -> ListedSession? {
        try await withThrowingTaskGroup(of: ListedSession?.self) { group in
            group.addTask { try await switching.session(for: command) }
            group.addTask {
                await client.loop.sleep(until: .now + Self.lookUpLimit)
                throw NoAnswer()
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }

    private func showWaitingSessions() async throws {
        guard input.takesKeys else { return }
        try await switching.watchWaiting { names in
            try output.show(status: names)
        }
    }

    /// The Up key shows the prompts from before.
    private func remember(_ entries: [TimelineValue]) {
        for entry in entries where entry.kind == "prompt" && entry.content["sessionId"]?.stringValue == session.id {
            let text = entry.promptText
            if !text.isEmpty { input.remember(text) }
        }
    }

    private struct UserLeft: Error {}

    private var farewell: TerminalText {
        let id = Table.cell(session.id)
        guard client.isConnected else {
            return """
                acpbridge: detached; the bridge does not answer. If it has ended, its agents have, too: \
                `acpbridge run --resume \(id)` continues the session
                """
        }
        let count = line.waitingPrompts.count
        let prompts = count == 1 ? "the prompt that waits" : "each prompt that waits"
        return """
            acpbridge: detached; the agent continues\(count == 0 ? "" : ", and gets \(prompts)"): `acpbridge attach \(id) --take` returns to it, and \
            `acpbridge stop \(id)` ends it
            """
    }

    private func watchSessionlessQuestions() async throws {
        try await SessionlessQuestions(client, session, output, dialogs).run {
            try line.note([], isAsking: dialogs.isOpen, output)
        }
    }

    // MARK: Ownership of the agent

    /// Takes over the agent if it has no primary, and again after each reconnect. Requests of ACP do not reach the agents of
    /// other bridges: there, this terminal drives the session without its agent.
    private func keepOwnership() async throws {
        for await state in client.sync.connectionStates() where state == .connected && session.bridge == nil {
            try await resume()
        }
    }

    /// `login, demo-17 in ~/shop, mode ask`
    private func description(_ details: JSONValue?) -> TerminalText {
        let folder = session.folder.map { " in \(folderName.shown($0))" } ?? ""
        let option = details?["configOptions"]?.elements.first { $0["category"]?.stringValue == "mode" }
        let mode = (details?["currentModeId"] ?? option?["currentValue"])?.stringValue
        let title = session.title.isEmpty ? "" : Table.cell(session.title, limit: 40) + ", "
        return "\(title)\(Table.cell(session.id))\(folder)\(mode.map { ", mode \(Table.cell($0))" } ?? "")"
    }

    private func ownership() async throws -> TerminalText {
        if let bridge = session.bridge {
            return "it runs at the bridge \(Table.cell(bridge)); you work alongside its clients there; Ctrl-D exits"
        }
        var named: JSONValue?
        var namesake: JSONValue?
        try await client.eachRunningAgent { run in
            guard run["name"]?.stringValue == session.agent else { return true }
            if run["sessions"]?.elements.contains(where: { $0.stringValue == session.id }) == true { named = run }
            // The bridge lists only some of the sessions of an agent that has very many.
            if run["omittedSessions"] != nil { namesake = run }
            return named == nil
        }
        let primary = (named ?? namesake)?["primary"]?.stringValue
        return switch primary {
        case nil: "you control this session now; \(exits)"
        case "editor"?: "the session's editor is still connected; you work alongside it; \(exits)"
        case let other?: "\(other) controls this session; you work alongside it; \(exits)"
        }
    }

    private var exits: TerminalText { TerminalInput.canMoveCursor ? "Ctrl-D exits, Ctrl-X switches" : "Ctrl-D exits" }

    private func resume() async throws(BridgeFailure) {
        let folder = session.folder ?? "/"
        _ = try await client.call("session/resume") { writer in
            session.writeACP(to: &writer)
            writer.member("cwd", folder)
            writer.memberArray("mcpServers") { _ in }
        }
    }

    /// A terminal offers neither file access nor terminals. Permission requests and elicitations take another path,
    /// because their dialogs are the same for every client that can answer.
    private func serveAgent() async throws {
        for await message in client.sync.agentMessages() where !Self.isDialog(message) {
            let reason = "the session's client is a terminal, which does not support \(message.method)"
            if let answer = Call.answer(to: message, error: .methodNotFound, message: reason) {
                client.sync.send(answer)
            }
        }
    }

    /// Whether the timeline or ``SessionlessQuestions`` shows the request as a question.
    private static func isDialog(_ message: AgentMessage) -> Bool {
        switch message.method {
        case "session/request_permission": return true
        case "elicitation/create":
            guard let id = message.id, let params = message.params else { return false }
            return (try? JSONValue(validating: Array(id.rawText))).flatMap {
                AgentQuestion(requestId: $0, params: params)
            } != nil
        default: return false
        }
    }

    // MARK: Input of the user

    private func readLines() async throws {
        while true {
            switch await input.next(client.loop) {
            case .end: throw UserLeft()
            case .command(let key):
                if let command = SessionCommand(rawValue: Character(key)) { try await perform(command) }
            case .cancelled: return
            case .line(let words):
                if try await dialogs.entered(words) { continue }
                guard let number = try line.entered(words, output, isConnected: client.isConnected) else { continue }
                input.remember(words)
                prompt(words, number)
            }
        }
    }

    private func prompt(_ words: String, _ number: Int) {
        let arguments = session.arguments { writer in
            writer.member("text", words)
            writer.member("queue", true)
        }
        Task(executorPreference: client.loop) { [client, line, output] in
            defer { line.stopsWaiting(number) }
            do throws(BridgeFailure) {
                _ = try await client.action("sessions:prompt", args: arguments)
            } catch {
                if case .server("-32800", _, _) = error.error, line.stopsWaiting(number) {
                    try? output.report(
                        "acpbridge: your prompt was removed from the queue, so the agent did not get it: \(Table.cell(words))"
                    )
                    try? line.refused(words, output)
                }
                // The agent's own errors end the turn, and the turn's output shows them.
                guard case .server(let code, _, _) = error.error, code.hasPrefix("TVX") else { return }
                try? output.report("acpbridge: the prompt was not sent: \(error)")
                try? line.refused(words, output)
            }
        }
    }

    /// Ctrl-C drops the typed text, or else cancels the running turn, after which the agent does not get the prompts that
    /// wait. A second Ctrl-C leaves.
    private func cancelOnInterrupt() async throws {
        while await signals.next(client.loop) != nil {
            if try input.clear() { continue }
            switch line.interrupted(at: .now) {
            case .leave:
                await cancelling.wait(client)
                throw UserLeft()
            case .warn: try output.report("acpbridge: press Ctrl-C again or Ctrl-D to exit")
            case .cancel:
                try output.report(
                    "acpbridge: cancelling the turn\(client.whenReached); press Ctrl-C again to exit")
                // A bridge that does not answer must not keep the next Ctrl-C from having its effect.
                cancelling.begin()
                Task(executorPreference: client.loop) {
                    await cancelTurn()
                    cancelling.end()
                }
            }
        }
    }

    private func cancelTurn() async {
        do {
            try await takeBackPrompts()
        } catch {
            try? output.report("acpbridge: your prompt still waits: \(error)")
        }
        do {
            _ = try await client.action("sessions:cancel", args: session.arguments())
        } catch {
            try? output.report("acpbridge: the turn was not cancelled: \(error)")
        }
    }

    /// Moves the prompts that were typed here from the session's queue back to the input line.
    private func takeBackPrompts() async throws {
        var own = line.waitingPrompts
        guard !own.isEmpty else { return }
        var taken: [(number: Int, words: String)] = []
        defer { try? putBack(taken.sorted { $0.number < $1.number }.map(\.words)) }
        // Of two prompts with one text, the later one is this terminal's.
        for prompt in try await client.waitingPrompts(of: session).reversed() {
            guard let index = own.lastIndex(where: { prompt.isSent(as: $0.words) }) else { continue }
            let (number, words) = own.remove(at: index)
            line.stopsWaiting(number)
            if try await client.discard(prompt, of: session) { taken.append((number, words)) }
        }
    }

    private func putBack(_ prompts: [String]) throws {
        guard !prompts.isEmpty else { return }
        let isShown = try input.putBack(prompts.joined(separator: "\n"))
        let count = prompts.count == 1 ? "prompt that was waiting is" : "\(prompts.count) prompts that were waiting are"
        try output.report("acpbridge: the \(count) \(isShown ? "in the input line again" : "not sent")")
    }
}

/// Whether the cancellation of a turn is on its way.
private final class Cancelling: Sendable {
    /// A bridge on this machine answers within milliseconds.
    private static let patience = Duration.seconds(1)
    private let count = Mutex(0)

    func begin() { count.withLock { $0 += 1 } }
    func end() { count.withLock { $0 -= 1 } }

    /// Returns when the bridge has answered, or after a second.
    func wait(_ client: CommandClient) async {
        let deadline = Instant.now + Self.patience
        while count.withLock({ $0 }) > 0, Instant.now < deadline {
            await client.loop.sleep(until: Instant.now + .milliseconds(20))
        }
    }
}
