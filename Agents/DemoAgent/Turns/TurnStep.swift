import DemoPrompts

/// One step of a turn. A turn's list of steps is created before it starts.
enum TurnStep: Equatable {
    case sessionInfo(title: String?)
    /// The whole plan. `completed` entries are complete, and the next one is in progress.
    case plan(completed: Int)
    case thoughts(TextStream.Rest)
    case message(TextStream.Rest)
    case begin(Tool)
    case run(Tool)
    case finish(Tool)
    case askPermission
    case readFile, writeFile
    case createTerminal, showTerminal, waitForTerminal, readTerminal, releaseTerminal
    /// Child sessions and elicitations.
    case extras
    case usage
    case end(TurnEnd)
}

extension TurnStep {
    /// The script for a prompt.
    static func script(for options: TurnOptions, prompt: String, in setting: TurnSetting) -> [TurnStep] {
        switch options.command {
        case .fail(let message), .error(let message):
            return [.end(.failed(code: -32603, message: message.isEmpty ? "Failed as requested" : message))]
        case .refuse: return [.end(.stopped("refusal"))]
        case .echo(let text): return [.message(.text(text[...])), .end(.stopped("end_turn"))]
        case .help: return [.message(.text(PromptHelp.answer[...])), .end(.stopped("end_turn"))]
        case nil: return work(options, prompt, setting)
        }
    }

    private static func work(_ options: TurnOptions, _ prompt: String, _ setting: TurnSetting) -> [TurnStep] {
        var steps: [TurnStep] = []
        let tools = TurnParts.tools(of: options)
        if options.parts.contains(.title) {
            steps.append(.sessionInfo(title: setting.turn == 1 ? TurnParts.title(of: prompt) : nil))
        }
        if options.parts.contains(.plan) { steps.append(.plan(completed: 0)) }
        if options.thoughtCount != nil || options.parts.contains(.thoughts) && setting.thinks {
            let length = options.thoughtCount.map { TextStream.Rest.chunks($0, sizeBytes: nil) }
            steps.append(.thoughts(length ?? .passage(minimumChunks: 6)))
        }
        for (index, tool) in tools.enumerated() {
            let asks = !setting.neverAsks && (options.asksPermission ?? setting.asksPermission)
            steps += self.steps(of: tool, asksPermission: asks, setting)
            if options.parts.contains(.plan) { steps.append(.plan(completed: index + 1)) }
        }
        if !TurnPlan.extras(setting, options, [""], pace: .zero).isEmpty { steps.append(.extras) }
        steps.append(.message(TurnParts.answerLength(options)))
        if options.parts.contains(.plan) { steps.append(.plan(completed: tools.count + 1)) }
        if options.parts.contains(.usage) { steps.append(.usage) }
        return steps + [.end(.stopped("end_turn"))]
    }

    private static func steps(of tool: Tool, asksPermission: Bool, _ setting: TurnSetting) -> [TurnStep] {
        switch tool {
        case .read: [.begin(.read), .run(.read), .readFile, .finish(.read)]
        case .edit:
            [.begin(.edit)] + (asksPermission && !setting.rejectsEdits ? [.askPermission] : [])
                + [.run(.edit), .writeFile, .finish(.edit)]
        case .execute:
            [.begin(.execute), .run(.execute)]
                + (setting.hasTerminal
                    ? [.createTerminal, .showTerminal, .waitForTerminal, .readTerminal, .releaseTerminal] : [])
                + [.finish(.execute)]
        }
    }
}
