import AgentProcess
import EventLoop
import Glibc
import JSONScan
import Posix
import Testing
import WebSocket

/// Requests that a client sends without waiting for the answers, and without reading any of them.
@Suite(.blocking) struct PipeliningTests {
    /// The messages as a client's frames.
    private func frames(_ messages: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        for message in messages { Frame.append(.text, Array(message.utf8).span, maskKey: 0x0102_0304, to: &bytes) }
        return bytes
    }

    private func subscribe(_ id: Int) -> String {
        let params = #"{"subId":"x","name":"sessions:timeline","params":{"sessionId":"rude-1"}}"#
        return #"{"jsonrpc":"2.0","id":\#(id),"method":"tinyvex/subscribe","params":\#(params)}"#
    }

    /// More requests than one turn of the loop can handle, from several clients at once.
    @Test func simultaneousPipeliningClientsGetAllResponsesInOrder() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let clients = try (0..<4).map { _ in try TinyvexTestClient(home) }
            let pings = (0..<1_000).map { #"{"jsonrpc":"2.0","id":"p\#($0)","method":"tinyvex/ping"}"# }
            for client in clients { try client.write(frames(pings)) }
            for client in clients {
                for number in pings.indices {
                    let answer = try JSONValue(validating: try client.nextMessage())
                    guard answer["id"]?.stringValue == "p\(number)", answer["result"] != nil else {
                        Issue.record("\(answer.rawString) is not the answer to \(number)")
                        return
                    }
                }
            }
        }
    }

    @Test func aSubIdIsAcceptedOnceWhileResponsesAreQueued() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let editor = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            try editor.prompt("go")
            // A socket holds about 280 short answers. The request after the one that fills the socket must wait its
            // turn.
            for pings in 240..<320 {
                let connection = try RawConnection(.unix(path: home.socket))
                let pinging = (0..<pings).map { #"{"jsonrpc":"2.0","id":\#($0),"method":"tinyvex/ping"}"# }
                let head = Array(RawConnection.head("/tinyvex", RawConnection.upgrade).utf8)
                try connection.send(head + frames(pinging + [subscribe(9001), subscribe(9002)]))
                try connection.waitUntilBridgeRests()
                // The first request is answered with a subscription, and the second is refused.
                try connection.waitForText(#""id":9002,"error""#)
            }
            try editor.prompt("once more, after the readers have left")
            try eventually("the closed connections have no subscriptions") {
                try home.status()["subscriptions"]?.int64Value == 0
            }
        }
    }
}
