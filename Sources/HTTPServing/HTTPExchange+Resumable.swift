import Access
import Clients
import Diagnostics
import HTTP1
import Posix
import Resumption
import WebSocket

/// Clients of `/acp` with resumable connections: a conversation survives the loss of its connection.
extension HTTPExchange {
    func upgradeToResumable(
        _ head: RequestHead, _ identity: Identity, _ acceptance: Handshake.Acceptance, having text: String
    ) {
        guard let count = Receipt.count(text.utf8) else {
            return respond(to: head, .text("\(Receipt.fieldName) is a number of messages.", status: 400))
        }
        guard let id = head.headers.first(Receipt.connectionFieldName) else {
            return begin(head, identity, acceptance, after: count)
        }
        guard let resumable = server.clients.resumableConnections.resumable(id, for: identity) else {
            let reason =
                "This connection has ended: its client was disconnected for too long, another client has taken "
                + "over its agent, or the bridge was restarted."
            return respond(to: head, .text(reason, status: 404))
        }
        guard resumable.canResume(after: count) else {
            return respond(to: head, .text("The earlier messages are no longer stored.", status: 409))
        }
        join(resumable, acceptance, after: count)
    }

    private func begin(
        _ head: RequestHead, _ identity: Identity, _ acceptance: Handshake.Acceptance, after count: Int64
    ) {
        guard count == 0, let id = RandomText.uuid() else {
            return respond(to: head, .text("A new connection has received nothing.", status: 409))
        }
        var address = RemoteClientAddress(query: head.query)
        address.takesErrors = head.headers.first(ErrorText.fieldName) == "1"
        let resumable = server.clients.openResumableConnection(
            id: id, identity: identity, address: address, from: client, permit: permit)
        DiagnosticLog.daemon.record(.clientConnected(id: id, path: "/acp"))
        join(resumable, acceptance, after: 0)
    }

    private func join(_ resumable: ResumableConnection, _ acceptance: Handshake.Acceptance, after count: Int64) {
        resumable.dropLine()
        var fields = acceptance.fields(subprotocol: "acp.v1")
        fields.append((Receipt.connectionFieldName, resumable.id))
        fields.append((Receipt.fieldName, Receipt.text(resumable.receivedCount)))
        let (remainder, server, permit) = (takeRemainder(), server, permit)
        guard let stream = switchProtocols(fields) else { return close() }
        let line = server.clients.peer(stream, deflate: acceptance.deflate, remainder: remainder, permit: permit)
        resumable.lineOpened(line, after: count)
        close()
    }
}
