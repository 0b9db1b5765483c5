import JSONScan
import Synchronization

/// State that the participants of one session share during the test.
final class SharedProgress: Sendable {
    /// No participant sends more prompts.
    let isOver = Atomic(false)
    /// The number of editors that have an answer to all of their prompts. They continue to answer permission requests
    /// for the other participants.
    let doneEditors = Atomic(0)
    /// The total number of updates, once it is known.
    let head = Atomic(Int.max)

    static let editorCount = 2

    var everyPromptIsAnswered: Bool { doneEditors.load(ordering: .acquiring) == Self.editorCount }
}

/// An editor's responses to the lines it receives. Pure: lines in, lines out.
struct EditorScript {
    /// The number of answers for each prompt, by the prompt's id.
    private(set) var answers: [String: Int] = [:]
    /// The number of times that each permission request was received, by the request's id.
    private(set) var asked: [String: Int] = [:]
    private(set) var cancelledDialogs = 0
    private(set) var updates: [[UInt8]] = []
    private let name: String
    private let session: String
    private let queues: Bool
    /// Returns whether this editor answers the request with this number. The other editors answer the rest.
    private let isAnswering: (Int) -> Bool

    init(_ name: String, at session: String, queues: Bool, answering isAnswering: @escaping (Int) -> Bool) {
        self.name = name
        self.session = session
        self.queues = queues
        self.isAnswering = isAnswering
    }

    var isDone: Bool { !answers.isEmpty && answers.values.allSatisfy { $0 > 0 } }

    mutating func nextPrompt() -> String {
        let id = "\(name)-\(answers.count)"
        answers[id] = 0
        let params = RemoteTestClient.prompt(session, "\(name) continues", queue: queues)
        return #"{"jsonrpc":"2.0","id":"\#(id)","method":"session/prompt","params":\#(params)}"#
    }

    /// Returns the lines that the editor sends in reply to `line`.
    mutating func handle(_ line: [UInt8], isOver: Bool) throws -> [String] {
        let message = try JSONValue(validating: line)
        switch message["method"]?.stringValue {
        case "session/update":
            // The history of a loaded session has the prompts, which the agents of this test do not write.
            let kind = message["params"]?["update"]?["sessionUpdate"]?.stringValue
            if kind != "user_message_chunk" { updates.append(line) }
            return []
        case "session/request_permission": return permissionAnswer(message)
        case "$/cancel_request":
            cancelledDialogs += 1
            return []
        case nil:
            guard let id = message["id"]?.stringValue, answers[id] != nil else { return [] }
            answers[id, default: 0] += 1
            return isOver ? [] : [nextPrompt()]
        default: return []
        }
    }

    private mutating func permissionAnswer(_ message: JSONValue) -> [String] {
        let id = message["id"]?.rawString ?? ""
        asked[id, default: 0] += 1
        guard isAnswering(Int(id) ?? 0) else { return [] }
        let option = asked.count.isMultiple(of: 2) ? "yes" : "no"
        return [#"{"jsonrpc":"2.0","id":\#(id),"result":{"outcome":{"outcome":"selected","optionId":"\#(option)"}}}"#]
    }
}
