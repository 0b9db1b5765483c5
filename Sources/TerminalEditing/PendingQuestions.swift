import AgentQuestions
import SessionOutput

/// The questions of a session's agent that wait for an answer, according to the session's timeline and the bridge's list
/// of elicitations without a session.
struct PendingQuestions {
    /// 1,000 questions. Further ones are not asked at this terminal; `acpbridge answer` lists them.
    private static let limit = 1_000
    private var waiting: [AgentQuestion] = []

    /// The question that has waited longest.
    var first: AgentQuestion? { waiting.first }

    func isWaiting(_ question: AgentQuestion) -> Bool {
        waiting.contains { $0.requestId == question.requestId }
    }

    /// Sets the agent's elicitations without a session, which are on no timeline.
    mutating func set(sessionless questions: [AgentQuestion]) {
        waiting.removeAll { known in
            known.process != nil && !questions.contains { $0.requestId == known.requestId }
        }
        for question in questions where waiting.count < Self.limit && !isWaiting(question) { waiting.append(question) }
    }

    mutating func note(_ entry: TimelineValue) {
        switch entry.kind {
        case "permission_request", "elicitation_request":
            guard waiting.count < Self.limit, let question = AgentQuestion(entry) else { return }
            waiting.append(question)
        case "permission_answer", "elicitation_answer":
            let id = entry.content["requestId"].map { Array($0.rawText) }
            waiting.removeAll { $0.requestId == id }
        // Requests of an ended agent cannot be answered. The list of requests without a session is updated separately.
        case "agent_start", "agent_exit": waiting.removeAll { $0.process == nil }
        default: break
        }
    }
}

extension AgentQuestion {
    /// - Parameter entry: An entry. Its data has the request's id and params.
    fileprivate init?(_ entry: TimelineValue) {
        guard let id = entry.content["requestId"], let params = entry.content["params"] else { return nil }
        self.init(requestId: id, params: params)
    }
}
