extension SyncMachine {
    mutating func subscribe(
        _ subscriber: SubscriberID, _ target: StreamTarget, start: StreamStart, policy: StreamPolicy?
    ) {
        if case .closed = link { return act(.fail(subscriber, .closed)) }
        guard let id = streams.stream(for: target) else {
            let message = "this client already follows that session under another reference"
            return act(.fail(subscriber, .server(code: "TVX002", message: message, data: nil)))
        }
        streams.join(subscriber, id)
        streams.updateOrdered(id) { $0.add(StreamCursor(subscriber, start: start, policy: policy)) }
        if let known = streams.updateValue(id, { $0.add(subscriber) }) ?? nil { act(.deliverValue(subscriber, known)) }
        streams.unsettle(id)
    }

    mutating func unsubscribe(_ subscriber: SubscriberID) {
        readers.remove(subscriber)
        guard let id = streams.stream(of: subscriber) else { return }
        streams.leave(subscriber)
        streams.removeIfOver(id)
    }

    mutating func fail(_ subscriber: SubscriberID, _ error: TinyvexError) {
        unsubscribe(subscriber)
        act(.fail(subscriber, error))
    }

    mutating func failReaders(of id: StreamTable.ID, _ error: TinyvexError) {
        for subscriber in streams.subscribers where streams.stream(of: subscriber) == id { fail(subscriber, error) }
    }

    /// Sends the bridge the next request of this stream.
    mutating func settle(_ id: StreamTable.ID) {
        switch streams[id] {
        case .ordered where streams.canAsk(id):
            deliver(streams.updateOrdered(id) { $0.join() })
            switch streams.updateOrdered(id, { $0.nextStep() }) ?? nil {
            case .subscribe(let params): sendSubscribe(id, params)
            case .unsubscribe: sendUnsubscribe(id)
            case .resubscribe(let params):
                sendUnsubscribe(id)
                sendSubscribe(id, params)
            case nil: break
            }
        case .value:
            switch streams.updateValue(id, { $0.nextStep() }) ?? nil {
            case .subscribe(let params): sendSubscribe(id, params)
            case .unsubscribe: sendUnsubscribe(id)
            case nil: break
            }
        case .ordered: break
        case nil: return
        }
        streams.removeIfOver(id)
    }

    private mutating func sendSubscribe(_ id: StreamTable.ID, _ params: SubscribeParams) {
        send(for: .subscription(id)) { ClientText.subscribe(id: $0, params) }
    }

    private mutating func sendUnsubscribe(_ id: StreamTable.ID) {
        withOpen { $0.chunks.forget(String(id)) }
        send(for: .unsubscription(id)) { ClientText.unsubscribe(id: $0, subId: String(id)) }
    }

    // MARK: Answers

    mutating func subscribed(_ id: StreamTable.ID, _ answer: SubscribeAnswer) {
        tokens.accepted()
        refusedStreams.remove(id)
        deliver(streams.updateOrdered(id) { $0.subscribed(answer) })
        streams.updateValue(id) { $0.subscribed(answer) }
        streams.unsettle(id)
    }

    mutating func subscriptionRefused(_ id: StreamTable.ID, _ error: TinyvexError) {
        streams.updateValue(id) { $0.rejected() }
        let rejection = streams.updateOrdered(id) { $0.rejected(isUnknownSession: error.isUnknownSession) }
        deliver(rejection?.deliveries)
        let mayHaveRights = error.isAboutMissingRights && refusedStreams.insert(id).inserted && askForToken()
        if mayHaveRights || rejection?.asksAgain == true { return streams.unsettle(id) }
        failReaders(of: id, error.isAboutMissingRights ? .unauthorized : error)
        streams.removeIfOver(id)
    }

    mutating func unsubscribed(_ id: StreamTable.ID) {
        streams.updateOrdered(id) { $0.unsubscribed() }
        streams.updateValue(id) { $0.unsubscribed() }
        streams.unsettle(id)
    }

    mutating func deliver(_ deliveries: [OrderedStream.Delivery]?) {
        for delivery in deliveries ?? [] { act(.deliver(delivery.subscriber, delivery.piece)) }
    }
}
