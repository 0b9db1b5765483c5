/// The states of sessions and child sessions.
extension AgentMachine {
    mutating func setState(_ state: WorkState, of id: String, in index: Int) {
        guard id == sessions[index].id else { return setChildState(state, of: id, in: index) }
        sessions[index].work.state = state
        sendState(in: index)
    }

    /// Sends the current state with the current background work. Version 1 has no states.
    mutating func sendState(in index: Int, hasReason: Bool = true) {
        guard sessions[index].version == .two else { return }
        let work = sessions[index].work
        let items = work.background
        // An empty list means that the background work has ended. Before the first one, there is nothing to report.
        let lists = work.listsBackground && (!items.isEmpty || work.hasListedBackground)
        sessions[index].work.hasListedBackground = lists && !items.isEmpty
        let state = work.state.isIdle && !hasReason ? WorkState.idle(nil) : work.state
        sendUpdate(state.update(background: lists ? items : nil), to: sessions[index].id)
    }

    /// Version 2 reports the state on the child's stream, version 1 on the stream of its parent.
    private mutating func setChildState(_ state: WorkState, of id: String, in index: Int) {
        sessions[index].work.setState(state, ofChild: id)
        switch sessions[index].version {
        case .two: sendUpdate(state.update(), to: id)
        case .one: sendAndKeep(SubagentUpdate.state(state, of: id), of: Self.parent(of: id), in: index)
        }
    }

    /// The id of a child is the id of its parent, a dot, and its name.
    static func parent(of id: String) -> String {
        id.lastIndex(of: ".").map { String(id[..<$0]) } ?? id
    }
}
