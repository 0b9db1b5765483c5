import Access
import EventLoop
import Functions
import JSONScan
import LiveQueries
import SessionRecords
import SessionStreams
import Tinyvex

/// Opens the streams that clients subscribe to.
@LoopActor struct Subscribing {
    let registry: SessionRegistry
    let functions: Functions
    let audit: AuditLog
    let limits: Limits
    let time: any TimeSource

    init(_ services: ClientServices) {
        registry = services.registry
        functions = services.functions
        audit = services.audit
        limits = services.limits
        time = services.loop.time
    }

    func subscribe(_ request: SubscribeRequest, _ connection: ClientConnection, _ finish: @escaping CompletionHandler) {
        let finish: CompletionHandler = { result in
            finish(
                result.mapError { rejection in
                    var rejection = rejection
                    rejection.subId = request.subId
                    return rejection
                })
        }
        guard connection.streams.byId[request.subId] == nil else {
            return finish(.failure(Rejection(.subscriptionRejected, "subId \(quoted(request.subId)) is in use")))
        }
        guard connection.streams.byId.count < limits.subscriptions else {
            return finish(
                .failure(
                    Rejection(
                        .limitExceeded,
                        "this connection has \(limits.subscriptions) subscriptions, which is the limit")))
        }
        do throws(Rejection) {
            let identity = connection.identity
            switch request.target {
            case .sessionUpdates(let reference):
                follow(.updates, try identity.narrowed(reference), request, connection, finish)
            case .timeline(let reference):
                follow(.timeline, try identity.narrowed(reference), request, connection, finish)
            case .query(let name, let params):
                watch(name, try identity.narrowed(name, params), request, connection, finish)
            }
        } catch {
            finish(.failure(error))
        }
    }

    // MARK: Streams of a session

    private func follow(
        _ stream: Subscription.Stream, _ reference: SessionReference, _ request: SubscribeRequest,
        _ connection: ClientConnection, _ finish: @escaping CompletionHandler
    ) {
        registry.find(reference, of: connection.identity.tenant) { found in
            switch found {
            case .failure(let rejection): finish(.failure(rejection))
            case .success(let session):
                if let rejection = Self.obstacle(to: stream, of: session, on: connection) {
                    return finish(.failure(rejection))
                }
                position(stream, session, request) { start in
                    begin(stream, session, request, start, connection, finish)
                }
            }
        }
    }

    /// The limit of streams of one session on one connection. A client needs the updates once, and one timeline for
    /// each of its views. Each additional stream sends every update of the session once more.
    static let streamsOfOneSession = 16

    private static func obstacle(
        to stream: Subscription.Stream, of session: Session, on connection: ClientConnection
    ) -> Rejection? {
        let others = connection.streams.readers(ofSession: session.id)
        // An update carries only its ACP session id, so a client could not tell two update streams apart.
        guard stream == .timeline || !others.contains(where: { $0.stream == .updates }) else {
            return Rejection(.subscriptionRejected, "this connection follows \(quoted(session.id)) already")
        }
        guard others.count(where: { $0.session === session }) < streamsOfOneSession else {
            return Rejection(
                .limitExceeded,
                "this connection has \(streamsOfOneSession) streams of \(quoted(session.id)), which is the limit")
        }
        return nil
    }

    private struct Start {
        var next: Int64
        var resumed: Bool
        var failure: String?
    }

