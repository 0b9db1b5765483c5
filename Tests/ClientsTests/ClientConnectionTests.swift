import Access
import Connections
import JSONScan
import TestSupport
import Testing
import WebSocket

@testable import Clients
@testable import EventLoop
@testable import Posix

/// The client's end of the transport.
@LoopActor private final class Remote: MessageReceiver {
    private(set) var received: [JSONValue] = []
    private(set) var closeCode: CloseCode?
    private(set) var hasEnded = false

    let hasRoom = true
    func receive(_ messages: [[UInt8]]) { received += messages.compactMap { try? JSONValue(validating: $0) } }
    func receiveClose(_ code: CloseCode?, _ reason: [UInt8]) { closeCode = code }
    func messagesWereHandled() {}
    func connectionEnded() { hasEnded = true }
}

@LoopActor private final class Parts {
    let remote = Remote()
    let table: ClientTableParts
    let connection: ClientConnection
    private let transport: MessageTransport

    init(_ wire: ClientConnection.Wire, identity: Identity = .localUser(1)) throws {
        table = try ClientTableParts()
        transport = table.table.messageTransport()
        transport.connect(to: remote)
        connection = ClientConnection(
            transport, id: "c1", identity: identity, wire: wire, address: RemoteClientAddress(query: "agent=demo"),
            host: table.table)
        #expect(connection.start())
    }

    func send(_ texts: String...) {
        for text in texts { transport.append(Array(text.utf8)) }
        transport.announce()
    }

    var errorCodes: [Int64?] { remote.received.map { $0["error"]?["code"]?.int64Value } }
}

@Suite(.serialized) struct ClientConnectionTests {
    init() { LoopThread.start }

    @Test @LoopActor func requestsAreAnsweredInTheirOrder() throws {
        let parts = try Parts(.tinyvex)
        parts.send(
            #"{"jsonrpc":"2.0","id":1,"method":"tinyvex/ping","params":{"t":7}}"#,
            #"{"jsonrpc":"2.0","id":2,"method":"tinyvex/unknown"}"#,
            #"{"jsonrpc":"2.0","id":3,"method":"tinyvex/ping"}"#)
        #expect(parts.remote.received.map { $0["id"]?.int64Value } == [1, 2, 3])
        #expect(parts.remote.received.first?["result"]?["t"]?.int64Value == 7)
        #expect(parts.errorCodes == [nil, -32601, nil])
    }

    @Test @LoopActor func aPingWithoutAnIdIsAnsweredWithANotification() throws {
        let parts = try Parts(.tinyvex)
        parts.send(#"{"jsonrpc":"2.0","method":"tinyvex/ping","params":{"t":7}}"#)
        #expect(parts.remote.received.map { $0["method"]?.stringValue } == ["tinyvex/pong"])
        #expect(parts.remote.received.first?["params"]?["t"]?.int64Value == 7)
    }

    @Test @LoopActor func textThatIsNotARequestIsRefusedAndTheConnectionStaysOpen() throws {
        let parts = try Parts(.tinyvex)
        parts.send("{", "[]", #"{"jsonrpc":"2.0","id":3,"method":"tinyvex/ping"}"#)
        #expect(parts.errorCodes == [-32700, -32600, nil])
        #expect(parts.remote.closeCode == nil)
    }

    @Test(arguments: [
        ("{", CloseCode.invalidPayload), (#"{"jsonrpc":"2.0","id":1,"method":"session/new"}"#, .protocolError),
        (#"{"jsonrpc":"2.0","method":"initialize"}"#, .protocolError),
    ])
    @LoopActor func anACPClientMustBeginWithInitialize(text: String, code: CloseCode) throws {
        let parts = try Parts(.acp)
        parts.send(text, #"{"jsonrpc":"2.0","id":2,"method":"initialize","params":{}}"#)
        #expect(parts.remote.closeCode == code)
        #expect(parts.remote.received.isEmpty)
    }

    @Test @LoopActor func aRequestForAMissingAgentIsRefused() throws {
        let parts = try Parts(.acp)
        parts.send(#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#)
        let message = parts.remote.received.first?["error"]?["message"]?.stringValue
        #expect(message?.contains("no agent demo") == true)
    }

    @Test @LoopActor func aClientWithoutRightsIsRefused() throws {
        let parts = try Parts(.tinyvex, identity: .nobody)
        parts.send(
            #"{"jsonrpc":"2.0","id":1,"method":"tinyvex/action","params":{"requestId":"1","name":"bridge:stop"}}"#)
        #expect(parts.remote.received.count == 1)
        #expect(parts.remote.received.first?["error"] != nil)
    }

    @Test @LoopActor func eachReasonToCloseHasItsCode() throws {
        let reasons: [(CloseCode, (ClientConnection) -> Void)] = [
            (.policyViolation, { $0.dismiss() }), (.serviceRestart, { $0.leaveForUpgrade() }),
            (.internalError, { $0.closeAfterFailure() }), (.tryAgainLater, { $0.closeSlowClient() }),
            (.tryAgainLater, { $0.closeBeforeSlowAgent() }), (.goingAway, { $0.goAway() }),
        ]
        for (code, close) in reasons {
            let parts = try Parts(.tinyvex)
            close(parts.connection)
            parts.loop.advance(by: .seconds(60))
            #expect(parts.remote.closeCode == code)
            #expect(parts.remote.hasEnded)
        }
    }

    @Test @LoopActor func aClosedConnectionAnswersNothing() throws {
        let parts = try Parts(.tinyvex)
        parts.connection.dismiss()
        parts.send(#"{"jsonrpc":"2.0","id":1,"method":"tinyvex/ping"}"#)
        #expect(parts.remote.received.isEmpty)
    }
}

extension Parts {
    fileprivate var loop: ManualLoop { table.loop }
}
