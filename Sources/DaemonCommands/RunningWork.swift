import JSONScan
import TerminalIO
import TerminalText

/// The work of a bridge that is about to be stopped, for the question and the message at a terminal. Pure.
struct RunningWork {
    private let pid: Int64?
    private let agents: Int64
    /// 0 for an older bridge, which does not count them.
    private let turns: Int64

    /// - Parameter status: The value of `bridge:status`.
    init(_ status: JSONValue) {
        pid = status["pid"]?.int64Value
        agents = status["agents"]?.int64Value ?? 0
        turns = status["runningTurns"]?.int64Value ?? 0
    }

    /// Nil if no agent runs.
    var question: TerminalText? {
        guard agents > 0 else { return nil }
        let (isOne, work) = (agents == 1, turns > 0 ? ", with \(counted(turns, "running turn"))" : "")
        return """
            \(counted(agents, "agent")) \(isOne ? "runs" : "run")\(work). End \(isOne ? "it" : "them all")? \
            Type y to end \(isOne ? "it" : "them"), anything else to keep:
            """
    }

    /// The message after the end.
    var farewell: TerminalText {
        let bridge = "The bridge\(pid.map { " (process \($0))" } ?? "")"
        return agents > 0
            ? "\(bridge) and \(counted(agents, "agent")) have ended." : "\(bridge) has ended; it ran no agents."
    }
}
