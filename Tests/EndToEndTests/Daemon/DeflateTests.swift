import EventLoop
import JSONScan
import Posix
import Testing
import WebSocket

/// permessage-deflate between the real bridge and clients that request it.
@Suite(.blocking) struct DeflateTests {
    private static func client(
        _ daemon: Daemon, _ home: BridgeHome, _ offer: PermessageDeflate.Offer? = .init()
    ) throws -> TinyvexTestClient {
        let address = try #require(daemon.address)
        let token = String(decoding: FileBytes.read(home.token) ?? [], as: UTF8.self).prefix { !$0.isWhitespace }
        return try TinyvexTestClient(address, fields: [("Authorization", "Bearer \(token)")], offer: offer)
    }

    /// By default, and with `--deflate` for clients on this machine, the bridge declines compression.
    @Test(arguments: [[], ["--deflate"]])
    func compressionIsDeclinedForLocalClients(options: [String]) throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home, ["--listen", ":0"] + options.map { .init($0) })
            #expect(try Self.client(daemon, home).deflate == nil)
        }
    }

    @Test func onlyClientsThatOfferCompressionReceiveCompressedUpdates() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home, ["--listen", ":0", "--deflate-all"])
            let editor = try EditorSession([Binary.demoAgent], in: home)
            let plain = try Self.client(daemon, home, nil)
            let compressed = try Self.client(daemon, home)
            let forgetful = try Self.client(
                daemon, home, .init(PermessageDeflate(server: .init(keepsContext: false, windowBits: 9))))
            let clients = [plain, compressed, forgetful]
            #expect(clients.map { $0.deflate?.server.keepsContext } == [nil, true, false])
            for client in clients { _ = try client.subscribe(editor.sessionId, after: 0) }
            try editor.prompt("1500 chunks pace=0 no permission")
            for client in clients { expectSame(try client.updates(editor.updates.count), editor.updates) }
            #expect(compressed.receivedBytes < plain.receivedBytes / 4)
            #expect(forgetful.receivedBytes < plain.receivedBytes)
        }
    }

    /// The update is larger than the socket's and the bridge's own buffers together, while other messages are sent in
    /// between.
    @Test func aLongUpdateReachesASlowReaderCompletely() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home, ["--listen", ":0", "--deflate-all"])
            let editor = try EditorSession([Binary.rudeAgent, "big-line", "30000000"], in: home)
            let client = try Self.client(daemon, home)
            _ = try client.subscribe(editor.sessionId, after: 0)
            try editor.prompt("go")
            #expect(try client.call("tinyvex/ping", #"{"t":1}"#)["result"] != nil)
            expectSame(try client.updates(editor.updates.count), editor.updates)
        }
    }

    /// 100 MB of spaces in less than 200 kB: the message exceeds the size limit, however small it is on the wire.
    @Test func aMessageThatInflatesOverTheLimitIsRefused() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home, ["--listen", ":0", "--deflate-all", "--limit", "message=1MiB"])
            let client = try Self.client(daemon, home)
            let bomb = try client.compressedFrame([UInt8](repeating: 0x20, count: 100_000_000))
            #expect(bomb.count < 1 << 20)
            try client.write(bomb)
            try client.waitForEnd()
            #expect(client.closeCode == .messageTooBig)
        }
    }

    @Test func compressedRequestsAreAnswered() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home, ["--listen", ":0", "--deflate-all"])
            let client = try Self.client(daemon, home)
            for number in 1...3 {
                let request = #"{"jsonrpc":"2.0","id":\#(number),"method":"tinyvex/ping","params":{"t":1}}"#
                try client.write(client.compressedFrame(Array(request.utf8)))
                #expect(try JSONValue(validating: client.nextMessage())["id"]?.int64Value == Int64(number))
            }
        }
    }
}
