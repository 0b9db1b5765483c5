/// Prints one turn of a timeline, either in human-readable form or as the agent's own lines.
package struct TurnPrinter: AttachPrinter {
    private(set) var turn: TurnWatch
    private let isPretty: Bool
    private var printer: any AttachPrinter

    package init(prompt text: String, isPretty: Bool, hasColour: Bool, isOwnBridge: Bool) {
        turn = TurnWatch(prompt: text)
        self.isPretty = isPretty
        var pretty = PrettyPrinter(filter: AttachFilter(), hasColour: hasColour, isOwnBridge: isOwnBridge)
        pretty.omit(prompt: text)
        printer = isPretty ? pretty : LinePrinter(filter: AttachFilter())
    }

    mutating func inserted(as message: String) { turn.inserted(as: message) }
    mutating func answerLost() { turn.answerLost() }

    package var hasEnough: Bool { turn.end != nil }

    package mutating func print(_ line: ArraySlice<UInt8>, seq: Int64) throws {
        guard !hasEnough, let entry = TimelineValue(line), turn.handle(entry) else { return }
        if isPretty {
            try printer.print(line, seq: seq)
        } else if entry.isUpdate {
            try printer.print(entry.content.rawText, seq: entry.seq)
        }
    }

    package mutating func flush() throws { try printer.flush() }
    package mutating func endLine() throws { try printer.endLine() }
    package mutating func endLines(of subagent: String?) throws { try printer.endLines(of: subagent) }
    package mutating func sessionEnded(_ reason: String) throws { try printer.sessionEnded(reason) }
}