    /// Finds the number at which the stream continues, from the last number that the client has. A client can be ahead of
    /// the hub: it has got a session's updates from the session's own bridge, or before this bridge was started again. It
    /// waits for the hub.
    private func position(
        _ stream: Subscription.Stream, _ session: Session, _ request: SubscribeRequest,
        then action: @escaping @LoopActor (Start) -> Void
    ) {
        let head = stream == .updates ? session.head : session.timelineEnd
        guard let last = request.lastSeq else { return action(Start(next: head + 1, resumed: false)) }
        let canBeAhead = (session.home != nil || session.waitsForHub) && last < UpdateNumber.limit
        guard let text = request.journal, text != session.journal else {
            guard last <= head || canBeAhead else { return action(Self.beyond(head)) }
            return action(Start(next: last + 1, resumed: true))
        }
        guard let journal = Journal(text), let sid = session.sid else {
            return action(Start(next: 1, resumed: false, failure: "the journal is from another log"))
        }
        if stream == .timeline, let current = Journal(session.journal), current.isSameIncarnation(as: journal) {
            // A timeline's numbers are not kept by epoch; within one incarnation they only grow.
            return action(
                last <= head || canBeAhead ? Start(next: last + 1, resumed: true) : Self.beyond(head))
        }
        registry.log.read(.position(sid: sid, journal: journal, seq: last)) { answer in
            switch answer {
            case .position(.valid) where last <= session.head || canBeAhead:
                action(Start(next: last + 1, resumed: true))
            case .position(.valid): action(Self.beyond(session.head))
            case .position(.resetTo(let first)):
                action(
                    Start(
                        next: first, resumed: false,
                        failure: "the following updates were lost, or the journal is from another log"))
            default: action(Start(next: 1, resumed: false, failure: "the log could not be read"))
            }
        }
    }

    private static func beyond(_ head: Int64) -> Start {
        Start(next: head + 1, resumed: false, failure: "the log ends at \(head)")
    }

    private func begin(
        _ stream: Subscription.Stream, _ session: Session, _ request: SubscribeRequest, _ start: Start,
        _ connection: ClientConnection, _ finish: @escaping CompletionHandler
    ) {
        let result = SubscribeResult(
            resumed: start.resumed, startSeq: start.next,
            headSeq: stream == .updates ? session.head : session.timelineEnd, journal: session.journal)
        finish(
            .success(
                FunctionResponse(result: result.json()) {
                    if let failure = start.failure { notifyResumeFailed(failure, start.next, request, connection) }
                    if connection.isFirstAttachment(to: session) {
                        audit.record(
                            .attached(AuditEvent.SessionName(agent: session.agent, sessionId: session.id)),
                            by: connection.identity, connection: connection.id)
                    }
                    // An agent can have resumed the session while the log was being read.
                    let current = session.sid.flatMap(registry.known) ?? session
                    connection.streams.add(
                        Subscription(
                            subId: request.subId, stream: stream, session: current, next: start.next,
                            until: request.untilSeq, policy: request.policy, connection: connection, registry: registry)
                    )
                }))
    }

    private func notifyResumeFailed(
        _ reason: String, _ next: Int64, _ request: SubscribeRequest, _ connection: ClientConnection
    ) {
        var rejection = Rejection(
            .resumeFailed, "not resumed after \(request.lastSeq ?? 0): \(reason); it continues at \(next)")
        rejection.subId = request.subId
        connection.send(rejection.notification(serverTs: time.dateMilliseconds))
    }

    // MARK: Values

    /// Subscribes to a query. The answer waits for the first value, so that an unavailable value is refused.
    private func watch(
        _ name: String, _ params: Parameters, _ request: SubscribeRequest, _ connection: ClientConnection,
        _ finish: @escaping CompletionHandler
    ) {
        do throws(Rejection) {
            guard let query = QueryName(rawValue: name) else { throw .unknownSubscription(name) }
            try Functions.require(.query, name, of: connection.identity)
            let key = try QueryKey(query, params, tenant: connection.identity.tenant)
            let seq = Self.lastSeq(of: request)
            let result = SubscribeResult(resumed: false, startSeq: seq + 1, headSeq: seq + 1, journal: "")
            functions.queries.first(key, params) { outcome in
                finish(
                    outcome.map { _ in
                        FunctionResponse(result: result.json()) {
                            let subscription = ValueTransmitter(
                                subId: request.subId, key: key, seq: seq, hub: functions.queries, connection: connection
                            )
                            connection.streams.add(subscription)
                            functions.queries.add(subscription, params)
                        }
                    })
            }
        } catch {
            finish(.failure(error))
        }
    }

    /// Returns the last number that the client has seen; a value's numbers continue from it. They are only a count.
    private static func lastSeq(of request: SubscribeRequest) -> Int64 {
        guard let last = request.lastSeq, last < 1 << 53 else { return 0 }
        return last
    }
}
