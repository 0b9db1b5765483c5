import ACPMethods
import JSONRPC
import JSONScan

/// Decides from an editor's first lines whether the editor takes over a kept agent or gets an agent of its own. Pure.
///
/// Until then no agent is started for the editor. A kept agent's result answers `initialize`, and the kept sessions can
/// be listed. Every other line that does not ask for a kept session starts the editor's own agent, as if there were no
/// kept agent.
struct EditorChoice: Codable {
    enum Step: Equatable {
        /// The bridge answers the line.
        case answer
        /// The editor takes over the kept agent. This line is the first of the conversation with it.
        case takeOver
        /// The editor gets its own agent, which receives ``answered`` and then this line.
        case startAgent
    }

    /// The kept agents that the editor can take over.
    struct Offer {
        /// The protocol version of the kept agent that provides the answer to `initialize`. Nil without such an agent.
        var version: Int64?
        /// The ids of the sessions of all kept agents with this version.
        var sessions: Set<String> = []
    }

    /// The answered lines that the editor's own agent must receive too: `initialize`, with its line feed.
    private(set) var answered: [UInt8] = []

    /// A longer unfinished line starts the editor's own agent. 1 MiB is far more than `initialize` or `session/load` has.
    static let lineLimitBytes = 1 << 20

    /// - Parameter line: The editor's next line, without its line feed.
    mutating func step(_ line: [UInt8], _ offer: Offer) -> Step {
        guard let version = offer.version, let value = try? JSONValue(validating: line),
            case .request(_, let method, let params) = Message(value)
        else { return .startAgent }
        let isInitialized = !answered.isEmpty
        switch ACPMethod(named: method) {
        case .initialize where !isInitialized && params?["protocolVersion"]?.int64Value == version:
            answered = line + [0x0a]
            return .answer
        case .sessionList where isInitialized && !offer.sessions.isEmpty: return .answer
        case .sessionLoad where isInitialized, .sessionResume where isInitialized:
            let isOffered = params?["sessionId"]?.stringValue.map(offer.sessions.contains) == true
            return isOffered ? .takeOver : .startAgent
        default: return .startAgent
        }
    }
}
