import Access
import Clients
import HTTP1
import Posix
import Resumption
import WebSocket

/// Clients of `/acp` with resumable connections: a conversation survives the loss of its connection.
extension IncomingConnection {
    func upgradeToRelay(
        _ head: RequestHead, _ identity: Identity, _ acceptance: Handshake.Acceptance, having text: String
    ) {
        guard let count = Receipt.count(text.utf8) else {
            return respond(to: head, .text("\(Receipt.fieldName) is a number of messages.", status: 400))
        }
        guard let id = head.headers.first(Receipt.connectionFieldName) else {
            return begin(head, identity, acceptance, after: count)
        }
        guard let relay = server.clients.relays.relay(id, for: identity) else {
            let reason =
                "This conversation has ended: its client was away for too long, another has taken its agent "
                + "over, or the bridge was started anew."
            return respond(to: head, .text(reason, status: 404))
        }
        guard relay.canGoOn(after: count) else {
            return respond(to: head, .text("What was sent before is not here any more.", status: 409))
        }
        join(relay, acceptance, after: count)
    }

    private func begin(
        _ head: RequestHead, _ identity: Identity, _ acceptance: Handshake.Acceptance, after count: Int64
    ) {
        guard count == 0, let id = RandomText.uuid() else {
            return respond(to: head, .text("A new connection has received nothing.", status: 409))
        }
        let relay = GuestRelay(id: id, identity: identity, clients: server.clients)
        do {
            try relay.start(GuestAddress(query: head.query), permit: permit)
        } catch {
            return respond(to: head, .text("There is no socket left for this.", status: 503))
        }
        server.clients.relays.add(relay)
        join(relay, acceptance, after: 0)
    }

    private func join(_ relay: GuestRelay, _ acceptance: Handshake.Acceptance, after count: Int64) {
        relay.dropLine()
        var fields = acceptance.fields(subprotocol: nil)
        fields.append((Receipt.connectionFieldName, relay.id))
        fields.append((Receipt.fieldName, Receipt.text(relay.receivedCount)))
        let (remainder, server, permit) = (takeRemainder(), server, permit)
        guard let stream = switchProtocols(fields) else { return close() }
        let line = RelayLine(
            stream, deflate: acceptance.deflate, remainder: remainder, permit: permit, of: relay,
            turns: server.clients.registry.turns, limits: MessageLimits(messageBytes: server.limits.lineBytes))
        relay.lineOpened(line, after: count)
        close()
    }
}
