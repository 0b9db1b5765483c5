import AgentQuestions
import BridgeRequests
import Glibc
import TerminalIO
import TerminalText
import TinyvexSync

/// Asks the user at the terminal for the answers to some requests, one after the other.
///
/// Another client can answer meanwhile. The bridge then refuses the user's answer, and the next request follows.
struct AnswerDialog: Sendable {
    private let client: CommandClient
    private let input = TerminalInput()

    init(_ client: CommandClient) { self.client = client }

    /// Returns after the last request, or when the user presses Ctrl-D.
    func run(_ requests: [WaitingRequest]) async throws {
        let asked = requests.filter { $0.question != nil }
        if asked.isEmpty { Console.report("No request of this session waits for an answer.") }
        input.begin(client.loop)
        defer { input.finish() }
        for request in asked where try await !ask(request) { return }
    }

    /// Returns false if the user presses Ctrl-D.
    private func ask(_ request: WaitingRequest) async throws -> Bool {
        guard let question = request.question else { return true }
        if case .session(let id) = request.asker { client.isAbout(id) }
        input.beginAnswer()
        defer { input.endAnswer() }
        try Console.print("\(request.agent) \(request.asker.name): " + question.title)
        if case .url(let url) = question.kind { try Console.print("  \(url)") }
        let call = try await client.toolCall(of: request)
        try Console.show(request.details(call, hasColour: Console.hasColour(STDOUT_FILENO)))
        var dialog = QuestionDialog(question)
        while true {
            try input.ask(dialog.line)
            guard case .line(let words) = await input.next(client.loop) else {
                try input.endQuestion(isAnswered: true)
                try Console.print("")
                return false
            }
            switch dialog.enter(words) {
            case .again(let reason): try Console.print(reason)
            case .next: break
            case .done(let answer):
                try await send(answer, to: request)
                return true
            }
        }
    }

    private func send(_ answer: QuestionAnswer, to request: WaitingRequest) async throws {
        do throws(BridgeFailure) {
            try await client.send(answer, to: request)
        } catch {
            guard case .server = error.error else { throw error }
            Console.report("acpbridge: your answer was not accepted: \(error)")
        }
    }
}
