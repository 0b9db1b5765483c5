import ACPRouting
import AgentProcess
import BridgeRequests
import CommandContext
import Glibc
import Invocations
import JSONRPC
import Posix
import ProductVersion
import TerminalIO
import TextSearch

/// An agent that this program has started with `acpbridge stdio`, in place of an editor.
final class StartedAgent {
    private let pid: pid_t
    private let input: Descriptor
    private let output: Descriptor
    private let errors: Descriptor
    private var lines = LineSplitter(limitBytes: 1 << 20)
    private var conversation: SessionStart
    private let title: String
    /// The end of the agent's standard error, for the message about a failed start.
    private var errorTail: [UInt8] = []

    private static let errorTailBytes = 4 << 10

    /// Starts the agent; it may not be ready yet.
    ///
    /// - Parameter earlier: The session to continue; nil for a new one.
    convenience init(
        _ options: RunOptions, agent: String, continuing earlier: ListedSession?, hasPrompt: Bool,
        context: ProcessContext
    ) throws {
        var words = ["stdio"]
        // Without a client, an idle agent would end before this program has taken it over.
        if let linger = options.linger, options.detach, hasPrompt {
            words.append("--linger=\(linger.argument)")
        } else {
            words.append("--keep")
        }
        if let limit = options.permissionLimit { words.append("--permission-timeout=\(limit.argument)") }
        words += options.command.map { ["--"] + $0.words } ?? ["--agent=\(agent)"]
        let folder = try earlier.map(Self.folder(of:)) ?? options.folder.map(Self.folder(at:)) ?? context.directory
        let start = SessionStart(
            folder: folder.description, version: programVersion, continuing: earlier?.id,
            agent: options.command == nil ? agent : nil, servesTerminal: TerminalInput.isAvailable)
        try self.init(words, start, title: agent, in: folder, context)
    }

    /// Starts the agent for a login.
    convenience init(forLoginOf agent: String, context: ProcessContext) throws {
        let start = SessionStart(
            folder: context.directory.description, version: programVersion, agent: agent,
            servesTerminal: TerminalInput.isAvailable, isForLogin: true)
        try self.init(["stdio", "--agent=\(agent)"], start, title: agent, in: context.directory, context)
    }

    /// - Parameter words: The arguments of this program, which starts the agent.
    private init(
        _ words: [String], _ start: SessionStart, title: String, in folder: SystemString, _ context: ProcessContext
    ) throws {
        let request = SpawnRequest(
            command: ([ProcessContext.programPath] + words).map { SystemString($0) }, directory: folder,
            environment: context.environment)
        let (forInput, forOutput, forErrors) = (try Pipe().ends(), try Pipe().ends(), try Pipe().ends())
        input = Descriptor(owning: forInput.write)
        output = Descriptor(owning: forOutput.read)
        errors = Descriptor(owning: forErrors.read)
        let passed = (forInput.read, forOutput.write, forErrors.write)
        defer { for fd in [passed.0, passed.1, passed.2] { Glibc.close(fd) } }
        self.title = title
        conversation = start
        do throws(SpawnError) {
            pid = try DetachedProcess.start(request, streams: passed)
        } catch {
            throw Failure(message: "the agent cannot be started: \(error)")
        }
    }

    private static func folder(at path: String) throws(Failure) -> SystemString {
        guard isFolder(path) else {
            throw Failure(message: "there is no folder '\(Table.cell(path))'")
        }
        return SystemString(ProcessContext.realPath(path))
    }

