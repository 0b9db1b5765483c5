import BridgeRequests
import CommandContext
import Glibc
import Invocations
import JSONScan
import Posix
import SessionOutput
import Synchronization
import TerminalEditing
import TerminalIO
import TerminalText
import Tinyvex
import TinyvexSync

/// `acpbridge prompt SESSION TEXT`: sends a prompt to the agent, and prints the turn until it ends.
package struct PromptCommand {
    private let context: ProcessContext

    package init(_ context: ProcessContext) { self.context = context }

    /// Returns the exit status, which reflects how the turn ended.
    ///
    /// - Throws: ``Interrupted`` after a second Ctrl-C.
    package func run(_ options: PromptOptions) throws -> Int32 {
        var options = options
        let text = try options.text.map(Self.checked) ?? typedText(&options)
        // While the text is typed, Ctrl-C has its usual effect.
        return try run(options, text, Interruptions())
    }

    /// Reads the text for a session that exists. The options then name the session that the person has seen.
    private func typedText(_ options: inout PromptOptions) throws -> String {
        let access = try BridgeAccess(options.connection, context: context)
        let session = try access.withRunningSession(options.session) { _, session in session }
        if options.session == "latest" { options.session = session.journal.isEmpty ? session.id : session.journal }
        return try Self.readPrompt(for: session.name)
    }

    /// - Throws: ``Interrupted`` after a second Ctrl-C or any other signal of `signals`.
    func run(_ options: PromptOptions, _ signals: Interruptions) throws -> Int32 {
        try run(options, Self.text(options), signals)
    }

    private static func text(_ options: PromptOptions) throws -> String {
        try options.text.map(checked) ?? readPrompt()
    }

    private func run(_ options: PromptOptions, _ text: String, _ signals: Interruptions) throws -> Int32 {
        let attachments = try AttachedFile.read(options.attachments)
        let access = try BridgeAccess(options.connection, context: context)
        let end = try access.withRunningSession(options.session, signals) { client, session in
            let blocks = try await Self.blocks(attachments, client, session, options)
            return try await PromptedTurn(client, session, text, blocks, options, signals).run()
        }
        if case .failed(let message) = end { Console.report("Error: the agent returned an error: \(message)") }
        return end.status
    }

    /// The content blocks of the attached files, as far as the session's agent accepts them.
    private static func blocks(
        _ attachments: [AttachedFile], _ client: CommandClient, _ session: ListedSession, _ options: PromptOptions
    ) async throws -> [[UInt8]] {
        guard !attachments.isEmpty else { return [] }
        let details = try await client.details(of: session)
        let accepted = AttachedFile.Accepted(details["promptCapabilities"])
        return try attachments.map {
            try $0.block(for: session.agent, accepted, isRemote: options.connection.url != nil)
        }
    }

    /// Reads a prompt from standard input.
    ///
    /// - Parameter session: The session's name; nil if the prompt begins a session.
    static func readPrompt(for session: String? = nil) throws -> String { try checked(readInput(for: session)) }

    private static func checked(_ text: String) throws(Failure) -> String {
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw Failure(message: "the prompt is empty", status: Failure.wrongUsage)
        }
        return text
    }

    /// The bridge's limit for one message, minus some room for the rest of the message.
    private static let inputLimitBytes = 15 << 20

    private static func readInput(for session: String?) throws -> String {
        if Console.isTerminal(STDIN_FILENO) {
            let name = session.map { " for \(Table.cell($0))" } ?? ""
            Console.report("Type the prompt\(name), then press Ctrl-D on an empty line.")
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw Failure(message: "standard input cannot be read: \(String(cString: strerror(errno)))")
            }
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer.prefix(count)
            guard bytes.count <= inputLimitBytes else {
                throw Failure(message: "the prompt is longer than \(inputLimitBytes >> 20) MiB")
            }
        }
    }
}

