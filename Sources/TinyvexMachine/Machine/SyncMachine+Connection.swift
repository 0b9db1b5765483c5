import TinyvexTransport

extension SyncMachine {
    mutating func connect() {
        let id = newConnection()
        link = .connecting(id, token: tokens.token)
        act(.state(.connecting))
        act(
            .connect(
                id,
                ConnectionRequest(
                    endpoint: configuration.endpoint, token: tokens.token, timeout: configuration.connectTimeout,
                    messageLimitBytes: configuration.receiveLimitBytes)))
    }

    mutating func connected(_ id: ConnectionID) {
        guard case .connecting(id, let shownToken) = link else { return }
        link = .open(OpenConnection(id: id, configuration, now: now))
        hasEverConnected = true
        send(for: .connect) { [configuration] in ClientText.connect(id: $0, configuration) }
        if tokens.token != shownToken { sendToken() }
    }

    /// Handles a connection that failed or ended.
    mutating func lose(_ failure: TransportFailure) {
        let wasOpen = openConnection != nil
        if withOpen({ $0.hasAgent }) == true { act(.agentLost) }
        let oversized = oversizedMessage(failure)
        link = .idle
        if wasOpen { forgetConnection(failure, oversized) }
        switch failure {
        case .unauthorized, .closed(code: CloseReason.policyViolation, _): tokenRefusedAtDoor()
        case _ where failure.isLasting && !hasEverConnected: end(.transport(failure))
        case _ where backoff.failures + 1 >= attemptsLimit: end(.transport(failure))
        default: wait(failure)
        }
    }

    private var attemptsLimit: Int {
        let limit = configuration.attemptsLimit ?? .max
        return hasEverConnected ? limit : configuration.firstAttemptsLimit ?? limit
    }

    private mutating func wait(_ failure: TransportFailure) {
        guard isWanted else { return act(.state(.idle(because: nil))) }
        var delay = backoff.nextDelay()
        if case .busy(let retryAfter?) = failure { delay = max(delay, min(retryAfter, .seconds(3600))) }
        link = .waiting(until: now + delay)
        act(.state(.waiting(for: delay, because: failure)))
    }

    private mutating func forgetConnection(_ failure: TransportFailure, _ oversized: OversizedMessage?) {
        streams.connectionLost()
        refusedStreams = []
        // If the oversized message were requested again, it would end the next connection too.
        if let oversized { failReceivers(of: oversized) }
        // A sent call was too large for the bridge. If it were sent again, it would end the next connection too.
        if case .closed(code: CloseReason.messageTooBig, _) = failure {
            for id in calls.removeAll(onlySent: true) { act(.answer(id, .failure(.transport(failure)))) }
        }
        for id in calls.connectionLost() { act(.answer(id, .failure(.outcomeUnknown))) }
    }

    /// Ends a connection that is no longer usable, and reconnects.
    mutating func giveUpConnection(_ failure: TransportFailure, code: UInt16) {
        guard let id = openConnection else { return }
        act(.disconnect(id, code: code))
        lose(failure)
    }

    /// Fails everything that waits, because the connection is not possible. A later request starts a new attempt.
    mutating func end(_ error: TinyvexError) {
        link = .idle
        tokens.ended()
        backoff.succeeded()
        failAll(error)
        act(.state(.idle(because: error)))
    }

    mutating func close() {
        if case .closed = link { return }
        switch link {
        case .open(let connection): act(.disconnect(connection.id, code: CloseReason.normal))
        case .connecting(let id, _): act(.disconnect(id, code: CloseReason.normal))
        case .idle, .waiting, .authorizing, .closed: break
        }
        link = .closed
        failAll(.closed)
        act(.state(.closed))
    }

    private mutating func failAll(_ error: TinyvexError) {
        for subscriber in streams.subscribers { fail(subscriber, error) }
        for id in calls.removeAll() { act(.answer(id, .failure(error))) }
    }

    mutating func timerFired(_ lastHeard: Instant?) {
        if readers.isReading, let lastHeard { withOpen { $0.heartbeat.heard(at: lastHeard) } }
        // Silence has no meaning on a connection that is not read.
        if !readers.isReading { withOpen { [now] in $0.heartbeat.heard(at: now) } }
        switch withOpen({ [now] in $0.heartbeat.step(at: now) }) ?? nil {
        case .ping: send(for: .ping) { ClientText.ping(id: $0) }
        case .giveUp:
            giveUpConnection(.lost(reason: "nothing came for \(configuration.deadAfter)"), code: CloseReason.goingAway)
        case nil: break
        }
    }

    /// The connection has delivered something, so the failed attempts no longer count.
    mutating func progressed() { backoff.succeeded() }
}

extension TransportFailure {
    /// Automatic retries are not likely to help: a person has to change something.
    fileprivate var isLasting: Bool {
        switch self {
        case .invalidEndpoint, .untrusted, .insecure, .notWebSocket: true
        case .refused(let status, _): (400..<500).contains(status) && status != 408 && status != 425
        case .unreachable, .timedOut, .unauthorized, .busy, .messageTooLarge, .closed, .lost, .cancelled: false
        }
    }
}
