import EventLoop
import JSONScan
import Posix
import Testing
import WebSocket

@Suite(.blocking) struct WebSocketFaultTests {
    /// The bytes that a peer sends, and the code with which the bridge closes the connection.
    private static func faults() -> [(name: String, bytes: [UInt8], code: CloseCode)] {
        var binary: [UInt8] = []
        Frame.append(.binary, [1, 2, 3].span, maskKey: 7, to: &binary)
        var unmasked: [UInt8] = []
        Frame.append(.text, Array("{}".utf8).span, to: &unmasked)
        var notUTF8: [UInt8] = []
        Frame.append(.text, [0x22, 0xff, 0x22].span, maskKey: 7, to: &notUTF8)
        func text(_ bytes: [UInt8], fin: Bool = true) -> [UInt8] {
            var frame: [UInt8] = []
            Frame.append(.text, bytes.span, fin: fin, maskKey: 7, to: &frame)
            return frame
        }
        func control(_ head: [UInt8], _ payload: [UInt8] = []) -> [UInt8] { head + [0, 0, 0, 0] + payload }
        // 127 announces a length of eight bytes. The length here is 16 MiB and one byte, which is one byte over the
        // limit of a message.
        let tooLong: [UInt8] = [0x81, 0xff, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0]
        return [
            ("a binary message", binary, .unsupportedData),
            ("an unmasked frame", unmasked, .protocolError),
            ("reserved bits", [0xf1, 0x80, 0, 0, 0, 0], .protocolError),
            ("a message that is not UTF-8", notUTF8, .invalidPayload),
            ("a message over the limit", tooLong, .messageTooBig),
            // The header announces ten bytes, and three follow.
            (
                "invalid text in an incomplete frame", control([0x81, 0x8a], [0x22, 0xc3, 0x28]),
                .invalidPayload
            ),
            ("text that ends inside a character", text([0xc3]), .invalidPayload),
            ("a continuation without a first frame", control([0x80, 0x80]), .protocolError),
            ("a message within a message", text([0x22], fin: false) + text([0x22]), .protocolError),
            ("a compressed message", control([0xc1, 0x80]), .protocolError),
            ("a reserved opcode", control([0x83, 0x80]), .protocolError),
            ("a reserved control opcode", control([0x8b, 0x80]), .protocolError),
            ("a ping in fragments", control([0x09, 0x80]), .protocolError),
            ("a ping that is too long", [0x89, 0xfe, 0, 126, 0, 0, 0, 0], .protocolError),
            ("a length that uses more bytes than necessary", [0x81, 0xfe, 0, 125, 0, 0, 0, 0], .protocolError),
            ("a length with its highest bit", [0x81, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], .protocolError),
            ("half a close code", control([0x88, 0x81], [3]), .protocolError),
            ("a close code that must not be sent", control([0x88, 0x82], [0x03, 0xed]), .protocolError),
            ("a close reason that is not UTF-8", control([0x88, 0x83], [0x03, 0xe8, 0xff]), .invalidPayload),
            ("a close frame", Frame.close(.normalClosure, maskKey: 7), .normalClosure),
        ]
    }

    @Test func aFaultClosesOnlyItsConnectionWithItsCode() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let bystander = try TinyvexTestClient(home)
            for (name, bytes, code) in Self.faults() {
                let client = try TinyvexTestClient(home)
                try client.write(bytes)
                try client.waitForEnd()
                #expect(client.closeCode == code, "\(name)")
            }
            #expect(try bystander.call("tinyvex/ping")["result"] != nil)
        }
    }

    @Test func aPingIsAnsweredWithTheSameBytes() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let client = try TinyvexTestClient(home)
            try client.write(Frame.ping(Array("are you there".utf8), maskKey: 7))
            _ = try client.call("tinyvex/ping")
            #expect(client.pongs == [Array("are you there".utf8)])
        }
    }

    @Test func aRequestSentWithTheHandshakeIsAnswered() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let connection = try RawConnection(.unix(path: home.socket))
            var bytes = Array(RawConnection.head("/tinyvex", RawConnection.upgrade).utf8)
            let request = #"{"jsonrpc":"2.0","id":"early","method":"tinyvex/ping","params":{"t":42}}"#
            Frame.append(.text, Array(request.utf8).span, maskKey: 7, to: &bytes)
            try connection.send(bytes)
            try connection.waitForText(#""id":"early""#)
            try connection.waitForText(#""t":42"#)
        }
    }

    @Test func controlFramesBetweenFragmentsAreAnsweredAtOnce() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let client = try TinyvexTestClient(home)
            let request = Array(#"{"jsonrpc":"2.0","id":"parts","method":"tinyvex/ping","params":{"t":1}}"#.utf8)
            var bytes: [UInt8] = []
            Frame.append(.text, request.span.extracting(..<20), fin: false, maskKey: 7, to: &bytes)
            bytes += Frame.ping([1], maskKey: 7)
            Frame.append(.continuation, request.span.extracting(20..<20), fin: false, maskKey: 7, to: &bytes)
            bytes += Frame.pong([9], maskKey: 7) + Frame.ping([2], maskKey: 7)
            Frame.append(.continuation, request.span.extracting(20...), maskKey: 7, to: &bytes)
            try client.write(bytes)
            let answer = String(decoding: try client.nextMessage(), as: UTF8.self)
            #expect(answer.contains(#""id":"parts""#))
            #expect(client.pongs == [[1], [2]])
        }
    }

    // MARK: The closing handshake

    /// A WebSocket on which the test sees every byte.
    private static func open(_ home: BridgeHome) throws -> RawConnection {
        let connection = try RawConnection(.unix(path: home.socket))
        try connection.send(Array(RawConnection.head("/tinyvex", RawConnection.upgrade).utf8))
        try connection.waitForText("\r\n\r\n")
        return connection
    }

    @Test func aClientsCloseFrameIsAnsweredWithItsCode() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let connection = try Self.open(home)
            var late: [UInt8] = []
            Frame.append(
                .text, Array(#"{"jsonrpc":"2.0","id":1,"method":"tinyvex/ping"}"#.utf8).span, maskKey: 7, to: &late)
            let close = Frame.close(CloseCode(rawValue: 4321), reason: "done", maskKey: 7)
            try connection.send(close + Frame.ping(maskKey: 7) + late)
            #expect(try connection.rest() == Frame.close(CloseCode(rawValue: 4321)))
        }
    }

    @Test func aClosingBridgeWaitsForTheClientsCloseFrameAndIgnoresOtherFrames() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let connection = try Self.open(home)
            var binary: [UInt8] = []
            Frame.append(.binary, [1].span, maskKey: 7, to: &binary)
            try connection.send(binary + Frame.ping(maskKey: 7) + binary)
            try connection.waitForText("messages are text")
            try connection.send(Frame.ping(maskKey: 7) + Frame.close(.unsupportedData, maskKey: 7))
            #expect(try connection.rest() == Frame.close(.unsupportedData, reason: "messages are text"))
        }
    }

    @Test func aClosingBridgeStopsWaitingForASilentClient() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let connection = try Self.open(home)
            var binary: [UInt8] = []
            Frame.append(.binary, [1].span, maskKey: 7, to: &binary)
            try connection.send(binary)
            #expect(try connection.rest() == Frame.close(.unsupportedData, reason: "messages are text"))
        }
    }
}
