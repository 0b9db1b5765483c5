import EventLoop
import HTTP1

/// What a request's head alone decides.
enum Judgement {
    /// It needs no more than this, refusals among it.
    case answered(Response)
    case admitted(Route, Identity)
}

extension Bridge {
    func answerFields(for head: RequestHead) -> AnswerFields {
        AnswerFields(
            head, allowedOrigins: configuration.allowedOrigins, freshId: RandomText.hexadecimal(byteCount: 12) ?? "")
    }

    /// In this order: where the request comes from, whether it may come now, who asks, and what for.
    func judge(_ head: RequestHead, from peer: Peer, _ fields: AnswerFields) -> Judgement {
        traffic.requests += 1
        let route = Route(head)
        if route?.isDisguised(in: head) == true {
            return .answered(
                fields.error(400, "A name in this path is percent-encoded without need: spell it plainly."))
        }
        if let refusal = admission.judgeNames(head, from: peer) { return .answered(fields.refusal(refusal)) }
        if let route, let preflight = fields.preflight(head, route) { return .answered(preflight) }
        if route == .health { return .answered(health(head, fields)) }
        if route?.isUpgrade != true, let wait = rate(of: peer) { return .answered(fields.tooOften(retryAfter: wait)) }
        switch admission.judgeToken(head, from: peer, identity: { authenticator.identity(showing: $0) }) {
        case .refused(let refusal):
            // Guessing is slowed down wherever it is done.
            if route?.isUpgrade == true, let wait = rate(of: peer) {
                return .answered(fields.tooOften(retryAfter: wait))
            }
            return .answered(fields.refusal(refusal))
        case .admitted(let identity): return judge(head, route, identity, fields)
        }
    }

    private func judge(_ head: RequestHead, _ route: Route?, _ identity: Identity, _ fields: AnswerFields) -> Judgement
    {
        guard let route else { return .answered(fields.error(404, "Not found: this bridge serves \(Route.served).")) }
        guard route.isUpgrade || route.methods.contains(head.method) else {
            return .answered(fields.wrongMethod(route))
        }
        if head.method == "POST", head.headers.first("Content-Length") == nil {
            return .answered(fields.error(411, "A body is needed, with a Content-Length."))
        }
        return .admitted(route, identity)
    }

    /// Nil where the peer may ask; otherwise in how many seconds. The Unix socket is the user's own.
    private func rate(of peer: Peer) -> Int? {
        guard case .network(let address?) = peer else { return nil }
        return requestRate.take(address, at: .now)
    }

    private func health(_ head: RequestHead, _ fields: AnswerFields) -> Response {
        guard Route.health.methods.contains(head.method) else { return fields.wrongMethod(.health) }
        return .json(Array(#"{"status":"ok"}"#.utf8))
    }
}

extension AnswerFields {
    func refusal(_ refusal: Admission.Refusal) -> Response {
        var response = error(refusal.status, refusal.reason)
        if refusal.status == 401 { response.headers.append("WWW-Authenticate", "Bearer") }
        return response
    }

    func wrongMethod(_ route: Route) -> Response {
        let methods = route.methods.joined(separator: ", ")
        var response = error(405, "Only \(methods) can be asked here.")
        response.headers.append("Allow", methods)
        return response
    }

    func tooOften(retryAfter seconds: Int) -> Response {
        var response = error(429, "Too many requests came from this address; wait \(seconds) s.")
        response.headers.append("Retry-After", String(seconds))
        return response
    }
}
