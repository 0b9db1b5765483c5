import DemoPrompts

/// The three tools of the demo agent, in the order in which a turn uses them.
enum Tool: String, CaseIterable {
    case read, edit, execute
}

/// The parts of a turn that the two versions have in common.
enum TurnParts {
    static func tools(of options: TurnOptions) -> [Tool] {
        Tool.allCases.filter { tool in
            switch tool {
            case .read: options.parts.contains(.read)
            case .edit: options.parts.contains(.edit)
            case .execute: options.parts.contains(.execute)
            }
        }
    }

    static func answerLength(_ options: TurnOptions) -> TextStream.Rest {
        if let count = options.chunkCount { return .chunks(count, sizeBytes: options.chunkSizeBytes) }
        if let count = options.wordCount { return .words(count) }
        if let sizeBytes = options.chunkSizeBytes { return .chunks(50, sizeBytes: sizeBytes) }
        return .passage(minimumChunks: 50)
    }

    /// The prompt's first line, at most 60 characters of it.
    static func title(of prompt: String) -> String {
        let line = prompt.split(whereSeparator: \.isNewline).first ?? "Untitled"
        return line.count <= 60 ? String(line) : line.prefix(59) + "…"
    }
}
