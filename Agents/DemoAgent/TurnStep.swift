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
    case usage
    case end(TurnEnd)
}

/// The three tools of the demo agent, in the order in which a turn uses them.
enum Tool: String, CaseIterable {
    case read, edit, execute
}

/// The way in which a prompt is answered.
enum TurnEnd: Equatable {
    /// With a `StopReason` of ACP: `end_turn`, `refusal`, `cancelled`.
    case stopped(String)
    /// With an error instead of a result.
    case failed(code: Int, message: String)
}

/// The inputs of a turn's script, in addition to the prompt.
struct TurnSetting: Equatable {
    var sessionID: String
    var cwd: String
    /// The number of the turn, from 1.
    var turn: Int
    var pace: Duration
    /// The client declared both `fs.readTextFile` and `fs.writeTextFile`.
    var canUseFiles: Bool
    var hasTerminal: Bool
    /// The default from the mode and stored answers; the prompt can override it.
    var asksPermission: Bool
    /// True in mode `yolo`, in which the prompt cannot request permission.
    var neverAsks = false
    /// True after an earlier `reject_always`.
    var rejectsEdits = false
    var thinks = true
    var usedTokens = 0
    /// The time at which the turn began, in ISO 8601.
    var startedAt = ""
}

extension TurnStep {
    /// The script for a prompt.
    static func script(for options: PromptOptions, prompt: String, in setting: TurnSetting) -> [TurnStep] {
        switch options.command {
        case .fail(let message):
            return [.end(.failed(code: -32603, message: message.isEmpty ? "Failed as requested" : message))]
        case .refuse: return [.end(.stopped("refusal"))]
        case .echo(let text): return [.message(.text(text[...])), .end(.stopped("end_turn"))]
        case .help: return [.message(.text(helpText[...])), .end(.stopped("end_turn"))]
        case nil: return work(options, prompt, setting)
        }
    }

    private static func work(_ options: PromptOptions, _ prompt: String, _ setting: TurnSetting) -> [TurnStep] {
        var steps: [TurnStep] = []
        let tools = tools(of: options)
        if options.parts.contains(.title) {
            steps.append(.sessionInfo(title: setting.turn == 1 ? title(of: prompt) : nil))
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
        steps.append(.message(answerLength(options)))
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

    static func tools(of options: PromptOptions) -> [Tool] {
        Tool.allCases.filter { tool in
            switch tool {
            case .read: options.parts.contains(.read)
            case .edit: options.parts.contains(.edit)
            case .execute: options.parts.contains(.execute)
            }
        }
    }

    private static func answerLength(_ options: PromptOptions) -> TextStream.Rest {
        if let count = options.chunkCount { return .chunks(count, sizeBytes: options.chunkSizeBytes) }
        if let count = options.wordCount { return .words(count) }
        if let sizeBytes = options.chunkSizeBytes { return .chunks(50, sizeBytes: sizeBytes) }
        return .passage(minimumChunks: 50)
    }

    /// The prompt's first line, at most 60 characters of it.
    private static func title(of prompt: String) -> String {
        let line = prompt.split(whereSeparator: \.isNewline).first ?? "Untitled"
        return line.count <= 60 ? String(line) : line.prefix(59) + "…"
    }

    private static let helpText = """
        I am a demo agent without model, network or key. My answers consist of words of your prompt. The prompt also \
        sets options: "500 chunks", "200 words", "size=300", "20 thoughts", "20 ms apart" or "pace=0", \
        "no permission" or "ask permission", "no plan", "no thoughts", "no tools", "no reading", "no edits", \
        "no commands", "quiet", "flush=each". Commands: /help, /echo TEXT, /fail TEXT, /refuse.
        """
}
