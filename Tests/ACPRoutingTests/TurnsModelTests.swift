import JSONRPC
import JSONScan
import Testing

@testable import ACPRouting

/// Random interleavings of turns, prompts, background work, children and permission requests, against a model of the
/// agent. A failure prints its seed.
@Suite struct TurnsModelTests {
    @Test func theRouterAgreesWithAModelOfTheAgent() throws {
        for seed in 0..<UInt64(100) {
            var model = try TurnsModel(seed: seed)
            for _ in 0..<150 where model.faults.isEmpty { try model.step() }
            try model.finish()
            #expect(model.faults == [], "seed \(seed)")
        }
    }
}

/// SplitMix64, so that a seed gives the same run everywhere.
struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

private struct TurnsModel {
    /// One line that the agent writes next in a session.
    private enum Line {
        case running, requiresAction, unknown
        /// The idle that ends a turn.
        case idle
        /// An idle in an idle session.
        case snapshot
        case echo(String)
        /// The answer to a prompt, by its id.
        case inserted(String, message: String)
        case rejected(String)
        case listBackground, endBackground, ask, withdraw
    }

    private struct Session {
        var state = "idle"
        /// The number of the running turn.
        var turn: Int?
        /// The prompts that the agent has received and not answered, in order.
        var received: [String] = []
        /// The bridge's prompts, sent or queued, before the end of their turns.
        var bridgePrompts = 0
        /// Messages before the start of their turns.
        var waiting: [String] = []
        var background: Set<String> = []
        var script: [Line] = []

        var isActive: Bool { state == "running" || state == "requires_action" }
    }

    private(set) var faults: [String] = []
    private var rig: RouterRig
    private var random: Generator
    /// Two roots; the others are children of "a", announced from the beginning.
    private var sessions: [String: Session] = ["a": .init(), "a.x": .init(), "a.x.y": .init(), "b": .init()]
    private var count = 0
    /// The bridge's own prompts that the agent has, by the prompt's id.
    private var sent: [String: Int] = [:]
    private var promptSessions: [Int: String] = [:]
    /// The answer that each of the bridge's prompts must get, if it is known.
    private var expected: [Int: String] = [:]
    private var answers: [Int: String] = [:]
    /// The turn of each message.
    private var turns: [String: Int] = [:]
    private var pending: [(id: Int, session: String)] = []

