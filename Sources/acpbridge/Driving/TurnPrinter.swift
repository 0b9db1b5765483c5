/// Prints one turn of a timeline, either in human-readable form or as the agent's own lines.
struct TurnPrinter: AttachPrinter {
    private(set) var turn: TurnWatch
    private let isPretty: Bool
    private var printer: any AttachPrinter

    init(prompt text: String, isPretty: Bool, hasColour: Bool) {
        turn = TurnWatch(prompt: text)
        self.isPretty = isPretty
        printer =
            isPretty
            ? PrettyPrinter(filter: AttachFilter(), hasColour: hasColour) : LinePrinter(filter: AttachFilter())
    }

    var hasEnough: Bool { turn.end != nil }

    mutating func print(_ line: ArraySlice<UInt8>, seq: Int64) throws {
        guard !hasEnough, let entry = TimelineEntry(line), turn.take(entry) else { return }
        if isPretty {
            try printer.print(line, seq: seq)
        } else if entry.isUpdate {
            try printer.print(entry.content.rawText, seq: entry.seq)
        }
    }

    mutating func flush() throws { try printer.flush() }
    mutating func breakOff() throws { try printer.breakOff() }
    mutating func sessionEnded(_ reason: String) throws { try printer.sessionEnded(reason) }
}
