import BridgeRequests
import Glibc
import Invocations
import JSONScan
import TerminalIO
import TerminalText
import Tinyvex
import TinyvexMachine
import TinyvexSync

/// The subscription that `attach` requests from the bridge, and the way it is printed.
package struct AttachRequest {
    private let session: ListedSession
    private let options: AttachOptions
    package let filter: AttachFilter
    private let label: TerminalText

    /// - Parameter label: Begins each line of a conversation among others; otherwise empty.
    package init(session: ListedSession, options: AttachOptions, label: TerminalText = "") {
        self.session = session
        self.options = options
        self.label = label
        filter = AttachFilter(options, updateCount: session.updateCount)
    }

    package func following(_ client: CommandClient) -> Following {
        var following = Following(
            client: client, stream: isPlain ? .sessionUpdates : .timeline, params: session.params, start: start,
            policy: options.policy == .lossless ? nil : options.policy.rawValue,
            output: AttachOutput(printer, follows: options.follow, label: options.hasSeveral ? session.name : nil))
        if options.pretty, options.kinds.isEmpty {
            following.subagents = SubagentSelection(agent: session.agent, firstSeq: filter.firstSeq)
        }
        return following
    }

    /// The agent's lines are printed without anything else.
    private var hasLinesOnly: Bool {
        !options.envelope && !options.all && !options.pretty && options.format != .flat
    }

    /// The stream of the agent's lines is enough. It has no times, which the histories of several sessions are ordered by.
    private var isPlain: Bool { hasLinesOnly && (!options.hasSeveral || options.from == .now) }

    /// 10,000 entries of a timeline: those that are shown can refer to earlier ones, such as the start of a tool call or a request
    /// that waits. To render them takes about 0.1 s.
    private static let contextCount: Int64 = 10_000

    var start: StreamStart {
        switch options.from {
        case .start: .after(0)
        case .now: .now
        case .number where isPlain, .last where isPlain: .after(filter.firstSeq - 1)
        // A timeline also numbers entries that are not updates, so an update's number on it is not lower. Updates before N are
        // left out during printing.
        case .number, .last: .after(max(0, min(filter.firstSeq - 1, session.updateCount) - Self.contextCount))
        }
    }

    private var printer: any AttachPrinter {
        if options.pretty {
            return PrettyPrinter(
                filter: filter, hasColour: Console.hasColour(STDOUT_FILENO),
                isOwnBridge: options.connection.url == nil, label: label)
        }
        if options.format == .flat {
            return FlatPrinter(
                filter: filter, session: session.id, agent: session.agent,
                isOwnBridge: options.connection.url == nil)
        }
        if options.envelope || options.all {
            let source = EnvelopeLine.Source(
                session: session.id, agent: session.agent, journal: session.journal.isEmpty ? nil : session.journal,
                bridge: session.bridge)
            return EntryPrinter(filter: filter, form: .envelope(options.hasSeveral ? source : nil))
        }
        return isPlain ? LinePrinter(filter: filter) : EntryPrinter(filter: filter, form: .agentLine)
    }
}
