import ACPRouting
import BridgeRequests
import CommandContext
import Glibc
import Invocations
import JSONScan
import LocalBridge
import Posix
import TerminalIO

/// `acpbridge run`: begins or continues a session in this terminal, in the background, or for one turn.
package struct RunCommand {
    private let context: ProcessContext

    package init(_ context: ProcessContext) { self.context = context }

    /// Returns the exit status.
    package func run(_ options: RunOptions) throws -> Int32 {
        let earlier = try options.resumed.map { try endedSession($0, options) }
        let agent = try agentName(options, continuing: earlier)
        let isInteractive = TerminalInput.isAvailable && !options.detach
        let text = try options.text ?? (isInteractive || (options.detach && options.words.isEmpty) ? nil : prompt())
        guard !options.isElsewhere, earlier?.bridge == nil else {
            return try runThere(options, agent: agent, continuing: earlier, text, isInteractive: isInteractive)
        }
        // The agent is kept, so a signal before its session has opened also has to end the agent.
        let endings = try BlockedSignals(BlockedSignals.heeded([SIGTERM, SIGHUP]))
        let (started, session) = try start(
            options, agent: agent, continuing: earlier, hasPrompt: text != nil, endings: endings)
        if !isInteractive, !options.detach, let text {
            // From now on, a signal also has to end the agent.
            let signals = try Interruptions(and: [SIGTERM, SIGHUP])
            try started.leave(prompting: nil, session: session)
            return try runTurn(text, BegunSession(id: session, agent: agent), options, signals)
        }
        try started.leave(prompting: text, session: session)
        endings.setBlocked(false)
        try show(BegunSession(id: session, agent: agent), options)
        return 0
    }

    /// Starts the agent and opens the session. If the agent requires a login, a person at the terminal can log in.
    private func start(
        _ options: RunOptions, agent: String, continuing earlier: ListedSession?, hasPrompt: Bool,
        endings: borrowing BlockedSignals
    ) throws -> (StartedAgent, session: String) {
        func started() throws -> StartedAgent {
            try StartedAgent(options, agent: agent, continuing: earlier, hasPrompt: hasPrompt, context: context)
        }
        let dialog = LoginDialog(context, agent: agent)
        do {
            let started = try started()
            return (started, try started.openSession(endings: endings, choosing: dialog.choose))
        } catch let login as TerminalLogin {
            endings.setBlocked(false)
            try dialog.run(login, command: options.command?.words)
            endings.setBlocked(true)
            let started = try started()
            // The login was of no use if the agent still requires one.
            return (started, try started.openSession(endings: endings) { _, _ in nil })
        }
    }

    /// Has the bridge of `--url` or `--bridge`, or that of the earlier session, start the agent.
    private func runThere(
        _ options: RunOptions, agent: String, continuing earlier: ListedSession?, _ text: String?, isInteractive: Bool
    ) throws -> Int32 {
        if Console.isTerminal(STDERR_FILENO) { Console.report("acpbridge: starting \(Table.cell(agent))") }
        let turn = isInteractive || options.detach ? nil : text
        let signals = try Interruptions(and: [SIGTERM, SIGHUP])
        let (session, isOwn) = try BridgeAccess(options.connection, context: context).withClient { client in
            try await client.begin(
                agent, at: options.bridge, in: options.folder, continuing: earlier, prompting: turn == nil ? text : nil,
                signals)
        }
        if let turn { return try runTurn(turn, session, options, signals, ends: isOwn) }
        signals.end()
        try show(session, options)
        return 0
    }

    /// Prints the session, or continues it in this terminal.
    private func show(_ session: BegunSession, _ options: RunOptions) throws {
        let name: String
        do {
            name = try nameOnceListed(session, options)
        } catch {
            Console.report(
                "acpbridge: the agent continues; `acpbridge stop \(Table.cell(session.qualifiedId))` ends it")
            throw error
        }
        if options.detach {
            try report(session, options)
        } else {
            try TakeCommand(context).run(
                AttachOptions(sessions: [name], pretty: true, take: true, connection: options.connection))
        }
    }

    private func agentName(_ options: RunOptions, continuing earlier: ListedSession?) throws(Failure) -> String {
        let ownName = options.command.map { AgentName.derive(from: $0.words) }
        guard let earlier else {
            if let ownName { return ownName }
            return try AgentChoice(context).name(options.agent, isElsewhere: options.isElsewhere)
        }
        if let bridge = earlier.bridge, options.command != nil {
            throw Failure(
                message: "the bridge '\(bridge)' starts the session's agent by its profile; leave --command out",
                status: Failure.wrongUsage)
        }
        if options.connection.url != nil || earlier.bridge != nil { return earlier.agent }
        if let ownName {
            guard ownName == earlier.agent else {
                throw Failure(
                    message: "the session is one of the agent '\(earlier.agent)'; this command would run '\(ownName)'",
                    status: Failure.wrongUsage)
            }
        } else if ProfileLibrary(userFolder: try context.home.agents).profiles[earlier.agent] == nil {
            throw Failure(
                message: """
                    the session's agent '\(earlier.agent)' was begun with a command and has no profile; add the command: \
                    --command '\(earlier.agent) …'
                    """)
        }
        return earlier.agent
    }

    private func endedSession(_ name: String, _ options: RunOptions) throws -> ListedSession {
        try BridgeAccess(options.connection, context: context).withClient(starting: true) { client in
            try await client.endedSession(name)
        }
    }

    private func prompt() throws -> String { try PromptCommand.readPrompt() }

    /// Runs one turn and then ends the agent, whatever the outcome.
    ///
    /// - Parameter ends: False if another client has started the agent, which then continues.
    private func runTurn(
        _ text: String, _ session: BegunSession, _ options: RunOptions, _ signals: Interruptions, ends: Bool = true
    ) throws -> Int32 {
        defer { if ends { stop(session, options) } }
        let name = try nameOnceListed(session, options)
        // The words are passed as one, so that the text is not read from standard input again.
        let prompt = PromptOptions(
            session: name, words: [text], pretty: options.pretty, connection: options.connection)
        return try PromptCommand(context).run(prompt, signals)
    }

    private func stop(_ session: BegunSession, _ options: RunOptions) {
        do {
            try stopAgent(of: session, options)
        } catch {
            Console.report(
                "acpbridge: the agent was not stopped: \(error); `acpbridge stop \(Table.cell(session.qualifiedId))` ends it"
            )
        }
    }

    private func stopAgent(of session: BegunSession, _ options: RunOptions) throws {
        let access = try BridgeAccess(options.connection, context: context)
        do {
            try access.withClient { client in
                // The agent can have ended by itself.
                guard let running = try await client.running(session) else { return }
                _ = try await client.action("agents:stop", args: running.arguments())
            }
        } catch let failure as BridgeFailure where access.hasNoBridge(failure) {
            // The agent has ended with the bridge.
        } catch is BridgeEnded {
            // It has ended meanwhile.
        }
    }

    /// The time for the log to store a new session.
    private static let listingLimit = Duration.seconds(5)

    /// Returns when the bridge lists the session, and has given it the title. The log stores a session a moment after the agent
    /// has opened it.
    ///
    /// - Returns: The name by which the other commands find the session.
    private func nameOnceListed(_ session: BegunSession, _ options: RunOptions) throws -> String {
        try BridgeAccess(options.connection, context: context).withClient { client in
            let listed = try await Self.listedSession(session, client)
            if let title = options.title { try await client.setTitle(title.text, of: listed) }
            return session.journal == nil || listed.journal.isEmpty ? session.qualifiedId : listed.journal
        }
    }

    private static func listedSession(_ begun: BegunSession, _ client: CommandClient) async throws -> ListedSession {
        let deadline = Instant.now + listingLimit
        repeat {
            if let session = try await client.running(begun) { return session }
            await client.loop.sleep(until: Instant.now + .milliseconds(20))
        } while Instant.now < deadline
        // Explains what the bridge has instead.
        return try await client.runningSession(begun.qualifiedId)
    }

    private func report(_ session: BegunSession, _ options: RunOptions) throws {
        guard options.json else { return try Console.print("\(session.id)") }
        try Console.printRecord(
            JSONWriter.object { writer in
                writer.member("sessionId", session.id)
                writer.member("agent", session.agent)
            })
    }
}
