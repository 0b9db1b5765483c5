import JSONRPC
import JSONScan
import TinyvexTransport

extension SyncMachine {
    /// Delivers consecutive lines of one stream together. Every other message is handled in its place between them.
    mutating func arrived(_ batch: MessageBatch) {
        withOpen { [now] in $0.heartbeat.heard(at: now) }
        var lines = CollectedLines()
        for index in 0..<batch.count {
            let place = batch[index]
            let message = batch.bytes[place]
            guard let envelope = try? scanner.scan(message.span) else {
                deliver(&lines, batch)
                return giveUpConnection(.notWebSocket(reason: "a message is not JSON"), code: CloseReason.invalidData)
            }
            if let stream = stream(ofLineAt: place, in: batch, envelope, after: &lines) {
                lines.add(place, stream)
            } else {
                deliver(&lines, batch)
                handle(messageAt: place, in: batch)
                // This message can have ended the connection.
                if openConnection == nil { return }
            }
        }
        deliver(&lines, batch)
    }

    /// Returns the session stream of a line, or nil if the message is not a line of a stream. Lines of another session
    /// that were collected before are delivered first.
    private mutating func stream(
        ofLineAt place: Range<Int>, in batch: MessageBatch, _ envelope: Envelope, after lines: inout CollectedLines
    ) -> StreamTable.ID? {
        let text = batch.bytes[place]
        guard envelope.isSessionUpdate(in: text.span), let session = envelope.sessionId else { return nil }
        let spelling = batch.bytes[place.lowerBound + session.lowerBound..<place.lowerBound + session.upperBound]
        if lines.session.elementsEqual(spelling) { return lines.stream }
        deliver(&lines, batch)
        lines.session = spelling
        return envelope.string(in: text.span, at: session).flatMap { streams.stream(ofSession: $0) }
    }

    private mutating func deliver(_ lines: inout CollectedLines, _ batch: MessageBatch) {
        guard let id = lines.stream else { return }
        defer { lines = CollectedLines() }
        let deliveries: [OrderedStream.Delivery]? = streams.updateOrdered(id) { stream in
            guard let incoming = stream.incoming else { return [] }
            let run = LineRun(firstSeq: incoming + 1, bytes: batch.bytes, places: lines.places)
            return stream.arrived(run.compacted())
        }
        if deliveries?.isEmpty == false { progressed() }
        deliver(deliveries)
    }

    private mutating func handle(messageAt place: Range<Int>, in batch: MessageBatch) {
        guard let value = try? JSONValue(validating: Array(batch.bytes[place])) else { return }
        switch ServerMessage(value) {
        case .response(let id, let outcome): answered(id, outcome)
        case .data(let subId, let value): arrived(value, subId: subId)
        case .chunk(let part): arrived(part)
        case .skipped(let subId, let from, let to, let reason):
            updateOrdered(subId) { $0.skipped(from: from, to: to, reason: reason) }
        case .ended(let subId, let seq, let end): updateOrdered(subId) { $0.ended(seq: seq, end) }
        case .error(let subId, let code, let message): errorArrived(subId, code: code, message: message)
        case .agent(var message):
            message.connection = openConnection ?? message.connection
            withOpen { $0.hasAgent = true }
            act(.agent(message))
        case .other: break
        }
    }

    private mutating func updateOrdered(_ subId: String, _ body: (inout OrderedStream) -> [OrderedStream.Delivery]) {
        guard let id = streams.stream(subId: subId) else { return }
        deliver(streams.updateOrdered(id, body))
    }

    // MARK: Answers

    private mutating func answered(_ request: Int, _ outcome: Message.Outcome) {
        guard let awaited = withOpen({ $0.answered(request) }) ?? nil else { return }
        switch (awaited, outcome) {
        case (.connect, _): act(.state(.connected))
        case (.ping, _): break
        case (.setToken, .result): tokens.accepted()
        case (.setToken, .error): break
        case (.subscription(let id), .result(let result)): subscribed(id, SubscribeAnswer(result))
        case (.subscription(let id), .error(let error)): subscriptionRefused(id, TinyvexError(error))
        case (.unsubscription(let id), _): unsubscribed(id)
        case (.call(let id), .result(let result)): answered(id, .result(result))
        case (.call(let id), .error(let error)): answered(id, .failure(TinyvexError(error)))
        }
    }

    // MARK: Values

    private mutating func arrived(_ part: ValuePart) {
        guard let id = streams.stream(subId: part.subId) else { return }
        // The rest of a value whose beginning was dropped: that of an earlier subscription, or one that was too large.
        if case .value(let stream)? = streams[id], stream.upstream != .open || stream.subscribers.isEmpty { return }
        switch withOpen({ $0.chunks.add(part) }) {
        case .complete(let value): arrived(value, subId: part.subId)
        case .tooLarge: failReaders(of: id, .tooLarge(limitBytes: configuration.chunkLimitBytes))
        case .broken:
            giveUpConnection(
                .notWebSocket(reason: "the chunks of a value are inconsistent"), code: CloseReason.invalidData)
        case .incomplete, nil: break
        }
    }

    private mutating func arrived(_ value: StreamValue, subId: String) {
        guard let id = streams.stream(subId: subId) else { return }
        progressed()
        deliver(streams.updateOrdered(id) { $0.arrived(value) })
        let readers = streams.updateValue(id) { $0.arrived(value) }
        for subscriber in readers ?? [] { act(.deliverValue(subscriber, value)) }
    }

    /// `tinyvex/error`. `TVX004` (the stream could not be resumed at its position) is ignored, because the answer to
    /// the subscription has already reported it.
    private mutating func errorArrived(_ subId: String?, code: String, message: String) {
        guard let subId, let id = streams.stream(subId: subId), code != "TVX004" else { return }
        let error = TinyvexError.server(code: code, message: message, data: nil)
        switch streams[id] {
        // The subscription has ended because the connection has lost its rights.
        case .some where error.isAboutMissingRights: subscriptionRefused(id, error)
        // The session was deleted, or its log is damaged. The subscription has ended.
        case .ordered where error.isUnknownSession:
            _ = streams.updateOrdered(id) { $0.rejected(isUnknownSession: false) }
            failReaders(of: id, error)
            streams.removeIfOver(id)
        case .ordered: deliver(streams.updateOrdered(id) { $0.noticed(code: code, message: message) })
        // The value is no longer available, and a new subscription would be refused.
        case .value: failReaders(of: id, error)
        case nil: break
        }
    }
}

/// Consecutive lines of one stream.
private struct CollectedLines {
    var stream: StreamTable.ID?
    /// The session's id as written in the lines, quotes included.
    var session: ArraySlice<UInt8> = []
    var places: [Range<Int>] = []

    mutating func add(_ place: Range<Int>, _ stream: StreamTable.ID) {
        self.stream = stream
        places.append(place)
    }
}