    private static func folder(of session: ListedSession) throws(Failure) -> SystemString {
        guard let folder = session.folder else {
            throw Failure(message: "the folder of session '\(Table.cell(session.id))' is not known")
        }
        guard isFolder(folder) else {
            throw Failure(
                message:
                    "the session's folder does not exist: \(folder); create it, or begin a new session without --resume"
            )
        }
        return SystemString(folder)
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Chooses one of the agent's ways to log in. Nil if the person wants none.
    typealias LoginChoice = (_ methods: [LoginMethod], _ answer: () throws -> String?) throws -> LoginMethod?

    /// Returns the session's id when the agent has opened it. Ctrl-C and the signals in `endings` end the agent and this
    /// program.
    ///
    /// - Parameter choose: Called if the agent requires a login.
    /// - Throws: ``TerminalLogin`` if the chosen login needs the terminal. The agent has ended then.
    func openSession(endings: borrowing BlockedSignals, choosing choose: LoginChoice) throws -> String {
        guard let session = try conversationEnd(endings, choose) else {
            throw Failure(message: "the agent has opened no session")
        }
        return session
    }

    /// Returns when the agent, which was started for that, has logged in. The agent has ended then.
    ///
    /// - Throws: ``TerminalLogin`` if the chosen login needs the terminal.
    func logIn(endings: borrowing BlockedSignals, choosing choose: LoginChoice) throws {
        _ = try conversationEnd(endings, choose)
        try leave(prompting: nil, session: "")
    }

    private func conversationEnd(
        _ endings: borrowing BlockedSignals, _ choose: LoginChoice
    ) throws -> String? {
        let interrupts = try BlockedSignals([SIGINT])
        do {
            return try runConversation(interrupts, endings, choose)
        } catch {
            end()
            throw error
        }
    }

    /// Continues with a login. A method that needs a terminal ends this conversation.
    private func logIn(
        _ methods: [LoginMethod], _ message: String, _ interrupts: borrowing BlockedSignals,
        _ endings: borrowing BlockedSignals, _ choose: LoginChoice
    ) throws {
        let descriptors = (interrupts.descriptor.raw, endings.descriptor.raw)
        var signal: Int32 = 0
        let method = try choose(methods) {
            var waits = [STDIN_FILENO, descriptors.0, descriptors.1].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            while poll(&waits, nfds_t(waits.count), -1) < 0, errno == EINTR {}
            guard waits[1].revents == 0, waits[2].revents == 0 else {
                signal = -1
                return nil
            }
            return Self.readAnswer()
        }
        if signal != 0 { for signal in [interrupts.next(), endings.next()] where signal != 0 { endAfter(signal) } }
        guard let method else { throw Failure(message: "\(message)") }
        if case .terminal = method.kind { throw TerminalLogin(method: method) }
        Console.report("acpbridge: \(Table.cell(title)) logs in with \(Table.cell(method.name)); Ctrl-C cancels")
        conversation.logIn(method)
    }

    /// More than an answer has.
    private static let answerLimitBytes = 4 << 10

    /// Reads one line of standard input. Unlike `readLine`, it leaves the rest for `poll` and for a login in this terminal.
    private static func readAnswer() -> String? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while line.count < answerLimitBytes {
            let count = read(STDIN_FILENO, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return nil }
            if byte == 0x0A { break }
            line.append(byte)
        }
        return String(decoding: line.last == 0x0D ? line.dropLast() : line[...], as: UTF8.self)
    }

    /// Returns the session's id, or nil after a login without a session.
    private func runConversation(
        _ interrupts: borrowing BlockedSignals, _ endings: borrowing BlockedSignals, _ choose: LoginChoice
    ) throws -> String? {
        var question: String?
        var reports = [Self.silenceMilliseconds, Self.longSilenceMilliseconds][...]
        while true {
            try write(conversation.takeOutput())
            switch conversation.progress {
            case .opened(let session): return session
            case .loggedIn: return nil
            case .needsLogin(let methods, let message):
                try logIn(methods, message, interrupts, endings, choose)
                continue
            case .failed(let reason): throw Failure(message: "\(reason)")
            case .waiting: break
            }
            if let asked = conversation.question, asked != question {
                Console.report(
                    "acpbridge: the agent asks: \(Table.cell(asked, limit: 400)); `acpbridge answer` lists and answers it"
                )
                question = asked
            }
            let descriptors = [output.raw, errors.raw, interrupts.descriptor.raw, endings.descriptor.raw]
            var waits = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let count = poll(&waits, nfds_t(waits.count), reports.first ?? -1)
            if count == 0, let silence = reports.popFirst() {
                reportSilence(isLong: silence > Self.silenceMilliseconds)
            }
            for signal in [interrupts.next(), endings.next()] where signal != 0 { endAfter(signal) }
            if waits[1].revents != 0 { readErrors() }
            if waits[0].revents != 0, try !readLines() { throw endedEarly() }
        }
    }

    /// After this time, a message shows that the start continues: a launcher may have to download the agent.
    private static let silenceMilliseconds: Int32 = 1_000
    /// After another 10 s, a script's log gets the message, too.
    private static let longSilenceMilliseconds: Int32 = 10_000

    private func reportSilence(isLong: Bool) {
        guard isLong else {
            if Console.isTerminal(STDERR_FILENO) { Console.report("acpbridge: starting \(title); Ctrl-C cancels") }
            return
        }
        let name = Table.cell(title)
        guard let line = conversation.strangeLine else {
            return Console.report("acpbridge: \(name) has not answered yet; Ctrl-C cancels")
        }
        Console.report(
            """
            acpbridge: \(name) has not answered yet, and has written '\(Table.cell(line))', which is not ACP; does the \
            command need an option, such as --acp? Ctrl-C cancels
            """)
    }

