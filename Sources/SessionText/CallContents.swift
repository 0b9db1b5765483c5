import JSONScan
import TerminalText
import Tinyvex

/// The changes and outputs of tool calls that were not shown yet, and which changes were. Pure.
///
/// A change is shown once for each call: with the first line of the call or of its permission request that is shown
/// after the change arrived.
struct CallContents: Sendable {
    /// A number for the changes that were shown last. Without memory, only these are not shown again.
    var last: Int64 = 0

    private let remembers: Bool
    /// The kinds of calls (`execute`), by the call's key.
    private var kinds = RecentTexts()
    /// The changes that were shown, by the call's key and the change's hash.
    private var shown = RecentTexts()
    /// 100 calls, each with ``CallItem/lineLimit`` lines at most. An agent has few calls that wait at a time.
    private var waiting = RecentValues<[CallItem]>(limit: 100)
    /// 100 calls, each with 16 KiB at most.
    private var outputs = RecentValues<OutputTail>(limit: 100)

    init(remembers: Bool) { self.remembers = remembers }

    /// Without memory, forgets what earlier entries had.
    mutating func beginEntry() {
        guard !remembers else { return }
        let last = last
        self = CallContents(remembers: false)
        self.last = last
    }

    /// A call of the next turn can have the id of an earlier one, and its changes must be shown again.
    mutating func beginTurn() {
        last = 0
        shown = RecentTexts()
    }

    // MARK: Content that arrives

    /// - Parameters:
    ///   - call: An update of a call, or the call of a permission request.
    ///   - key: The call's key.
    ///   - hasOutput: False if the call has not begun. Its text is a description then.
    ///   - showsTerminals: True if the output of terminals is shown by itself, so that the call's raw output repeats it.
    mutating func note(_ call: JSONValue, of key: String, hasOutput: Bool, showsTerminals: Bool) {
        if let kind = call["kind"]?.stringValue { kinds[key] = kind }
        if let content = call["content"] { waiting[key] = items(content.elements, of: key) }
        guard hasOutput else { return }
        let texts = call["content"]?.elements.compactMap(Self.text) ?? []
        if !texts.isEmpty {
            outputs[key] = texts.dropFirst().reduce(into: OutputTail(texts[0])) { $0.append($1) }
        } else if !showsTerminals, outputs[key] == nil, let text = Self.text(ofRaw: call["rawOutput"]) {
            outputs[key] = OutputTail(text)
        }
    }

    /// - Parameter item: A part of a call's content that is added to the earlier parts.
    mutating func note(chunk item: JSONValue, of key: String) {
        waiting[key] = (waiting[key] ?? []) + items([item], of: key)
        guard let text = Self.text(item) else { return }
        if outputs[key] == nil { outputs[key] = OutputTail(text) } else { outputs[key]?.append(text) }
    }

    private func items(_ items: [JSONValue], of key: String) -> [CallItem] {
        CallItem.all(items) { remembers && shown[Self.key(key, $0)] != nil }
    }

    private static func key(_ call: String, _ hash: UInt64) -> String { "\(call) \(hash)" }

    private static func text(_ item: JSONValue) -> String? {
        item["type"]?.stringValue == "content" ? item["content"]?["text"]?.stringValue : nil
    }

    /// The output of an agent that reports it only as the tool's own value.
    private static func text(ofRaw output: JSONValue?) -> String? {
        output?.stringValue ?? output?["output"]?.stringValue
    }

    // MARK: Lines to show

    /// The changes of a call that were not shown yet.
    ///
    /// - Parameter isAsked: True below a permission request. A cut change then names the commands that show all of it.
    mutating func changes(of key: String, isAsked: Bool = false) -> [DetailLine] {
        let items = (waiting.remove(key) ?? []).filter { isNew($0, of: key) }
        guard !items.isEmpty, remembers || areNew(items, of: key) else { return [] }
        return items.flatMap { item in item.lines + Self.rest(item, isAsked) }
    }

    private mutating func isNew(_ item: CallItem, of key: String) -> Bool {
        !remembers || shown.isNew("", for: Self.key(key, item.hash))
    }

    private mutating func areNew(_ items: [CallItem], of key: String) -> Bool {
        let name = items.map { Self.key(key, $0.hash) }.joined(separator: " ")
        defer { last = ExportCursor.message(id: name) }
        return last != ExportCursor.message(id: name)
    }

    private static func rest(_ item: CallItem, _ isAsked: Bool) -> [DetailLine] {
        guard item.hiddenCount > 0 else { return [] }
        let lines = item.hiddenCount == 1 ? "line" : "lines"
        let advice: TerminalText = isAsked ? ": see acpbridge open or answer --json" : ""
        return [DetailLine("  … \(item.hiddenCount) more \(lines)" + advice)]
    }

    /// The end of a command's output, or the text of a call that failed.
    mutating func output(of key: String, hasFailed: Bool) -> [DetailLine] {
        guard let output = outputs.remove(key), hasFailed || kinds[key] == "execute" else { return [] }
        return output.lines
    }
}
