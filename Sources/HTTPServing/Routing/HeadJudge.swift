import Access
import Diagnostics
import EventLoop
import HTTP1
import Page
import Posix
import Tinyvex

/// The result of checking a request's head.
enum HeadVerdict {
    /// The head is sufficient for a response, for example a refusal.
    case answered(Response)
    case admitted(IdentifiedRoute, Identity)
}

/// Checks the heads of requests, in this order: where the request comes from, whether the rate limit allows it, who sends
/// it, and what it requests.
@LoopActor struct HeadJudge {
    private let settings: HTTPServer.Settings
    private let admission: Admission
    private let authenticator: Authenticator
    private let files: FileResources
    private let time: any TimeSource
    private var rates: RequestRates

    /// Thrown if the head is sufficient for this response.
    private struct Answered: Error {
        let response: Response

        init(_ response: Response) { self.response = response }

        /// A response that the bridge's log names.
        @LoopActor init(refusing response: Response, to client: Peer) {
            DiagnosticLog.daemon.record(.refused(status: response.status, peer: client.description))
            self.response = response
        }
    }

    /// The user of the bridge.
    var user: UInt32 { admission.user }

    init(
        _ settings: HTTPServer.Settings, admission: Admission, authenticator: Authenticator, files: FileResources,
        time: any TimeSource
    ) {
        self.settings = settings
        self.admission = admission
        self.authenticator = authenticator
        self.files = files
        self.time = time
        rates = RequestRates(settings.limits)
    }

    /// - Parameter client: the peer, or the client of a trusted proxy. It counts for the rate limit only.
    mutating func judge(
        _ head: RequestHead, from peer: Peer, client: Peer, _ fields: AnswerFields, health: () -> HealthReport
    ) -> HeadVerdict {
        do throws(Answered) {
            let route = try judgePath(head, from: peer, client: client, fields, health: health)
            let identity = try identify(head, route, from: peer, client: client, fields)
            return .admitted(try judgeRights(head, route, identity, fields), identity)
        } catch {
            return .answered(error.response)
        }
    }

    // MARK: The path

