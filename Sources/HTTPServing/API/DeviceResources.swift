import Access
import EventLoop
import Functions
import HTTP1
import JSONScan
import Posix
import Tinyvex

/// The requests by which a page gets its token, opens its WebSockets and shows its devices. A device is a token.
@LoopActor struct DeviceResources {
    let authenticator: Authenticator
    let functions: Functions
    let time: any TimeSource

    /// The body of `POST /api/v1/admission`, which any peer can send: a code and a name.
    static let admissionLimitBytes = 4 << 10

    func answer(_ request: Request, _ route: DeviceRoute, for identity: Identity) -> HTTPAnswer {
        do throws(Rejection) {
            switch route {
            case .admission: return HTTPAnswer(response: try admit(request.body))
            case .tickets: return HTTPAnswer(response: try ticket(for: identity))
            case .devices where request.head.method == "DELETE": return try revokeOwn(identity)
            case .devices: return HTTPAnswer(response: try list(for: identity))
            case .device(let id): return try revoke(id, by: identity)
            }
        } catch {
            return HTTPAnswer(response: .error(error.httpStatus, error.message))
        }
    }

    // MARK: Admission

    /// `{"code":"…","name":"Safari on iPhone"}` becomes `{"token":"tk_…","id":"tk_…","role":"control",…}`.
    private func admit(_ body: [UInt8]) throws(Rejection) -> Response {
        let members = Parameters(try JSONBody.object(body))
        let code = try members.string("code")
        let name = try members.optionalString("name")
        guard let token = try functions.tokens.redeem(code: code, name: name, at: time.now) else {
            return .error(401, "The code is wrong, was used or is too old: get another one with `acpbridge open`.")
        }
        return .json(token.json())
    }

    private func ticket(for identity: Identity) throws(Rejection) -> Response {
        try identity.require(.observe)
        let ticket = try authenticator.issueTicket(for: identity, at: time.now)
        return .json(
            JSONWriter.object { writer in
                writer.member("ticket", ticket)
                writer.member("expiresInMs", Authenticator.ticketLife.components.seconds * 1000)
            })
    }

    // MARK: Devices

    /// `{"data":[{"id":"tk_3f9a01c2","role":"control","name":"phone",…,"connections":1,"isCurrent":true}]}`. An admin
    /// gets all tokens, another client only its own.
    private func list(for identity: Identity) throws(Rejection) -> Response {
        try identity.require(.observe)
        let isAdmin = identity.tenant == nil && identity.role == .admin
        let records = authenticator.table.records.filter { isAdmin || $0.id == identity.tokenId }
        let counts = functions.host?.connectionsByToken ?? [:]
        return .json(
            JSONWriter.object { writer in
                writer.memberArray("data") { writer in
                    for record in records {
                        writer.object { writer in
                            record.writeFacts(to: &writer)
                            writer.member("connections", counts[record.id] ?? 0)
                            writer.member("isCurrent", record.id == identity.tokenId)
                        }
                    }
                }
            })
    }

    /// Revokes the token of the request, as a page does when its user signs out.
    private func revokeOwn(_ identity: Identity) throws(Rejection) -> HTTPAnswer {
        guard let id = identity.tokenId else {
            throw Rejection(.readOnly, "this token cannot be revoked here", rpcCode: .invalidRequest)
        }
        return try revoke(id, by: identity)
    }

    private func revoke(_ id: String, by identity: Identity) throws(Rejection) -> HTTPAnswer {
        if id != identity.tokenId { try identity.require(.admin) }
        let completion = try functions.tokens.revokeToken(id, by: identity)
        return HTTPAnswer(response: .json(completion.result), afterwards: completion.afterwards)
    }
}
