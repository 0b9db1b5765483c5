import HTTP1
import Resumption
import WebSocket

/// Clients of `/acp` whose conversations outlive their connections.
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
        guard let relay = bridge.relays.relay(id, for: identity) else {
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
        let relay = GuestRelay(id: id, identity: identity, bridge: bridge)
        do {
            try relay.start(GuestAddress(query: head.query), permit: permit)
        } catch {
            return respond(to: head, .text("There is no socket left for this.", status: 503))
        }
        bridge.relays.add(relay)
        join(relay, acceptance, after: 0)
    }

    private func join(_ relay: GuestRelay, _ acceptance: Handshake.Acceptance, after count: Int64) {
        relay.dropLine()
        var fields = acceptance.fields(subprotocol: nil)
        fields.append((Receipt.connectionFieldName, relay.id))
        fields.append((Receipt.fieldName, Receipt.text(relay.receivedCount)))
        let (remainder, bridge, permit) = (takeRemainder(), bridge, permit)
        guard let stream = switchProtocols(fields) else { return close() }
        let line = RelayLine(
            stream, deflate: acceptance.deflate, remainder: remainder, permit: permit, of: relay,
            turns: bridge.registry.turns, limits: MessageLimits(messageBytes: bridge.configuration.limits.lineBytes))
        relay.lineOpened(line, after: count)
        close()
    }
}