/// One prompt and the turn that follows it.
private final class PromptedTurn: Sendable {
    private let client: CommandClient
    private let session: ListedSession
    private let text: String
    /// The content blocks after the text, each as JSON text.
    private let blocks: [[UInt8]]
    private let queues: Bool
    /// The bridge runs on this machine, so its user ids are those of this machine's users.
    private let isOwnBridge: Bool
    private let isPretty: Bool
    private let signals: Interruptions
    private let output: AttachOutput
    private let subscribed: AsyncStream<Void>
    /// The bridge's or the agent's error answer to the prompt. If the agent has ended, it has the agent's last words.
    private let refusal = Mutex<BridgeFailure?>(nil)

    init(
        _ client: CommandClient, _ session: ListedSession, _ text: String, _ blocks: [[UInt8]],
        _ options: PromptOptions, _ signals: Interruptions
    ) {
        self.client = client
        self.session = session
        self.text = text
        self.blocks = blocks
        self.signals = signals
        queues = options.queue
        isOwnBridge = options.connection.url == nil
        let isTerminal = Console.isTerminal(STDOUT_FILENO)
        isPretty = options.pretty || isTerminal
        let printer = TurnPrinter(
            prompt: text, isPretty: isPretty, hasColour: Console.hasColour(STDOUT_FILENO),
            isOwnBridge: isOwnBridge)
        if !isPretty, Console.isTerminal(STDERR_FILENO) {
            Console.report(
                "acpbridge: the turn is printed as JSON, because the output is not a terminal; --pretty shows text")
        }
        let (subscribed, opened) = AsyncStream.makeStream(of: Void.self)
        self.subscribed = subscribed
        output = AttachOutput(printer, follows: true) { opened.finish() }
    }

    func run() async throws -> TurnEnd {
        client.isAbout(session.id)
        var following = Following(
            client: client, stream: .timeline, params: session.params, start: .now, output: output)
        if isPretty { following.subagents = SubagentSelection(agent: session.agent) }
        let dialogs = isPretty ? try await TerminalDialogs.onTerminal(client, session, output) : nil
        let notice = QuestionNotice(client, session, output)
        following.observe = { entries in
            if let dialogs { try dialogs.note(entries) } else { notice.note(entries) }
        }
        let others = SessionlessQuestions(client, session, output, dialogs)
        do {
            try await following.run(
                beside: [ask, cancelOnInterrupt, { try await others.run() }, { try await notice.run() }])
        } catch let early as EndWithoutTurn {
            return early.end
        }
        if let end = output.turnEnd { return end }
        if let failure = refusal.withLock({ $0 }) { throw failure }
        throw Failure(message: "the session ended before the turn ended")
    }

    /// Sends the prompt once the subscription is open, so that no part of the turn is missed. The timeline shows how
    /// the turn ends. The response can arrive before the timeline's last entries, so it counts only if there is no
    /// turn. In ACP version 2 the response also names the prompt's message.
    private func ask() async throws {
        for await _ in subscribed {}
        let arguments = session.arguments { writer in
            if blocks.isEmpty {
                writer.member("text", text)
            } else {
                writer.memberArray("prompt") { writer in
                    writer.object { writer in
                        writer.member("type", "text")
                        writer.member("text", text)
                    }
                    for block in blocks { writer.element(raw: block) }
                }
            }
            writer.member("queue", queues)
        }
        let answer: JSONValue?
        do throws(BridgeFailure) {
            answer = try await client.action("sessions:prompt", args: arguments)
        } catch {
            return try await handle(error)
        }
        guard let answer else { return }
        guard let message = answer["messageId"]?.stringValue else { return try await waitForEnd() }
        output.answered(message: message)
        if output.turnEnd == nil { await client.loop.sleep(until: Instant.now + Self.timeLimit) }
        if output.turnEnd == nil, output.isStorageFailing { throw incomplete }
        throw EndWithoutTurn(end: output.turnEnd ?? TurnEnd(answer))
    }