    init(seed: UInt64) throws {
        rig = try RouterRig(version: 2)
        random = Generator(state: seed)
        try rig.update("a", #""sessionUpdate":"subagent_update","sessionId":"a.x""#)
        try rig.update("a.x", #""sessionUpdate":"subagent_update","sessionId":"a.x.y""#)
    }

    private mutating func number() -> Int {
        count += 1
        return count
    }

    // MARK: Steps

    mutating func step() throws {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: try promptByBridge(Bool.random(using: &random) ? "a" : "b")
        case 1: promptByEditor(Bool.random(using: &random) ? "a" : "b")
        case 2: answerPermission()
        default: try writeNext(in: sessions.keys.sorted().randomElement(using: &random) ?? "a")
        }
        compare()
    }

    /// Ends all work of the agent. Then nothing must keep it.
    mutating func finish() throws {
        for _ in 0..<100 {
            for id in sessions.keys.sorted() {
                while sessions[id]?.script.isEmpty == false { try writeNext(in: id) }
                try write(sessions[id]?.turn == nil ? .snapshot : .idle, in: id)
                guard let prompt = sessions[id]?.received.first else { continue }
                let script = insertion(of: prompt)
                sessions[id]?.script = script
            }
        }
        while !pending.isEmpty { answerPermission() }
        for id in sessions.keys.sorted() {
            while sessions[id]?.background.isEmpty == false { try write(.endBackground, in: id) }
        }
        compare()
        if rig.router.hasRunningTurn || rig.router.hasRestingWork { faults.append("an idle agent is kept") }
        if answers != expected { faults.append("answers \(answers) instead of \(expected)") }
        if answers.count != promptSessions.count { faults.append("prompts without an answer") }
    }

    private mutating func promptByBridge(_ id: String) throws {
        let number = number()
        promptSessions[number] = id
        sessions[id]?.bridgePrompts += 1
        take(try rig.promptEvents(number, id))
    }

    /// The editor's prompts reach the agent at once.
    private mutating func promptByEditor(_ id: String) {
        let request = "e\(number())"
        rig.editor(#"{"id":"\#(request)","method":"session/prompt","params":{"sessionId":"\#(id)","prompt":[]}}"#)
        sessions[id]?.received.append(request)
    }

    private mutating func answerPermission() {
        guard let index = pending.indices.randomElement(using: &random) else { return }
        let id = pending.remove(at: index).id
        take(rig.editor(#"{"id":\#(id),"result":{"outcome":{"outcome":"cancelled"}}}"#))
    }

    // MARK: The agent

    private mutating func writeNext(in id: String) throws {
        if let session = sessions[id], session.script.isEmpty {
            let script = script(for: session)
            sessions[id]?.script = script
        }
        guard let line = sessions[id]?.script.first else { return }
        sessions[id]?.script.removeFirst()
        try write(line, in: id)
    }

    private mutating func script(for session: Session) -> [Line] {
        if let prompt = session.received.first, Bool.random(using: &random) {
            if session.turn == nil { return insertion(of: prompt) }
            let message = "m\(number())"
            return [.echo(message), .inserted(prompt, message: message)]
        }
        let common: [Line] = [.listBackground, .endBackground, .ask, .withdraw]
        let own: [Line] =
            session.turn == nil
            ? [.running, .requiresAction, .unknown, .snapshot] : [.running, .requiresAction, .unknown, .idle, .idle]
        return (common + own).randomElement(using: &random).map { [$0] } ?? []
    }

    /// The lines by which agents add a prompt to the conversation. Their order differs.
    private mutating func insertion(of prompt: String) -> [Line] {
        let message = "m\(number())"
        let inserted = Line.inserted(prompt, message: message)
        let orders: [[Line]] = [
            [.echo(message), .running, inserted], [inserted, .echo(message), .running],
            [.running, .echo(message), inserted], [.running, inserted, .echo(message)],
            [.echo(message), inserted, .snapshot, .running], [.echo(message), .running, .idle, inserted],
            [.rejected(prompt)],
        ]
        return orders.randomElement(using: &random) ?? []
    }

    private mutating func write(_ line: Line, in id: String) throws {
        switch line {
        case .running: try report("running", in: id)
        case .requiresAction: try report("requires_action", in: id)
        case .unknown: try report("unknown", in: id)
        case .snapshot: try report("idle", in: id)
        case .idle: try endTurn(in: id)
        case .echo(let message):
            if let turn = sessions[id]?.turn { turns[message] = turn } else { sessions[id]?.waiting.append(message) }
            take(try rig.update(id, #""sessionUpdate":"user_message","messageId":"\#(message)""#))
        case .inserted(let prompt, let message):
            sessions[id]?.received.removeAll { $0 == prompt }
            if let number = sent[prompt] { inserted[number] = message }
            take(try rig.agent(#"{"id":"\#(prompt)","result":{"messageId":"\#(message)"}}"#))
        case .rejected(let prompt):
            sessions[id]?.received.removeAll { $0 == prompt }
            let error = #"{"code":-32603,"message":"no"}"#
            if let number = sent[prompt] { expected[number] = error }
            take(try rig.agent(#"{"id":"\#(prompt)","error":\#(error)}"#))
        case .listBackground: try listBackground(in: id)
        case .endBackground:
            guard let item = sessions[id]?.background.sorted().first else { return }
            sessions[id]?.background.remove(item)
            take(try rig.update(id, #""sessionUpdate":"terminal_update","terminalId":"\#(item)","exitStatus":{}"#))
        case .ask:
            pending.append((number(), id))
            take(
                try rig.agent(
                    #"{"id":\#(count),"method":"session/request_permission","params":{"sessionId":"\#(id)","title":"?","options":[]}}"#
                ))
        case .withdraw:
            guard let index = pending.indices.randomElement(using: &random) else { return }
            let request = pending.remove(at: index).id
            take(try rig.agent(#"{"method":"$/cancel_request","params":{"requestId":\#(request)}}"#))
            take(rig.editor(#"{"id":\#(request),"result":{"outcome":{"outcome":"cancelled"}}}"#))
        }
    }

    /// The message of each of the bridge's prompts that was inserted.
    private var inserted: [Int: String] = [:]

    private mutating func report(_ state: String, in id: String) throws {
        sessions[id]?.state = state
        if state == "running" || state == "requires_action", sessions[id]?.turn == nil {
            let turn = number()
            sessions[id]?.turn = turn
            for message in sessions[id]?.waiting ?? [] { turns[message] = turn }
            sessions[id]?.waiting = []
        }
        take(try rig.state(id, state))
    }

    private mutating func endTurn(in id: String) throws {
        let turn = sessions[id]?.turn ?? 0
        sessions[id]?.turn = nil
        sessions[id]?.state = "idle"
        take(try rig.state(id, "idle", #","stopReason":"r\#(turn)""#))
    }

    private mutating func listBackground(in id: String) throws {
        let items = (0..<Int.random(in: 0...2, using: &random)).map { "t\($0)" }
        sessions[id]?.background = Set(items)
        let list = items.map { #"{"type":"terminal","terminalId":"\#($0)"}"# }.joined(separator: ",")
        take(try rig.state(id, sessions[id]?.state ?? "idle", #","background":[\#(list)]"#))
    }

    // MARK: The bridge

    /// Records the prompts that the bridge sends, and its answers.
    private mutating func take(_ events: [RequestRouter.Event]) {
        for line in events.toAgent {
            guard let message = try? JSONValue(validating: Array(line.utf8)), let id = message["id"]?.stringValue,
                let number = message["params"]?["number"]?.int64Value.map({ Int($0) }),
                let session = promptSessions[number]
            else {
                faults.append("the agent got \(line)")
                continue
            }
            if sessions[session]?.turn != nil || sessions[session]?.received.isEmpty == false {
                faults.append("the prompt \(number) was sent to \(session) during a turn")
            }
            sent[id] = number
            sessions[session]?.received.append(id)
        }
        for (number, answer) in events.answers {
            if answers.updateValue(answer, forKey: number) != nil { faults.append("two answers to \(number)") }
            if let session = promptSessions[number] { sessions[session]?.bridgePrompts -= 1 }
            guard let message = inserted[number] else { continue }
            expected[number] = #"{"messageId":"\#(message)","stopReason":"r\#(turns[message] ?? 0)"}"#
        }
    }

    private mutating func compare() {
        let router = rig.router
        let isWorking =
            !pending.isEmpty || sessions.values.contains { $0.isActive || !$0.received.isEmpty }
            || router.turns.isAnyQueued
        if router.hasRunningTurn != isWorking { faults.append("working: \(router.hasRunningTurn)") }
        for (id, session) in sessions {
            let activity = router.activity(of: id)
            if activity.isInTurn != (session.turn != nil) { faults.append("\(id): turn \(activity.isInTurn)") }
            if activity.backgroundCount != session.background.count { faults.append("\(id): background") }
            if !session.isActive, session.state != "idle" || !session.background.isEmpty, !router.hasRestingWork {
                faults.append("\(id): its background work does not keep the agent")
            }
            let isBusy = session.isActive || !session.background.isEmpty
            if isBusy, !router.activity(of: String(id.prefix(1))).isBusy {
                faults.append("\(id): its root is not busy")
            }
        }
        if router.pendingPermissions.count != pending.count { faults.append("pending permissions") }
    }
}
