extension SyncMachine {
    /// Makes the connection match the present calls and subscriptions.
    mutating func settle() {
        settleReaders()
        switch link {
        case .idle: if isWanted { connect() }
        case .waiting(let until): if isWanted, now >= until { connect() }
        case .open: sendWhatWaits()
        case .authorizing, .connecting, .closed: break
        }
    }

    /// Sends subscriptions first, then calls in order, while the transport has room.
    private mutating func sendWhatWaits() {
        while hasRoom {
            if let stream = streams.takeUnsettled() {
                settle(stream)
            } else if let (id, call) = calls.takeNext() {
                send(id, call)
            } else {
                return
            }
        }
    }

    /// A token renewal goes first, because messages sent without the new token would be refused.
    private var hasRoom: Bool {
        guard case .open(let connection) = link, tokens.phase != .refreshing else { return false }
        return connection.queuedBytes < configuration.sendLimitBytes
    }

    private mutating func send(_ id: CallID, _ call: Call) {
        guard call.loss != .forgets else { return send(call.text(id: nil)) }
        send(for: .call(id)) { call.text(id: $0) }
    }

    mutating func send(for purpose: Awaited, _ text: (Int) -> [UInt8]) {
        guard let request = withOpen({ $0.request(purpose) }) else { return }
        send(text(request))
    }

    private mutating func send(_ text: [UInt8]) {
        guard
            let id = withOpen({ connection in
                connection.queuedBytes += text.count
                return connection.id
            })
        else { return }
        act(.send(id, text))
    }

    // MARK: Calls

    mutating func add(_ id: CallID, _ call: Call) {
        if case .closed = link { return act(.answer(id, .failure(.closed))) }
        if let connection = call.connection, connection != openConnection { return }
        guard call.byteCount <= configuration.messageLimitBytes else {
            return act(.answer(id, .failure(.tooLarge(limitBytes: configuration.messageLimitBytes))))
        }
        guard calls.add(id, call) else {
            return act(.answer(id, .failure(.overloaded(limitBytes: configuration.callLimitBytes))))
        }
    }

    mutating func answered(_ id: CallID, _ outcome: Outcome) {
        if case .failure(let error) = outcome, error.isAboutMissingRights {
            if calls.holdForToken(id) {
                if askForToken() { return }
            }
            if calls.remove(id) { act(.answer(id, .failure(.unauthorized))) }
            return
        }
        guard calls.remove(id) else { return }
        tokens.accepted()
        progressed()
        act(.answer(id, outcome))
    }
}
