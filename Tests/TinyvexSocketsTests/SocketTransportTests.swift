import EventLoop
import Glibc
import HTTP1
import JSONScan
import Posix
import Synchronization
import TestSupport
import Testing
import TinyvexMachine
import TinyvexSockets
import TinyvexSync
import TinyvexTransport
import WebSocket

@Suite(.timeLimit(.minutes(10))) struct SocketTransportTests {
    // MARK: Opening

    @Test(arguments: [ScriptedServer.Place.unix, .tcp], ServedBy.allCases)
    func textsAreSentBothWays(_ place: ScriptedServer.Place, _ host: ServedBy) async throws {
        let server = try ScriptedServer.webSocket(on: place) { peer in
            while case .text(let text) = try peer.next() { try peer.send(.text, text.reversed()) }
        }
        let connection = try await server.connect(on: host)
        try await connection.send([text("abc"), text(""), text("def")])
        #expect(try await messages(3, from: connection) == [text("cba"), text(""), text("fed")])
        await connection.close(code: 1000)
        try await server.finish()
    }

    @Test func theRequestContainsTargetHostAndToken() async throws {
        let server = try ScriptedServer { peer in
            let head = try peer.readRequest()
            #expect(head.target == "/tinyvex")
            #expect(head.headers.all("Host") == ["localhost"])
            #expect(head.headers.all("Authorization") == ["Bearer secret"])
            try peer.send(peer.upgrade(for: head))
        }
        _ = try await server.connect(token: "secret")
        try await server.finish()
    }

    private static let refusals: [(answer: String, failure: TransportFailure)] = [
        ("401 Unauthorized\r\nContent-Length: 0", .unauthorized),
        ("429 Too Many Requests\r\nRetry-After: 7\r\nContent-Length: 0", .busy(retryAfter: .seconds(7))),
        ("429 Too Many Requests\r\nContent-Length: 0", .busy(retryAfter: nil)),
        ("503 Unavailable\r\nRetry-After: Fri, 31 Dec 1999 23:59:59 GMT\r\nContent-Length: 0", .busy(retryAfter: nil)),
        ("503 Unavailable\r\nContent-Length: 0", .refused(status: 503, reason: "")),
        ("302 Found\r\nLocation: ws://elsewhere/\r\nContent-Length: 0", .refused(status: 302, reason: "")),
        ("404 Not Found\r\n\r\nnothing here\nor there", .refused(status: 404, reason: "nothing here")),
        ("200 OK\r\nContent-Length: 2\r\n\r\nhi", .refused(status: 200, reason: "hi")),
        (
            "101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: guess",
            .notWebSocket(reason: "The server's Sec-WebSocket-Accept does not match the request's key.")
        ),
    ]

    @Test(arguments: refusals) func refusalsAreMappedToFailures(
        _ row: (answer: String, failure: TransportFailure)
    ) async throws {
        let server = try ScriptedServer { peer in
            _ = try peer.readRequest()
            let end = row.answer.contains("\r\n\r\n") ? "" : "\r\n\r\n"
            try peer.send(Array("HTTP/1.1 \(row.answer)\(end)".utf8))
        }
        #expect(await failure { try await server.connect() } == row.failure)
    }

    @Test func aServerWithoutHTTPIsNotAWebSocketServer() async throws {
        let server = try ScriptedServer { try $0.send(Array("220 mail.example ESMTP\r\n".utf8)) }
        guard case .notWebSocket = await failure({ try await server.connect() }) else {
            Issue.record("the server was accepted")
            return
        }
    }

    @Test func anEndpointWithoutAServerIsUnreachable() async throws {
        let folder = TemporaryFolder()
        let request = ConnectionRequest(endpoint: .unix(path: folder.path + "/none"))
        let failure = await failure { try await SocketTransport().connect(request) }
        #expect(failure == .unreachable(reason: "No such file or directory"))
    }

    @Test(arguments: ServedBy.allCases) func aServerThatClosesBeforeItsResponseIsUnreachable(_ host: ServedBy)
        async throws
    {
        let server = try ScriptedServer { _ = try $0.readRequest() }
        guard case .unreachable = await failure({ try await server.connect(on: host) }) else {
            Issue.record("the server was not reported as unreachable")
            return
        }
    }

    @Test func aServerThatNeverAnswersTimesOut() async throws {
        let server = try ScriptedServer { peer in
            _ = try peer.readRequest()
            #expect(try peer.next() == nil)
        }
        #expect(await failure { try await server.connect(timeout: .milliseconds(50)) } == .timedOut)
        try await server.finish()
    }

    @Test(arguments: ServedBy.allCases) func cancellingAConnectEndsIt(_ host: ServedBy) async throws {
        let (asked, wasAsked) = AsyncStream.makeStream(of: Never.self)
        let server = try ScriptedServer { peer in
            _ = try peer.readRequest()
            wasAsked.finish()
            #expect(try peer.next() == nil, "the connection was closed")
        }
        let connecting = Task { await failure { try await server.connect(on: host) } }
        for await _ in asked {}
        connecting.cancel()
        #expect(await connecting.value == .cancelled)
        try await server.finish()
    }

    // MARK: Reading

    @Test(arguments: ServedBy.allCases) func messagesReceivedWithTheHandshakeAreNotLost(_ host: ServedBy) async throws {
        let server = try ScriptedServer { peer in
            let head = try peer.readRequest()
            try peer.send(
                peer.upgrade(for: head) + ScriptedPeer.frame(.text, Array("one".utf8))
                    + ScriptedPeer.frame(.text, Array("two".utf8)))
            #expect(try peer.next() == .close(.normalClosure, reason: []))
        }
        let connection = try await server.connect(on: host)
        #expect(try await messages(2, from: connection) == [text("one"), text("two")])
        await connection.close(code: 1000)
        try await server.finish()
    }

    @Test(arguments: ServedBy.allCases) func readsOfAnySizeYieldTheSameMessages(_ host: ServedBy) async throws {
        let server = try ScriptedServer { peer in
            let head = try peer.readRequest()
            var bytes = try peer.upgrade(for: head)
            for index in 0..<20 { bytes += ScriptedPeer.frame(.text, Array("message \(index)".utf8)) }
            bytes += ScriptedPeer.frame(.text, Array("in two ".utf8), fin: false)
            bytes += ScriptedPeer.frame(.ping, [1, 2, 3])
            bytes += ScriptedPeer.frame(.continuation, Array("frames".utf8))
            for byte in bytes { try peer.send([byte]) }
            #expect(try peer.next() == .pong([1, 2, 3]))
        }
        let connection = try await server.connect(on: host)
        let wanted = (0..<20).map { text("message \($0)") } + [text("in two frames")]
        #expect(try await messages(21, from: connection) == wanted)
        try await server.finish()
    }

    @Test(arguments: ServedBy.allCases) func aPingIsAnsweredWithoutAReader(_ host: ServedBy) async throws {
        let server = try ScriptedServer.webSocket { peer in
            try peer.send(.ping, Array("are you there".utf8))
            #expect(try peer.next() == .pong(Array("are you there".utf8)))
        }
        let connection = try await server.connect(on: host)
        try await server.finish()
        await connection.close(code: 1000)
    }

    @Test(arguments: ServedBy.allCases) func theLargestAllowedMessageIsDelivered(_ host: ServedBy) async throws {
        let message = [UInt8](repeating: UInt8(ascii: "x"), count: 64 << 20)
        let server = try ScriptedServer.webSocket { try $0.send(.text, message) }
        let connection = try await server.connect(on: host)
        let batch = try await connection.receive()
        #expect(batch.count == 1 && batch.bytes == message)
    }

    @Test(arguments: ServedBy.allCases) func aMessageOverTheLimitEndsTheConnection(_ host: ServedBy) async throws {
        let server = try ScriptedServer.webSocket { peer in
            try peer.send(.text, [UInt8](repeating: UInt8(ascii: "a"), count: 100))
            try peer.send(.text, [UInt8](repeating: UInt8(ascii: "b"), count: 600))
            guard case .close(.messageTooBig?, _) = try peer.next() else {
                throw ScriptedPeer.Surprise(what: "no close frame with 1009")
            }
        }
        let connection = try await server.connect(on: host, messageLimitBytes: 100)
        #expect(try await messages(1, from: connection).count == 1)
        let beginning = [UInt8](repeating: UInt8(ascii: "b"), count: 512)
        #expect(
            await failure { try await connection.receive() } == .messageTooLarge(limitBytes: 100, beginning: beginning))
        try await server.finish()
    }

    @Test(arguments: ServedBy.allCases) func anAnswerOverTheLimitFailsItsCallWithoutAnotherConnection(
        _ host: ServedBy
    ) async throws {
        let server = try ScriptedServer.webSocket { peer in
            for answer in ["{}", "\"\(String(repeating: "x", count: 100_000))\""] {
                guard case .text(let text) = try peer.next() else {
                    throw ScriptedPeer.Surprise(what: "no request")
                }
                let id = try JSONValue(validating: text)["id"]?.rawString ?? ""
                try peer.send(.text, Array(#"{"jsonrpc":"2.0","id":\#(id),"result":\#(answer)}"#.utf8))
            }
            guard case .close(.messageTooBig?, _) = try peer.next() else {
                throw ScriptedPeer.Surprise(what: "no close frame with 1009")
            }
        }
        var configuration = SyncConfiguration(endpoint: server.endpoint)
        configuration.receiveLimitBytes = 1_000
        let client = SyncClient(configuration, transport: host.transport)
        let call = Call.request("x", params: Array("{}".utf8), isIdempotent: true)
        await #expect(throws: TinyvexError.tooLarge(limitBytes: 1_000)) { try await client.call(call) }
        try await server.finish()
    }

    @Test(arguments: ServedBy.allCases) func aPausedReaderStopsItsPeerAndLosesNothing(_ host: ServedBy) async throws {
        let message = [UInt8](repeating: UInt8(ascii: "m"), count: 10_000)
        let (stops, stop) = AsyncStream.makeStream(of: Int.self)
        let server = try ScriptedServer.webSocket { peer in
            var bytes: [UInt8] = []
            for _ in 0..<500 { bytes += ScriptedPeer.frame(.text, message) }
            let sent = try peer.sendUntilStopped(bytes)
            stop.yield(sent)
            try peer.send(bytes[sent...])
            #expect(try peer.next() == .close(.normalClosure, reason: []))
        }
        let connection = try await server.connect(on: host)
        for await sent in stops {
            // The limit covers the connection's buffers, one read, and the socket buffers.
            #expect(sent < MessageBatch.sizeHintBytes + (2 << 20))
            break
        }
        #expect(try await messages(500, from: connection).allSatisfy { $0 == message })
        await connection.close(code: 1000)
        try await server.finish()
    }

    @Test(arguments: ServedBy.allCases) func aCancelledReceiveLosesNoMessage(_ host: ServedBy) async throws {
        let (asked, wasAsked) = AsyncStream.makeStream(of: Never.self)
        let server = try ScriptedServer.webSocket { peer in
            #expect(try peer.next() == .text(Array("go".utf8)))
            try peer.send(.text, Array("one".utf8))
        }
        let connection = try await server.connect(on: host)
        let waiting = Task {
            wasAsked.finish()
            return await failure { try await connection.receive() }
        }
        for await _ in asked {}
        waiting.cancel()
        #expect(await waiting.value == .cancelled)
        try await connection.send([text("go")])
        #expect(try await messages(1, from: connection) == [text("one")])
    }

    // MARK: Writing

    @Test(arguments: ServedBy.allCases) func sendWaitsForAPeerThatDoesNotRead(_ host: ServedBy) async throws {
        let message = [UInt8](repeating: UInt8(ascii: "m"), count: 100_000)
        let proceed = Gate()
        let server = try ScriptedServer.webSocket { peer in
            proceed.wait()
            while case .text(let text) = try peer.next() { #expect(text == message) }
        }
        let connection = try await server.connect(on: host)
        let sending = Task {
            for count in 0... {
                do { try await connection.send([message]) } catch { return count }
            }
            return 0
        }
        // No event reports that nothing more will happen, so wait for a fixed time.
        try await Task.sleep(for: .milliseconds(200))
        sending.cancel()
        // The limit covers the connection's buffer and the socket buffers.
        #expect(await sending.value < 20)
        proceed.open()
        try await connection.send([message])
        await connection.close(code: 1000)
        try await server.finish()
    }

    // MARK: The end

    @Test(arguments: ServedBy.allCases) func aCloseIsAnsweredAndThrownAfterTheLastMessage(_ host: ServedBy) async throws
    {
        let server = try ScriptedServer.webSocket { peer in
            try peer.send(.text, Array("last".utf8))
            try peer.send(Frame.close(.goingAway, reason: "so long"))
            #expect(try peer.next() == .close(.goingAway, reason: []))
        }
        let connection = try await server.connect(on: host)
        try await server.finish()
        #expect(try await messages(1, from: connection) == [text("last")])
        #expect(await failure { try await connection.receive() } == .closed(code: 1001, reason: "so long"))
        #expect(await failure { try await connection.send([[]]) } == .closed(code: 1001, reason: "so long"))
    }

    @Test(arguments: [false, true]) func aVanishedPeerIsReportedAfterTheLastWholeMessage(_ resets: Bool) async throws {
        let server = try ScriptedServer.webSocket(on: .tcp) { peer in
            try peer.send(.text, Array("whole".utf8))
            try peer.send(ScriptedPeer.frame(.text, Array("half".utf8)).dropLast(2))
            // Wait until the peer has read the text, because a reset would overtake it.
            #expect(try peer.next() == .text(Array("got it".utf8)))
            if resets { peer.resetOnClose() }
        }
        let connection = try await server.connect()
        #expect(try await messages(1, from: connection) == [text("whole")])
        try await connection.send([text("got it")])
        guard case .lost = await failure({ try await connection.receive() }) else {
            Issue.record("the connection was not reported as lost")
            return
        }
    }

    @Test(arguments: ServedBy.allCases) func anInvalidFrameEndsTheConnection(_ host: ServedBy) async throws {
        let server = try ScriptedServer.webSocket { peer in
            try peer.send([0x83, 0])
            guard case .close(.protocolError?, _) = try peer.next() else {
                throw ScriptedPeer.Surprise(what: "no close frame with 1002")
            }
        }
        let connection = try await server.connect(on: host)
        #expect(
            await failure { try await connection.receive() }
                == .notWebSocket(reason: "A frame had the reserved opcode 3."))
        try await server.finish()
    }

    @Test(arguments: ServedBy.allCases) func closingSendsWhatWasSentBefore(_ host: ServedBy) async throws {
        let server = try ScriptedServer.webSocket { peer in
            for index in 0..<100 { #expect(try peer.next() == .text(Array("\(index)".utf8))) }
            #expect(try peer.next() == .close(.normalClosure, reason: []))
            try peer.send(Frame.close(.normalClosure))
            #expect(try peer.next() == nil)
        }
        let connection = try await server.connect(on: host)
        for index in 0..<100 { try await connection.send([text("\(index)")]) }
        await connection.close(code: 1000)
        try await server.finish()
        await connection.close(code: 1000)
    }

    @Test(arguments: ServedBy.allCases) func closingDoesNotWaitLongForAPeerThatDoesNotAnswer(_ host: ServedBy)
        async throws
    {
        let proceed = Gate()
        let server = try ScriptedServer.webSocket { _ in proceed.wait() }
        let connection = try await server.connect(on: host)
        await connection.close(code: 1000)
        proceed.open()
        try await server.finish()
    }

    @Test(arguments: ServedBy.allCases) func aReleasedConnectionClosesItself(_ host: ServedBy) async throws {
        let server = try ScriptedServer.webSocket { peer in
            #expect(try peer.next() == .close(.normalClosure, reason: []))
            try peer.send(Frame.close(.normalClosure))
            #expect(try peer.next() == nil)
        }
        _ = try await server.connect(on: host)
        try await server.finish()
    }
}