    private func endAfter(_ signal: Int32) -> Never {
        end()
        endProcess(withSignal: signal)
    }

    /// Ends the agent by an interrupt, which `acpbridge stdio` forwards to it. SIGTERM and SIGHUP would count as the
    /// editor's leaving, and `--keep` keeps the agent then.
    @discardableResult private func end() -> TerminationStatus? {
        kill(pid, SIGINT)
        return waitForEnd()
    }

    /// Returns false at the end of the agent's output.
    private func readLines() throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = read(output.raw, &buffer, buffer.count)
        if count < 0, errno == EINTR { return true }
        guard count > 0 else { return false }
        var received: [[UInt8]] = []
        lines.split(buffer.span.extracting(0..<count)) { line in
            if case .line(let line) = line { received.append(line.withUnsafeBufferPointer { Array($0) }) }
        }
        for line in received { conversation.received(line) }
        return true
    }

    /// Call when the stream is readable. Returns false at its end.
    @discardableResult private func readErrors() -> Bool {
        var buffer = [UInt8](repeating: 0, count: Self.errorTailBytes)
        let count = read(errors.raw, &buffer, buffer.count)
        if count > 0 { errorTail = Array((errorTail + buffer.prefix(count)).suffix(Self.errorTailBytes)) }
        // At its end the stream is always readable.
        if count == 0 { poll(nil, 0, 10) }
        return count > 0
    }

    /// Reads what has come already: a process of the agent can keep the stream open.
    private func readPresentErrors() {
        var wait = pollfd(fd: errors.raw, events: Int16(POLLIN), revents: 0)
        while poll(&wait, 1, 0) > 0, readErrors() {}
    }

    /// The failure for an agent whose output ended before it opened a session. Ends the agent if it continues.
    private func endedEarly() -> Failure {
        let ownEnd = waitForEnd(within: Self.outputEndLimit)
        let status = ownEnd ?? end()
        readPresentErrors()
        let text = String(decoding: errorTail, as: UTF8.self)
        let strange = conversation.strangeLine.map { "it wrote '\(Table.cell($0))', which is not ACP" }
        let last = text.filledLines.last.map(String.init) ?? strange ?? "it wrote no message"
        let (end, code): (String, Int32) =
            switch status {
            // Here, a small status of the agent would have another meaning.
            case .exited(let code)?: ("exit status \(code)", code >= Failure.wrongUsage ? code : 1)
            case .signaled(let signal)?: ("signal \(signal)", 1)
            case nil: ("for an unknown reason", 1)
            }
        let what = ownEnd == nil ? "the agent closed its output" : "the agent ended (\(end))"
        let reason =
            last.hasPrefix("Error: ") ? String(last.dropFirst(7)) : "\(what) before it opened a session: \(last)"
        return Failure(message: "\(reason)", status: code)
    }

    /// Sends the first prompt without waiting for its turn, if there is one, and then leaves the agent without an editor.
    /// Returns when the bridge has noticed.
    func leave(prompting text: String?, session: String) throws {
        if let text {
            conversation.prompt(text, session: session)
            try write(conversation.takeOutput())
        }
        for fd in [input.raw, output.raw, errors.raw] { shutDown(fd) }
        waitForEnd()
    }

    /// Replaces the descriptor's file, so that the agent's streams are closed and the number stays in use until the end of
    /// this object.
    private func shutDown(_ fd: Int32) {
        let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
        guard nothing >= 0 else { return }
        dup2(nothing, fd)
        close(nothing)
    }

    private func write(_ bytes: [UInt8]) throws {
        guard !bytes.isEmpty else { return }
        do throws(Console.WriteError) {
            try Console.transfer(bytes, to: input.raw)
        } catch {
            // The end of its output has the reason.
        }
    }

    /// The time for an agent to end after its output has ended.
    private static let outputEndLimit = Duration.seconds(1)
    /// The time for the bridge to notice that the editor has left.
    private static let endLimit = Duration.seconds(15)

    /// Returns the status of `acpbridge stdio`; nil if it does not end.
    @discardableResult private func waitForEnd(within limit: Duration = endLimit) -> TerminationStatus? {
        let deadline = Instant.now + limit
        while Instant.now < deadline {
            var status: Int32 = 0
            let ended = waitpid(pid, &status, WNOHANG)
            if ended == pid { return TerminationStatus(waitStatus: status) }
            if ended < 0, errno != EINTR { return nil }
            poll(nil, 0, 5)
        }
        return nil
    }
}
