import JSONScan

/// The state of a session's foreground work (ACP version 2, `state_update`).
enum WorkState: Equatable {
    case running
    case requiresAction
    /// The agent cannot tell.
    case unknown
    /// A value that ACP does not define; clients must keep it.
    case custom(String)
    /// Ready for a prompt. The reason is nil before the first turn.
    case idle(TurnEnd?)

    var isIdle: Bool {
        if case .idle = self { true } else { false }
    }

    private var name: String {
        switch self {
        case .running: "running"
        case .requiresAction: "requires_action"
        case .unknown: "unknown"
        case .custom(let name): name
        case .idle: "idle"
        }
    }

    /// Writes `state`, and for an idle state `stopReason` and `error`.
    func write(to update: inout JSONWriter) {
        update.member("state", name)
        guard case .idle(let end?) = self else { return }
        switch end {
        case .stopped(let reason): update.member("stopReason", reason)
        case .failed(let code, let message):
            update.member("stopReason", "error")
            update.memberObject("error") {
                $0.member("code", code)
                $0.member("message", message)
            }
        }
    }

    /// The `state_update`. A nil background writes no member, which means that the agent reports nothing about it.
    func update(background: [BackgroundItem]? = nil) -> [UInt8] {
        SessionUpdate.object("state_update") { update in
            write(to: &update)
            guard let background else { return }
            update.memberArray("background") { list in
                for item in background { list.object { item.write(to: &$0) } }
            }
        }
    }
}

/// The way in which a turn ends.
enum TurnEnd: Equatable {
    /// With a `StopReason` of ACP: `end_turn`, `refusal`, `cancelled`.
    case stopped(String)
    /// Version 1: with an error instead of a result. Version 2: with stop reason `error`.
    case failed(code: Int, message: String)
}

/// Work that continues independently of the foreground.
enum BackgroundItem: Equatable {
    case terminal(String)
    case toolCall(String)
    case subagent(String)

    func write(to item: inout JSONWriter) {
        let (type, idMember, id) =
            switch self {
            case .terminal(let id): ("terminal", "terminalId", id)
            case .toolCall(let id): ("tool_call", "toolCallId", id)
            case .subagent(let id): ("subagent", "sessionId", id)
            }
        item.member("type", type)
        item.member(idMember, id)
    }
}
