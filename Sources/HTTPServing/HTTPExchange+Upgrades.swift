import Access
import Clients
import Diagnostics
import HTTP1
import Posix
import Resumption
import WebSocket

/// Requests that switch the connection to another protocol.
extension HTTPExchange {
    func upgrade(_ head: RequestHead, _ identity: Identity, speaking wire: ClientConnection.Wire) {
        let headers = head.headers
        let terms = server.compression.terms(for: peer)
        let judged = Handshake.accept(method: head.method, httpMinorVersion: head.minorVersion, deflate: terms) {
            headers.all($0)
        }
        switch judged {
        case .failure(let refusal):
            var response = Response.text(refusal.reason, status: refusal.status)
            for field in refusal.fields { response.headers.append(field.name, field.value) }
            respond(to: head, response)
        case .success(let acceptance):
            if wire == .acp, let received = headers.first(Receipt.fieldName) {
                return upgradeToResumable(head, identity, acceptance, having: received)
            }
            let id = RandomText.uuid() ?? ""
            var fields = acceptance.fields(subprotocol: Self.subprotocol(of: wire, acceptance))
            if wire == .acp { fields.append(("Acp-Connection-Id", id)) }
            let remainder = takeRemainder()
            guard let stream = switchProtocols(fields) else { return close() }
            server.clients.addConnection(
                stream, deflate: acceptance.deflate, remainder: remainder, id: id, identity: identity, wire: wire,
                address: RemoteClientAddress(query: head.query), from: client, permit: permit)
            DiagnosticLog.daemon.record(.clientConnected(id: id, path: wire == .acp ? "/acp" : "/tinyvex"))
            close()
        }
    }

    /// The subprotocol to select, if the client offers it. On `/acp` it is a convention of other servers, and the version of
    /// ACP is in `initialize`.
    static func subprotocol(of wire: ClientConnection.Wire, _ acceptance: Handshake.Acceptance) -> String {
        wire == .acp && acceptance.subprotocols.contains("acp.v1") ? "acp.v1" : "tinyvex.v1"
    }

    func upgradeToShim(_ head: RequestHead) {
        guard peer == .local(user: server.user) else {
            return respond(to: head, .text("Stdio shims connect over the Unix socket.", status: 403))
        }
        let token = ShimHandshake.upgradeToken
        guard head.method == "GET", head.headers.contains(token: token, in: "Upgrade") else {
            return respond(to: head, Response(status: 426, headers: Headers([("Upgrade", token)])))
        }
        let (remainder, descriptors) = (takeRemainder(), takeDescriptors())
        guard let stream = switchProtocols([("Upgrade", token), ("Connection", "Upgrade")]) else { return close() }
        server.clients.addShim(stream, descriptors: descriptors, remainder: remainder, permit: permit)
        close()
    }
}
