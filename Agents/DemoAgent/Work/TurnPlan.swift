import DemoPrompts
import JSONScan

/// The script of a turn of version 2.
struct TurnPlan {
    let prompt: String
    let options: TurnOptions
    let setting: TurnSetting
    private let subjects: [String]

    init(prompt: String, options: TurnOptions, setting: TurnSetting) {
        self.prompt = prompt
        self.options = options
        self.setting = setting
        subjects = Prose.subjects(of: prompt, limit: 4)
    }

    var pace: Duration { options.pace ?? setting.pace }

    /// The script of the turn. It begins after `running` and ends with `idle`.
    func script() -> Script {
        var script = Script(
            sessionID: setting.sessionID, pace: pace, version: .two,
            prose: Prose(prompt: prompt, turn: setting.turn, seed: setting.seed), steps())
        script.usedTokens = setting.usedTokens
        script.flushesEachLine = options.flushesEachLine
        return script
    }

    private func steps() -> [Step] {
        switch options.command {
        case .error(let message), .fail(let message):
            return ended(.failed(code: -32603, message: message.isEmpty ? "Failed as requested" : message))
        case .refuse: return ended(.stopped("refusal"))
        case .echo(let text): return [answer(.text(text[...]))] + ended(.stopped("end_turn"))
        case .help: return [answer(.text(PromptHelp.answer[...]))] + ended(.stopped("end_turn"))
        case nil: return work() + timers() + ended(.stopped("end_turn"))
        }
    }

    private func ended(_ end: TurnEnd) -> [Step] { [.state(.idle(end))] }

    private func answer(_ length: TextStream.Rest) -> Step {
        .stream(.message, messageID: "agent_\(setting.turn)_answer", length)
    }

    private func work() -> [Step] {
        let tools = TurnParts.tools(of: options)
        var steps: [Step] = []
        if options.parts.contains(.title) { steps.append(.update(info)) }
        if options.parts.contains(.plan) { steps.append(plan(tools, completed: 0)) }
        steps += thoughts() + oddities()
        for (index, tool) in tools.enumerated() {
            steps += self.steps(of: tool)
            if options.parts.contains(.plan) { steps.append(plan(tools, completed: index + 1)) }
        }
        steps += Self.extras(setting, options, subjects, pace: pace)
        steps += BackgroundPlan(setting: setting, options: options, subjects: subjects).launches(pace: pace)
        steps.append(answer(TurnParts.answerLength(options)))
        if options.parts.contains(.plan) { steps.append(plan(tools, completed: tools.count + 1)) }
        return options.parts.contains(.usage) ? steps + [.usage] : steps
    }

    private func thoughts() -> [Step] {
        guard options.thoughtCount != nil || options.parts.contains(.thoughts) && setting.thinks else { return [] }
        let length = options.thoughtCount.map { TextStream.Rest.chunks($0, sizeBytes: nil) }
        // Ids are unique per kind of entity only, so a thought and a message can share one.
        return [.stream(.thought, messageID: "agent_\(setting.turn)_answer", length ?? .passage(minimumChunks: 6))]
    }

    private func steps(of tool: Tool) -> [Step] {
        switch tool {
        case .read: toolPlan.read()
        case .edit: toolPlan.edit()
        case .execute: toolPlan.execute()
        }
    }

    private var toolPlan: ToolPlan {
        ToolPlan(
            sessionID: setting.sessionID, cwd: setting.cwd, version: .two, prefix: "\(setting.turn)",
            subjects: subjects, asksForCommands: options.asksPermission == true && !setting.neverAsks,
            asksForEdits: !setting.neverAsks && (options.asksPermission ?? setting.asksPermission),
            rejectsEdits: setting.rejectsEdits, extras: options.extras, pace: pace)
    }

    private var info: [UInt8] {
        SessionUpdate.sessionInfo(
            title: setting.turn == 1 ? TurnParts.title(of: prompt) : nil, updatedAt: setting.startedAt)
    }

    private func plan(_ tools: [Tool], completed: Int) -> Step {
        let titles = tools.map { toolPlan.title(of: $0) } + ["Answer"]
        return .update(SessionUpdate.planItems(id: "plan_\(setting.turn)", titles, completed: completed))
    }
}

// MARK: Beyond text and tools

extension TurnPlan {
    /// Child sessions and elicitations, which version 1 has as well.
    static func extras(
        _ setting: TurnSetting, _ options: TurnOptions, _ subjects: [String], pace: Duration
    ) -> [Step] {
        var steps: [Step] = []
        for (index, mode) in options.extras.elicitations.enumerated() where setting.elicitations.contains(mode) {
            let id = "\(setting.turn)_elicitation_\(index + 1)"
            steps += Elicitation.steps(mode, in: setting.sessionID, id: id, messageID: "agent_\(id)")
        }
        guard setting.hasSubagents, options.extras.subagentCount > 0 else { return steps }
        for number in 1...options.extras.subagentCount {
            let plan = ChildPlan(
                parentID: setting.sessionID, sessionID: childID(number, of: setting), number: number,
                setting: setting, options: options, subjects: subjects, isNested: options.extras.isNested)
            steps += plan.launch(.child, pace: pace)
        }
        return steps + [.perform(.join)]
    }

    /// `S1.1a` is the first child of turn 1 of session `S1`.
    private static func childID(_ number: Int, of setting: TurnSetting) -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz")
        return "\(setting.sessionID).\(setting.turn)\(letters[(number - 1) % letters.count])"
    }

    private func oddities() -> [Step] {
        options.extras.oddities.flatMap { oddity -> [Step] in
            switch oddity {
            case .unknownState: [.state(.unknown), .pause(paces: 8), .state(.running)]
            case .customState: [.state(.custom("_demo_waiting")), .pause(paces: 8), .state(.running)]
            case .customUpdate: [.update(SessionUpdate.object("_demo_update") { $0.member("turn", setting.turn) })]
            case .notice:
                [.perform(.liveUpdate(SessionUpdate.notice("The demo agent has nothing to warn about")))]
            }
        }
    }

    /// The launches of repeated states and of a turn that the agent begins.
    private func timers() -> [Step] {
        var steps: [Step] = []
        if options.extras.snapshotCount > 0 {
            let interval = max(pace, .milliseconds(10)) * 10
            let snapshots = (1...options.extras.snapshotCount).flatMap { _ -> [Step] in
                [.wait(interval), .perform(.snapshot)]
            }
            steps.append(timer(snapshots))
        }
        if let delay = options.extras.wakesAfter {
            steps.append(timer([.wait(delay), .perform(.ownTurn(text: subjects.joined(separator: " ")))]))
        }
        return steps
    }

    /// The clock of a timer begins here, at the end of the turn.
    private func timer(_ steps: [Step]) -> Step {
        let script = Script(
            sessionID: setting.sessionID, pace: pace, version: .two, prose: Prose(prompt: "", turn: 0), steps)
        return .perform(.launch(Launch(script: script, role: .timer, firstActions: 0)))
    }
}
