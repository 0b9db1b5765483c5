import ACPRouting
import JSONScan

/// The state of an agent that clients need when they join later: its answer to `initialize`, and the modes and options
/// of its sessions. Pure.
struct AgentSetups {
    /// The agent's answer to `initialize`. Nil if it was longer than ``SessionSetup/limitBytes``.
    private(set) var initializeResult: [UInt8]?
    /// The setups by session id.
    private(set) var bySession: [String: SessionSetup]
    /// The size of all setups.
    private var byteCount: Int

    /// 32 MiB for the setups of one agent: an agent can name any number of sessions. Above it, a setup is kept without the
    /// agent's texts. A report that does not fit is dropped, and so is the earlier one that it replaces.
    static let limitBytes = 32 << 20

    init(initializeResult: [UInt8]? = nil, bySession: [String: SessionSetup] = [:]) {
        self.initializeResult = initializeResult
        self.bySession = bySession
        byteCount = bySession.reduce(0) { $0 + Self.byteCount($1.key, $1.value) }
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
        if let earlier = bySession[session] { setup.adoptReports(of: earlier) }
        remove(session)
        keep(hasRoom(for: setup, in: session) ? setup : SessionSetup(), in: session)
    }

    mutating func set(commands: [UInt8], in session: String) { change(session) { $0.set(commands: commands) } }

    mutating func set(state: [UInt8], in session: String) { change(session) { $0.update(state: state) } }

    mutating func select(mode: String?, in session: String) {
        if bySession[session] != nil { change(session) { $0.select(mode: mode) } }
    }

    mutating func set(options: [UInt8], in session: String) { change(session) { $0.set(options: options) } }

    private mutating func change(_ session: String, _ body: (inout SessionSetup) -> Void) {
        let earlier = remove(session)
        var setup = earlier ?? SessionSetup()
        body(&setup)
        if hasRoom(for: setup, in: session) || setup.byteCount <= earlier?.byteCount ?? 0 {
            return keep(setup, in: session)
        }
        // The earlier text would be wrong by now.
        if let earlier { keep(setup.withoutNewTexts(since: earlier), in: session) }
    }

    private func hasRoom(for setup: SessionSetup, in session: String) -> Bool {
        byteCount + Self.byteCount(session, setup) <= Self.limitBytes
    }

    private mutating func keep(_ setup: SessionSetup, in session: String) {
        bySession[session] = setup
        byteCount += Self.byteCount(session, setup)
    }

    @discardableResult
    mutating func remove(_ session: String) -> SessionSetup? {
        guard let setup = bySession.removeValue(forKey: session) else { return nil }
        byteCount -= Self.byteCount(session, setup)
        return setup
    }

    private static func byteCount(_ session: String, _ setup: SessionSetup) -> Int {
        MemoryLayout<SessionSetup>.stride + session.utf8.count + setup.byteCount
    }
}
