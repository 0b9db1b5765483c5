import ACPRouting
import JSONScan

/// The state of an agent that clients need when they join later: its answer to `initialize`, and the modes and options
/// of its sessions. Pure.
struct AgentSetups {
    /// The agent's answer to `initialize`. Nil if it was longer than ``SessionSetup/limitBytes``.
    private(set) var initializeResult: [UInt8]?
    /// The setups by session id.
    private(set) var bySession: [String: SessionSetup]

    init(initializeResult: [UInt8]? = nil, bySession: [String: SessionSetup] = [:]) {
        self.initializeResult = initializeResult
        self.bySession = bySession
    }

    /// A change that an update makes to its session.
    enum Change: Equatable {
        /// An empty title removes the agent's title.
        case title(String)
        case mode(String?)
        /// All options, as the agent wrote them.
        case options([UInt8])
        /// All commands, as the agent wrote them.
        case commands([UInt8])
        /// The update itself, without its usage.
        case state([UInt8])
        case usage(UsageUpdate)
    }

    /// Returns the change that an update makes. Nearly all updates make none.
    static func change(by line: Span<UInt8>, _ envelope: Envelope) -> Change? {
        guard let range = envelope.updateKind else { return nil }
        let kind = line.extracting(range)
        return mayChange(kind) ? change(by: line, envelope, kind) : nil
    }

    /// True for the kinds of a change and few others: their lengths and first letters exclude nearly all updates without a
    /// look at the names, which would cost each update more.
    private static func mayChange(_ kind: Span<UInt8>) -> Bool {
        switch kind.count {
        case 14: kind[1] == UInt8(ascii: "s") || kind[1] == UInt8(ascii: "u")
        case 21: kind[1] == UInt8(ascii: "s") || kind[1] == UInt8(ascii: "c")
        case 22: kind[1] == UInt8(ascii: "c")
        case 27: kind[1] == UInt8(ascii: "a")
        default: false
        }
    }

    private static func change(by line: Span<UInt8>, _ envelope: Envelope, _ kind: Span<UInt8>) -> Change? {
        if kind.isEqual(to: UpdateKind.title) {
            guard let title = RequestRouter.value(line, envelope.update)?["title"] else { return nil }
            // Only in this update does null differ from a missing member: null removes the title.
            return (title.isNull ? "" : title.stringValue).map(Change.title)
        }
        if kind.isEqual(to: UpdateKind.mode) {
            return .mode(RequestRouter.value(line, envelope.update)?["currentModeId"]?.stringValue)
        }
        if kind.isEqual(to: UpdateKind.options) {
            let options = RequestRouter.value(line, envelope.update)?["configOptions"]
            return options.map { .options(Array($0.rawText)) }
        }
        if kind.isEqual(to: UpdateKind.commands) {
            let commands = RequestRouter.value(line, envelope.update)?["availableCommands"]
            return commands.map { .commands(Array($0.rawText)) }
        }
        if kind.isEqual(to: UpdateKind.state) {
            return RequestRouter.value(line, envelope.update).map { .state(withoutUsage($0)) }
        }
        if kind.isEqual(to: UpdateKind.usage) {
            return RequestRouter.value(line, envelope.update).map { .usage(UsageUpdate($0)) }
        }
        return nil
    }

    private static func withoutUsage(_ update: JSONValue) -> [UInt8] {
        JSONWriter.object { writer in
            for (name, value) in update.members where name != "usage" { writer.member(name, raw: value.rawText) }
        }
    }

    mutating func initialized(_ result: [UInt8]) {
        initializeResult = result.count <= SessionSetup.limitBytes ? result : nil
    }

    /// Keeps what the agent has reported before the answer that opens the session.
    mutating func setUp(_ session: String, _ result: [UInt8]) {
        var setup = SessionSetup(result: result)
        if let earlier = bySession[session] { setup.takeReports(from: earlier) }
        bySession[session] = setup
    }

    mutating func set(commands: [UInt8], in session: String) { change(session) { $0.take(commands: commands) } }

    mutating func set(state: [UInt8], in session: String) { change(session) { $0.take(state: state) } }

    mutating func select(mode: String?, in session: String) { bySession[session]?.select(mode: mode) }

    mutating func set(options: [UInt8], in session: String) { change(session) { $0.set(options: options) } }

    private mutating func change(_ session: String, _ body: (inout SessionSetup) -> Void) {
        body(&bySession[session, default: SessionSetup(result: Array("{}".utf8))])
    }

    mutating func remove(_ session: String) { bySession[session] = nil }
}
