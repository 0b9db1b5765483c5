import DemoPrompts
import JSONScan

/// The steps of a child session, and of the parent that starts it.
struct ChildPlan {
    let parentID: String
    let sessionID: String
    let number: Int
    let setting: TurnSetting
    let options: TurnOptions
    let subjects: [String]
    var isNested = false

    /// Announces the child on the parent's stream before the child sends anything.
    func launch(_ role: Activity.Role, pace: Duration) -> [Step] {
        let title = "Explorer \(number): \(subjects[(number - 1) % subjects.count])"
        let prose = Prose(prompt: subjects.joined(separator: " "), turn: number, seed: setting.seed)
        let script = Script(sessionID: sessionID, pace: pace, version: setting.version, prose: prose, work(pace))
        return [
            .update(SubagentUpdate.announcement(of: sessionID, title: title)),
            .perform(.launch(Launch(script: script, role: role))),
        ]
    }

    private func work(_ pace: Duration) -> [Step] {
        let mail = SubagentUpdate.message(
            id: "mail_\(prefix)", from: parentID, to: sessionID, "Please look into \(subjects[0]).")
        var steps: [Step] = [.state(.running), .update(mail), .pause(paces: 4)]
        steps.append(.stream(.message, messageID: "agent_\(prefix)_1", .words(12)))
        if options.parts.contains(.edit) { steps += tools(pace).edit() }
        if isNested { steps += grandchild(pace) }
        return steps + [.state(.idle(.stopped("end_turn")))]
    }

    /// A child asks only if the prompt requests it.
    private func tools(_ pace: Duration) -> ToolPlan {
        ToolPlan(
            sessionID: sessionID, cwd: setting.cwd, version: setting.version, prefix: prefix, subjects: subjects,
            asksForEdits: options.asksPermission == true && !setting.neverAsks, extras: options.extras, pace: pace)
    }

    private func grandchild(_ pace: Duration) -> [Step] {
        let child = ChildPlan(
            parentID: sessionID, sessionID: "\(sessionID).a", number: 1, setting: setting, options: options,
            subjects: subjects)
        return child.launch(.child, pace: pace) + [.perform(.join)]
    }

    /// The part of the child's id after the id of its root.
    private var prefix: String { String(sessionID.dropFirst(setting.sessionID.count + 1)) }
}