    /// Returns when the timeline has the end of the turn. It cannot have it while the log cannot be written.
    private func waitForEnd() async throws {
        repeat {
            await client.loop.sleep(until: Instant.now + Self.timeLimit)
            guard output.turnEnd == nil, output.isStorageFailing else { continue }
            throw incomplete
        } while output.turnEnd == nil && !Task.isCancelled
    }

    private var incomplete: Failure {
        Failure(
            message: """
                the turn has ended, but its output is incomplete: `acpbridge attach \(Table.cell(session.id))` shows the rest \
                when the log can be written again
                """)
    }

    /// Time for the timeline to deliver the end of a turn after its answer.
    private static let timeLimit = Duration.seconds(2)

    private func handle(_ failure: BridgeFailure) async throws {
        switch failure.error {
        case .server("TVX012", let message, _):
            // Keep the part of the message that names the busy client. The rest is for clients that send requests
            // themselves.
            let text = String(message.prefix { $0 != ";" })
            let reason = isOwnBridge ? LocalUser.names(in: text) : text
            throw Failure(
                message: """
                    the prompt was not sent: \(reason); --queue waits until that turn ends, and `acpbridge cancel \
                    \(Table.cell(session.id))` cancels it
                    """, status: TurnEnd.busy)
        // The prompt was waiting in the queue and was removed from it.
        case .server("-32800", _, _) where !output.turnHasBegun:
            try output.report("acpbridge: the prompt was removed from the queue, so the agent did not get it")
            throw EndWithoutTurn(end: .stopped("cancelled"))
        case .server(let code, _, _) where !code.hasPrefix("TVX"):
            refusal.withLock { $0 = failure }
            await client.loop.sleep(until: Instant.now + Self.timeLimit)
            throw failure
        // The timeline continues over the next connection and shows the outcome.
        case .outcomeUnknown where output.turnHasBegun, .server("TVX007", _, _) where output.turnHasBegun:
            output.answered(message: nil)
            if let end = output.turnEnd { throw EndWithoutTurn(end: end) }
        default: throw failure
        }
    }

    private struct EndWithoutTurn: Error { let end: TurnEnd }

    /// The first Ctrl-C cancels the turn, and its end is still printed. A second Ctrl-C or another signal ends the command.
    /// While an answer is typed, Ctrl-C only drops it.
    private func cancelOnInterrupt() async throws {
        repeat {
            guard let number = await signals.next(client.loop) else { return }
            guard number == SIGINT else { throw Interrupted(signal: number) }
        } while try output.input.clear()
        let isWaiting = queues && !output.turnHasBegun
        let what: TerminalText = isWaiting ? "removing the prompt from the queue" : "cancelling the turn"
        try output.report("acpbridge: \(what)\(client.whenReached); press Ctrl-C again to exit without waiting")
        async let answer: Void = cancel(isWaiting)
        if let second = await signals.next(client.loop) { throw Interrupted(signal: second) }
        try await answer
    }

    private func cancel(_ isWaiting: Bool) async throws {
        if isWaiting {
            if try await leaveQueue() { return }
            // The prompt's own turn begins now. Another turn must not be cancelled.
            await client.loop.sleep(until: Instant.now + Self.timeLimit)
            guard output.turnHasBegun else { return }
        }
        _ = try await client.action("sessions:cancel", args: session.arguments())
    }

    /// Removes the prompt from the queue, so that the turn before it continues. Returns false if the prompt does not wait, or
    /// if the bridge is an older one, which cannot remove it.
    private func leaveQueue() async throws -> Bool {
        let queue = try await client.waitingPrompts(of: session)
        // The list has the beginning of a long text. Another prompt can have the same text: the newest one is this one.
        guard let own = queue.last(where: { $0.isSent(as: text) }) else { return false }
        return try await client.discard(own, of: session)
    }
}

extension AttachOutput {
    fileprivate var turnEnd: TurnEnd? { turn?.end }
    fileprivate var turnHasBegun: Bool { turn?.hasBegun ?? false }
}
