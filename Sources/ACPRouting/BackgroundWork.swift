import FieldLimits
import JSONScan

/// The work that an agent of ACP version 2 lists as independent of the foreground: terminals, tool calls, subagents.
///
/// Each list of the agent replaces the one before. An item also ends by its own exit status or final status, because it
/// is not known whether a `state_update` without a list means an empty one.
struct BackgroundWork: Equatable, Codable {
    /// One listed item.
    enum Item: Hashable, Codable {
        case terminal(String)
        case toolCall(String)
        case subagent(String)
        /// An item of a type that is not known, with its JSON text.
        case other(String)
    }

    private var items: Set<Item> = []
    /// True if the list had items that are not kept. They end with the next list only.
    private var hasMore = false

    /// More items than a person could follow.
    private static let itemsLimit = 256
    /// 1 KiB for an item's id.
    private static let idLimitBytes = 1 << 10

    init() {}

    /// - Parameter list: The member `background` of a `state_update`.
    init(_ list: JSONValue) {
        for element in list.elements {
            if items.count < Self.itemsLimit, let item = Self.item(element) {
                items.insert(item)
            } else {
                hasMore = true
            }
        }
    }

    var isEmpty: Bool { items.isEmpty && !hasMore }
    /// The number of known items.
    var count: Int { items.count + (hasMore ? 1 : 0) }

    mutating func remove(_ item: Item) { items.remove(item) }

    private static func item(_ element: JSONValue) -> Item? {
        func id(_ name: String) -> String? { element[name]?.stringValue?.within(bytes: idLimitBytes) }
        switch element["type"]?.stringValue {
        case "terminal": if let id = id("terminalId") { return .terminal(id) }
        case "tool_call": if let id = id("toolCallId") { return .toolCall(id) }
        case "subagent": if let id = id("sessionId") { return .subagent(id) }
        default: break
        }
        return element.rawText.count <= idLimitBytes ? .other(element.rawString) : nil
    }

    /// Returns the item that an update ends, if it ends one: a `terminal_update` with an exit status, or a
    /// `tool_call_update` with a final status.
    static func item(endedBy update: JSONValue, _ kind: String) -> Item? {
        switch kind {
        case "terminal_update":
            guard update["exitStatus"]?.kind == .object else { return nil }
            return update["terminalId"]?.stringValue.map(Item.terminal)
        case "tool_call_update":
            guard ["completed", "failed", "cancelled"].contains(update["status"]?.stringValue) else { return nil }
            return update["toolCallId"]?.stringValue.map(Item.toolCall)
        default: return nil
        }
    }
}
