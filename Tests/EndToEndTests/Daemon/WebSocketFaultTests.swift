import EventLoop
import JSONScan
import Testing
import WebSocket

@Suite(.blocking) struct WebSocketFaultTests {
    /// What a peer sends, and the code it is closed with.
    private static func faults() -> [(name: String, bytes: [UInt8], code: CloseCode)] {
        var binary: [UInt8] = []
        Frame.append(.binary, [1, 2, 3].span, maskKey: 7, to: &binary)
        var unmasked: [UInt8] = []
        Frame.append(.text, Array("{}".utf8).span, to: &unmasked)
        var notUTF8: [UInt8] = []
        Frame.append(.text, [0x22, 0xff, 0x22].span, maskKey: 7, to: &notUTF8)
        // 127 announces a length of eight bytes: here 1 MiB and one more than a message may have.
        let tooLong: [UInt8] = [0x81, 0xff, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0]
        return [
            ("a binary message", binary, .unsupportedData),
            ("an unmasked frame", unmasked, .protocolError),
            ("reserved bits", [0xf1, 0x80, 0, 0, 0, 0], .protocolError),
            ("a message that is no UTF-8", notUTF8, .invalidPayload),
            ("a message over the limit", tooLong, .messageTooBig),
            ("a close frame", Frame.close(.normalClosure, maskKey: 7), .normalClosure),
        ]
    }

    @Test func aFaultClosesTheConnectionWithItsCodeAndNoOtherOne() throws {
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

    @Test func aPingIsAnsweredWithItsOwnBytes() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let client = try TinyvexTestClient(home)
            try client.write(Frame.ping(Array("are you there".utf8), maskKey: 7))
            _ = try client.call("tinyvex/ping")
            #expect(client.pongs == [Array("are you there".utf8)])
        }
    }

    @Test func whatComesRightBehindTheHandshakeIsAnswered() throws {
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
}
