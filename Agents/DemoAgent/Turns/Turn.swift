import DemoPrompts
import JSONRPC
import JSONScan

/// A running prompt of version 1: a script of steps and their results so far. It has no clock and no I/O.
///
/// Its owner calls `next()` repeatedly until the action is `.end`. After `.pause`, the owner waits first. After
/// `.ask`, the owner passes the response to `answered(_:)` first.
struct Turn {
    enum Action {
        /// Send this `update` object in a `session/update`.
        case update([UInt8])
        /// Send a chunk.
        case text(TextStream.Kind, messageID: String, String)
        /// Send a request with these params to the client, and wait for the response.
        case ask(method: String, params: [UInt8])
        /// Send a request and ignore its response.
        case send(method: String, params: [UInt8])
        case pause(Duration)
        /// Run this script beside the turn, and wait until it has ended.
        case run(Script)
        /// Answer the prompt. The last action.
        case end(TurnEnd)
    }

    let setting: TurnSetting
    let options: TurnOptions
    /// A permanent answer of the user, which the session stores: true for `allow_always`, false for
    /// `reject_always`.
    var rememberedPermission: Bool?
    var tools: ToolState

    private var script: ArraySlice<TurnStep>
    private var stream: TextStream?
    private var prose: Prose
    private var pending: Duration?
    private var asked: TurnStep?
    private var messageCount = 0
    private var textBytes = 0

    init(prompt: String, setting: TurnSetting) {
        self.setting = setting
        options = TurnOptions.parse(prompt)
        script = TurnStep.script(for: options, prompt: prompt, in: setting)[...]
        prose = Prose(prompt: prompt, turn: setting.turn, seed: setting.seed)
        tools = ToolState(setting: setting, subjects: Prose.subjects(of: prompt, limit: 4))
    }

    var pace: Duration { options.pace ?? setting.pace }

    /// Estimated at four bytes per token.
    var usedTokens: Int { setting.usedTokens + textBytes / 4 }

    mutating func next() -> Action {
        if let pause = pending {
            pending = nil
            return .pause(pause)
        }
        while true {
            if let chunk = nextChunk() { return chunk }
            guard let step = script.popFirst() else { return .end(.stopped("end_turn")) }
            if let action = perform(step) { return action }
        }
    }

    /// The time after which the agent withdraws the last `.ask`; nil if it does not.
    var withdrawsAfter: Duration? {
        guard options.extras.withdrawsPermissions, asked == .askPermission else { return nil }
        return pace > .zero ? pace * 10 : .milliseconds(100)
    }

    /// Handles the client's response to the last `.ask`.
    mutating func answered(_ outcome: Message.Outcome, isWithdrawn: Bool = false) {
        guard let step = asked else { return }
        asked = nil
        if isWithdrawn {
            tools.failure = "Withdrawn by the agent"
            return
        }
        switch tools.handle(outcome, for: step) {
        case .proceed: break
        case .remember(let isAllowed): rememberedPermission = isAllowed
        case .cancel: cancel(.stopped("cancelled"))
        }
    }

    /// Drops the remaining steps, closes the open tool call, and then answers the prompt with `end`.
    mutating func cancel(_ end: TurnEnd) {
        script = [.releaseTerminal, .end(end)]
        if let open = tools.open {
            tools.failure = "Cancelled"
            script.insert(.finish(open), at: 0)
        }
        stream = nil
        pending = nil
        asked = nil
        tools.isCancelled = true
    }

    private mutating func nextChunk() -> Action? {
        guard let text = stream?.next(from: &prose), let stream else {
            self.stream = nil
            return nil
        }
        textBytes += text.utf8.count
        pause(paces: 1)
        return .text(stream.kind, messageID: stream.messageID, text)
    }

    private mutating func perform(_ step: TurnStep) -> Action? {
        switch step {
        case .sessionInfo, .plan, .usage: return .update(update(for: step))
        case .thoughts(let length): return begin(.thought, length)
        case .message(let length): return begin(.message, length)
        case .begin(let tool): return .update(tools.begin(tool))
        case .run(let tool):
            guard tools.failure == nil else { return nil }
            pause(paces: 8)
            return .update(tools.run(tool))
        case .finish(let tool): return .update(tools.finish(tool))
        case .showTerminal: return tools.terminalUpdate().map(Action.update)
        case .askPermission, .readFile, .writeFile, .createTerminal, .waitForTerminal, .readTerminal, .releaseTerminal:
            return ask(step)
        case .extras: return .run(extras)
        case .end(let end): return .end(end)
        }
    }

    private var extras: Script {
        let steps = TurnPlan.extras(setting, options, tools.subjects, pace: pace)
        return Script(sessionID: setting.sessionID, pace: pace, version: .one, prose: prose, steps)
    }

    private mutating func ask(_ step: TurnStep) -> Action? {
        guard let (method, params) = tools.request(for: step) else { return nil }
        if tools.isCancelled { return .send(method: method, params: params) }
        asked = step
        return .ask(method: method, params: params)
    }

    private mutating func begin(_ kind: TextStream.Kind, _ length: TextStream.Rest) -> Action? {
        messageCount += 1
        prose.endSentence()
        stream = TextStream(kind: kind, messageID: "agent_\(setting.turn)_\(messageCount)", rest: length)
        return nil
    }

    private func update(for step: TurnStep) -> [UInt8] {
        switch step {
        case .sessionInfo(let title): SessionUpdate.sessionInfo(title: title, updatedAt: setting.startedAt)
        case .plan(let completed): SessionUpdate.plan(planEntries, completed: completed)
        default: SessionUpdate.usage(usedTokens: usedTokens)
        }
    }

    private var planEntries: [String] {
        TurnParts.tools(of: options).map { tools.title(of: $0) } + ["Answer"]
    }

    private mutating func pause(paces: Int) {
        if pace > .zero { pending = pace * paces }
    }
}
