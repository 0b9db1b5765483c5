/// A terminal or tool call between its first and its last update.
struct Entity: Equatable {
    enum Kind: Equatable { case terminal, toolCall }

    let kind: Kind
    let id: String
    /// Whether the client can end it with `terminal/cancel` or `tool_call/cancel`.
    var isCancellable = false

    static func terminal(_ id: String) -> Entity { Entity(kind: .terminal, id: id, isCancellable: true) }

    static func toolCall(_ id: String, isCancellable: Bool = false) -> Entity {
        Entity(kind: .toolCall, id: id, isCancellable: isCancellable)
    }

    /// The last update of an entity that was cancelled. Version 1 has no status for that.
    func cancelled(version: ProtocolVersion) -> [UInt8] {
        switch kind {
        case .terminal: TerminalUpdate.killed(id)
        case .toolCall: ToolCallUpdate.end(id, version == .one ? "failed" : "cancelled")
        }
    }
}
