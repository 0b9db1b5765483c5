import JSONScan
import Testing
import WebSocket

/// A client's messages that are not requests, or are malformed requests: an answer names the fault, and the connection
/// continues. ``WebSocketFaultTests`` covers the faults that end a connection.
@Suite(.blocking) struct BadMessageTests {
    private static var wrongRequests: [BadMessage] {
        [
            ("tinyvex/nothing", "{}", "-32601", "tinyvex/nothing"),
            (#"tinyvex/\ud800"#, "{}", "-32601", "unknown method"),
            ("tinyvex/subscribe", "[]", "-32602", "subId"), ("tinyvex/subscribe", #"{"subId":{}}"#, "-32602", "subId"),
            ("tinyvex/subscribe", subscribe(#""lastSeq":99999999999999999999"#), "-32602", "lastSeq"),
            ("tinyvex/subscribe", subscribe(#""lastSeq":1e400"#), "-32602", "lastSeq"),
            ("tinyvex/subscribe", subscribe(#""lastSeq":-1"#), "-32602", "lastSeq"),
            ("tinyvex/subscribe", subscribe(#""lastSeq":0"#), "TVX008", "nobody"),
            ("tinyvex/history.recentSessions", #"{"limit":true}"#, "-32602", "limit"),
            ("tinyvex/history.sessionUpdates", #"{"sessionId":"nobody"}"#, "TVX008", "nobody"),
            ("tinyvex/history.sessionUpdates", #"{"sessionId":7}"#, "-32602", "sessionId"),
            (
                "tinyvex/mutation", #"{"requestId":"r","name":"sessions:nothing","args":{}}"#, "-32602",
                "sessions:nothing"
            ),
            ("session/prompt", #"{"sessionId":"nobody","prompt":[]}"#, "", ""), ("", "{}", "", ""),
        ].map {
            BadMessage(
                message: BadMessage.request(#""id":"a","method":"\#($0.0)","params":\#($0.1)"#), code: $0.2,
                id: #""a""#,
                words: $0.3)
        }
    }

    private static func subscribe(_ members: String) -> String {
        #"{"subId":"s","name":"acp:sessionUpdates","params":{"sessionId":"nobody"},\#(members)}"#
    }

    @Test func eachBadMessageGetsItsErrorAndTheConnectionContinues() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let client = try TinyvexTestClient(home)
            for row in BadMessage.notJSON + BadMessage.noRequest + Self.wrongRequests {
                let shown = row.message.prefix(100)
                try client.send(row.message)
                let answer = try JSONValue(validating: try client.nextMessage())
                #expect(answer["id"]?.rawString == row.id, "\(shown)")
                #expect(row.code.isEmpty ? answer["error"] != nil : answer.errorCode == row.code, "\(shown)")
                let message = answer["error"]?["message"]?.stringValue ?? ""
                #expect(!message.isEmpty && (row.words.isEmpty || message.contains(row.words)), "\(shown): \(message)")
            }
            #expect(try client.call("tinyvex/ping")["result"] != nil)
            #expect(client.isQuiet)
        }
    }

    /// Every valid id is returned with its original spelling. Keys can be spelt with escapes.
    @Test func everyKindOfIdIsReturnedWithItsSpelling() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let client = try TinyvexTestClient(home)
            for id in BadMessage.ids {
                try client.send(#"{"\u006asonrpc":"2\u002e0","i\u0064":\#(id),"m\u0065thod":"tinyvex\/p\u0069ng"}"#)
                let answer = try JSONValue(validating: try client.nextMessage())
                #expect(answer["result"] != nil && answer["id"]?.rawString == id, "\(id.prefix(50))")
            }
        }
    }

    /// The bridge does not answer faults in notifications, or responses to requests that it never sent.
    @Test func notificationsAndUnknownResponsesGetNoAnswer() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let client = try TinyvexTestClient(home)
            for members in [
                #""method":"tinyvex/nothing""#, #""method":"tinyvex/subscribe","params":[]"#,
                #""method":"session/cancel""#,
                #""id":7,"result":{}"#, #""id":"7","error":{"code":1,"message":"no"}"#,
            ] {
                try client.send(BadMessage.request(members))
            }
            #expect(try client.call("tinyvex/ping")["result"] != nil)
            #expect(client.isQuiet)
        }
    }
}
