import JSONScan
import Synchronization

/// What those at one session tell each other while the test goes on.
final class Gathering: Sendable {
    /// Nobody prompts any more.
    let isOver = Atomic(false)
    /// Editors whose prompts are all answered; they go on answering what they are asked for the others' sake.
    let doneEditors = Atomic(0)
    /// How many updates there are in all, once it is known.
    let head = Atomic(Int.max)

    static let editorCount = 2

    var everyPromptIsAnswered: Bool { doneEditors.load(ordering: .acquiring) == Self.editorCount }
}

/// What an editor does with what it is sent. Pure: lines in, lines out.
struct EditorScript {
    /// Prompts by their ids, with how many answers have come.
    private(set) var answers: [String: Int] = [:]
    /// Permission requests by their ids, as often as each was asked.
    private(set) var asked: [String: Int] = [:]
    private(set) var cancelledDialogs = 0
    private(set) var updates: [[UInt8]] = []
    private let name: String
    private let session: String
    private let queues: Bool
    /// Whether it answers the request with this number; the others do in its place.
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
        let params = GuestTestClient.prompt(session, "\(name) goes on", queue: queues)
        return #"{"jsonrpc":"2.0","id":"\#(id)","method":"session/prompt","params":\#(params)}"#
    }

    /// What it says to that line.
    mutating func take(_ line: [UInt8], isOver: Bool) throws -> [String] {
        let message = try JSONValue(validating: line)
        switch message["method"]?.stringValue {
        case "session/update":
            updates.append(line)
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
