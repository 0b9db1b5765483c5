import DemoPrompts

/// The steps of work that outlives its turn (ACP version 2).
struct BackgroundPlan {
    let setting: TurnSetting
    let options: TurnOptions
    let subjects: [String]

    /// The launches of all background work of the prompt.
    func launches(pace: Duration) -> [Step] {
        options.extras.background.enumerated().flatMap { index, kind -> [Step] in
            let prefix = "\(setting.turn)_b\(index + 1)"
            return switch kind {
            case .terminal: [launch(.terminal("term_\(prefix)"), terminal("term_\(prefix)"))]
            case .toolCall: [launch(.toolCall("call_\(prefix)"), call("call_\(prefix)"))]
            case .approval: [launch(.toolCall("call_\(prefix)"), approval("call_\(prefix)"))]
            case .subagent: child(index + 1, pace: pace)
            }
        }
    }

    /// Ten pieces of work, or endless pieces of one second.
    private func spread(_ piece: (Int) -> [Step]) -> [Step] {
        guard let length = options.extras.backgroundLength else { return [.repeating([.wait(.seconds(1))] + piece(1))] }
        return (1...10).flatMap { [.wait(length / 10)] + piece($0) }
    }

    private func terminal(_ id: String) -> [Step] {
        let begin = TerminalUpdate.begin(id, command: "make serve", cwd: setting.cwd)
        let lines = spread { [.perform(.output(terminalID: id, Array("request \($0) of \(subjects[0]) ✓\r\n".utf8)))] }
        return [.perform(.begin(.terminal(id), begin))] + lines
            + [.perform(.end(.terminal(id), TerminalUpdate.exited(id, code: 0)))]
    }

    /// A call that pauses halfway.
    private func call(_ id: String) -> [Step] {
        let call = ToolCallUpdate.Call(
            id: id, title: "Watch \(subjects[0])", name: "Watch", kind: "other", isCancellable: true)
        return [.perform(.begin(.toolCall(id, isCancellable: true), ToolCallUpdate.begin(call, version: .two)))]
            + spread { piece in
                piece == 1
                    ? status(id, "in_progress")
                    : piece == 5 ? status(id, "paused") : piece == 6 ? status(id, "in_progress") : []
            } + tools.ended(call, "completed", "Nothing has changed.")
    }

    private func status(_ id: String, _ status: String) -> [Step] { [.update(ToolCallUpdate.status(id, status))] }

    /// The session stays idle while the request is open.
    private func approval(_ id: String) -> [Step] {
        let call = ToolCallUpdate.Call(
            id: id, title: "Publish \(subjects[0])", name: "Publish", kind: "other", isCancellable: true)
        let question = Question.permission(
            in: setting.sessionID, version: .two, title: "Publish \(subjects[0])?", subject: .toolCall(call),
            withdrawsAfter: tools.withdrawal)
        return [
            .perform(.begin(.toolCall(id, isCancellable: true), ToolCallUpdate.begin(call, version: .two))),
            .wait((options.extras.backgroundLength ?? .seconds(1)) / 10),
            .ask(
                question, ifAccepted: tools.working(call) + tools.ended(call, "completed", "Published."),
                otherwise: tools.ended(call, "failed", "Not approved")),
        ]
    }

    private func child(_ number: Int, pace: Duration) -> [Step] {
        let id = "\(setting.sessionID).\(setting.turn)b\(number)"
        let plan = ChildPlan(
            parentID: setting.sessionID, sessionID: id, number: number, setting: setting, options: options,
            subjects: subjects)
        return plan.launch(.background(.subagent(id)), pace: max(pace, .milliseconds(10)))
    }

    private func launch(_ item: BackgroundItem, _ steps: [Step]) -> Step {
        let prose = Prose(prompt: subjects[0], turn: setting.turn, seed: setting.seed)
        let script = Script(
            sessionID: setting.sessionID, pace: options.pace ?? setting.pace, version: .two, prose: prose, steps)
        return .perform(.launch(Launch(script: script, role: .background(item))))
    }

    private var tools: ToolPlan {
        ToolPlan(
            sessionID: setting.sessionID, cwd: setting.cwd, version: .two, prefix: "\(setting.turn)",
            subjects: subjects, extras: options.extras, pace: options.pace ?? setting.pace)
    }
}