    /// The checks that need no identity. Returns nil for a path that does not exist: only a known client is told so.
    private mutating func judgePath(
        _ head: RequestHead, from peer: Peer, client: Peer, _ fields: AnswerFields, health: () -> HealthReport
    ) throws(Answered) -> IdentifiedRoute? {
        let route = Route(head)
        if route?.isDisguised(in: head) == true {
            let reason = "A name in this path is percent-encoded without need: write it unencoded."
            throw Answered(fields.error(400, reason))
        }
        if let refusal = admission.judgeNames(head, from: peer) {
            throw Answered(refusing: fields.refusal(refusal), to: peer)
        }
        if let route, let preflight = fields.preflight(head, route) { throw Answered(preflight) }
        switch route {
        case .liveness: throw Answered(probe(head, .liveness, fields) { .json(Array(#"{"status":"ok"}"#.utf8)) })
        case .readiness: throw Answered(probe(head, .readiness, fields) { health().readiness })
        case .page(let file): throw Answered(try page(head, file, from: client, fields))
        case .identified(let route):
            if !route.isUpgrade { try admitRequest(client, fields) }
            return route
        case nil:
            try admitRequest(client, fields)
            return nil
        }
    }

    private mutating func admitRequest(_ client: Peer, _ fields: AnswerFields) throws(Answered) {
        if let wait = rates.admitRequest(client, at: time.now) {
            throw Answered(refusing: fields.tooOften(retryAfter: wait), to: client)
        }
    }

    private mutating func page(
        _ head: RequestHead, _ file: PageFile, from client: Peer, _ fields: AnswerFields
    ) throws(Answered) -> Response {
        let methods = Route.page(file).methods
        guard methods.contains(head.method) else { return fields.wrongMethod(methods) }
        if let wait = rates.admitFile(client, at: time.now) {
            throw Answered(refusing: fields.tooOften(retryAfter: wait), to: client)
        }
        return PageAnswer.response(
            to: head, file, usesTLS: settings.usesTLS, publicAddress: settings.publicAddress)
    }

    /// Monitoring programs send these requests often and without a token, so no rate limit applies.
    private func probe(
        _ head: RequestHead, _ route: Route, _ fields: AnswerFields, _ answer: () -> Response
    ) -> Response {
        route.methods.contains(head.method) ? answer() : fields.wrongMethod(route.methods)
    }

    // MARK: The identity

    /// Determines who sends the request: by a code in the body, the secret of an upload URL, a ticket or a token.
    private mutating func identify(
        _ head: RequestHead, _ route: IdentifiedRoute?, from peer: Peer, client: Peer, _ fields: AnswerFields
    ) throws(Answered) -> Identity {
        if route?.isAdmission == true {
            if let wait = rates.admitCode(client, at: time.now) {
                throw Answered(refusing: fields.tooOften(retryAfter: wait), to: client)
            }
            return .nobody
        }
        if route == .upload, head.method == "POST", let identity = try uploader(head, client, fields) {
            return identity
        }
        var isUnsettled = false
        let verdict = admission.judgeToken(head, from: peer, ticket: ticketCheck(route)) { token in
            let check = authenticator.check(token)
            isUnsettled = check == .unsettled
            return check.identity
        }
        switch verdict {
        case .admitted(let identity): return identity
        case .refused where isUnsettled: throw Answered(refusing: fields.fetchesKeys, to: client)
        case .refused(let refusal)
        where route == .request(.health) && refusal.status == 401 && !BearerToken.isNamed(by: head):
            return .nobody
        case .refused(let refusal):
            // Guessing tokens is slowed down on every route.
            if route?.isUpgrade == true { try admitRequest(client, fields) }
            throw Answered(refusing: fields.refusal(refusal), to: client)
        }
    }

    /// The owner of an upload URL; nil for an upload with a token.
    private func uploader(_ head: RequestHead, _ client: Peer, _ fields: AnswerFields) throws(Answered) -> Identity? {
        do throws(Rejection) {
            return try files.identity(uploading: head)
        } catch {
            throw Answered(refusing: fields.error(401, error.message), to: client)
        }
    }

    private func ticketCheck(_ route: IdentifiedRoute?) -> ((String) -> Identity?)? {
        guard route?.takesTickets == true else { return nil }
        return { [authenticator, time] in authenticator.identity(showingTicket: $0, at: time.now) }
    }

    // MARK: The rights

    private func judgeRights(
        _ head: RequestHead, _ route: IdentifiedRoute?, _ identity: Identity, _ fields: AnswerFields
    ) throws(Answered) -> IdentifiedRoute {
        guard let route else {
            throw Answered(fields.error(404, "Not found: this bridge serves \(Route.served)."))
        }
        let methods = Route.identified(route).methods
        guard route.isUpgrade || methods.contains(head.method) else { throw Answered(fields.wrongMethod(methods)) }
        if head.method == "POST" || head.method == "PATCH" { try judgeBody(head, route, fields) }
        if identity.session != nil, !route.isOpenToSharedSession {
            throw Answered(fields.error(403, SharedSession.refusal.message))
        }
        return route
    }

    /// Anyone can send a code, so the length of its body must be known before.
    private func judgeBody(_ head: RequestHead, _ route: IdentifiedRoute, _ fields: AnswerFields) throws(Answered) {
        let length = head.headers.first("Content-Length")
        guard route.isAdmission else {
            if head.declaresBody { return }
            throw Answered(fields.error(411, "A body with a Content-Length, or in chunks, is required."))
        }
        guard head.declaresBody, let length else {
            throw Answered(fields.error(411, "A body with a Content-Length is required."))
        }
        if Int(length) ?? .max > DeviceResources.admissionLimitBytes {
            throw Answered(fields.error(413, "The body exceeds the limit."))
        }
    }
}

extension AnswerFields {
    fileprivate func refusal(_ refusal: Admission.Refusal) -> Response {
        var response = error(refusal.status, refusal.reason)
        if refusal.status == 401 { response.headers.append("WWW-Authenticate", "Bearer") }
        return response
    }

    fileprivate func wrongMethod(_ allowed: [String]) -> Response {
        let methods = allowed.joined(separator: ", ")
        var response = error(405, "Only \(methods) is allowed here.")
        response.headers.append("Allow", methods)
        return response
    }

    /// The key of the token may be in the set that is being fetched.
    fileprivate var fetchesKeys: Response {
        var response = error(503, "The keys of the token's issuer are being fetched; try again.")
        response.headers.append("Retry-After", String(Authenticator.keySetPatience))
        return response
    }

    fileprivate func tooOften(retryAfter seconds: Int) -> Response {
        var response = error(429, "There were too many requests from this address; wait \(seconds) s.")
        response.headers.append("Retry-After", String(seconds))
        return response
    }
}
