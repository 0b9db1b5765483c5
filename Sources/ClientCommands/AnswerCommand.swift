import AgentQuestions
import BridgeRequests
import CommandContext
import Glibc
import Invocations
import JSONScan
import Posix
import TerminalIO
import TerminalText

/// `acpbridge answer`: lists the requests that wait for a person, asks for the answers at a terminal, or answers one.
package struct AnswerCommand {
    private let context: ProcessContext

    package init(_ context: ProcessContext) { self.context = context }

    package func run(_ options: AnswerOptions) throws {
        let access = try BridgeAccess(options.connection, context: context)
        do {
            try access.withClient { client in try await Answering(client, options).run() }
        } catch let failure as BridgeFailure
            where failure.isUnreachable && options.connection.url == nil && options.session == nil
        {
            // Without a bridge no agent runs.
            try WaitingList([]).print(json: options.json)
        }
    }
}

/// One run of the command.
private struct Answering: Sendable {
    private let client: CommandClient
    private let options: AnswerOptions

    init(_ client: CommandClient, _ options: AnswerOptions) {
        self.client = client
        self.options = options
    }

    func run() async throws {
        let all = try await client.waitingRequests()
        guard let session = options.session else { return try WaitingList(all).print(json: options.json) }
        var requests = try await client.requests(of: session, among: all)
        if let id = options.request {
            requests = requests.filter { $0.isNamed(id) }
            guard !requests.isEmpty else {
                throw Failure(message: "no request '\(id)' of this session waits for an answer")
            }
        }
        if let reply = options.reply {
            try await answer(try Self.only(requests), reply)
        } else if !options.json, TerminalInput.isAvailable {
            try await AnswerDialog(client).run(requests)
        } else {
            try WaitingList(requests, ofSession: true).print(json: options.json)
        }
    }

    private static func only(_ requests: [WaitingRequest]) throws(Failure) -> WaitingRequest {
        guard requests.count <= 1 else {
            let ids = requests.prefix(20).map { request -> TerminalText in "'\(request.shownId)'" }
            throw Failure(
                message: "\(requests.count) requests wait for an answer; name one of them: "
                    + ids.joined(separator: ", "), status: Failure.wrongUsage)
        }
        guard let request = requests.first else {
            throw Failure(message: "no request of this session waits for an answer")
        }
        return request
    }

    private func answer(_ request: WaitingRequest, _ reply: QuestionReply) async throws {
        let answer: QuestionAnswer
        do throws(AnswerFault) {
            answer = try request.answer(reply)
        } catch {
            throw Failure(message: error.message, status: Failure.wrongUsage)
        }
        try await client.send(answer, to: request)
        if !options.json { Console.reportDone("\(Table.cell(request.asker.name)) has your answer.") }
        if options.json {
            try Console.printRecord(
                JSONWriter.object { writer in
                    switch request.asker {
                    case .session(let id): writer.member("sessionId", id)
                    case .process(let id): writer.member("pid", id)
                    }
                    writer.member("agent", request.agent)
                    writer.member("requestId", raw: request.id)
                    writer.member("answered", true)
                })
        }
    }
}

extension AnswerOptions {
    fileprivate var reply: QuestionReply? {
        guard isAnswer else { return nil }
        if let option { return .option(option) }
        if decline { return .decline }
        return cancel ? .cancel : .accept(fields.map { (name: $0.name, text: $0.value) })
    }
}

/// The requests as a table or as JSON lines.
private struct WaitingList {
    private let requests: [WaitingRequest]
    private let isOfSession: Bool

    init(_ requests: [WaitingRequest], ofSession isOfSession: Bool = false) {
        self.requests = requests
        self.isOfSession = isOfSession
    }

    func print(json: Bool) throws {
        if json {
            for request in requests { try Console.printRecord(request.json) }
        } else if requests.isEmpty {
            Console.report(
                isOfSession ? "No request of this session waits for an answer." : "No request waits for an answer.")
        } else {
            try Console.print(table)
        }
    }

    private var table: TerminalText {
        let now = wallClockMilliseconds()
        var table = Table(header: ["SESSION", "AGENT", "REQUEST", "KIND", "QUESTION", "ANSWERS", "WHEN"])
        table.rows = requests.map { request in
            [
                Table.cell(request.asker.name), Table.cell(request.agent, limit: 24),
                Table.cell(request.shownId, limit: 24),
                request.question?.kindName ?? (request.isPermission ? "permission" : "unknown"),
                Table.cell(request.question?.title.text ?? "", limit: 40),
                Table.cell(request.question?.summary.text ?? ""),
                Dates.ago(milliseconds: now - request.time),
            ]
        }
        guard let columns = Console.columns(STDOUT_FILENO), !table.fits(columns) else { return table.text() }
        let questions = requests.map { Table.cell($0.question?.title.text ?? "", limit: 400) }
        let details = zip(questions, table.rows).map { [$0, $1[5]] }
        return table.without(5).without(4).text(columns: columns, ids: 0, yielding: 1, below: details)
    }
}
