import JSONScan
import Testing
import WebSocket

/// What a client sends that is no request, or none as it should be: an answer names the fault, and the connection goes
/// on. What ends it is in ``WebSocketFaultTests``.
@Suite(.blocking) struct BadMessageTests {
    private struct Row {
        let message: String
        let code: String
        let id: String
        /// Words of the error's message.
        let words: String
    }

    /// A request with these members, of which each counts.
    private static func request(_ members: String) -> String { #"{"jsonrpc":"2.0",\#(members)}"# }

    private static func nested(_ depth: Int, _ open: String = "[", _ close: String = "]", _ core: String = "") -> String
    {
        String(repeating: open, count: depth) + core + String(repeating: close, count: depth)
    }

    private static var notJSON: [Row] {
        [
            ("", "ends too early"), (" \t\r\n", "ends too early"), ("{", "ends too early"), ("nul", "ends too early"),
            ("{'id':1}", "byte 1: unexpected byte"), (#"{"id":1,}"#, "unexpected byte"), ("[1,]", "unexpected byte"),
            (#"{"id":1} x"#, "byte 9: unexpected byte"), ("{}{}", "byte 2: unexpected byte"),
            ("NaN", "unexpected byte"),
            ("01", "unexpected byte"), ("+1", "unexpected byte"), (".5", "unexpected byte"), ("0x1", "unexpected byte"),
            (#""\x""#, "invalid escape"), (#""\u12zz""#, "invalid escape"), ("\"a\u{1}\"", "control byte"),
            ("\u{feff}{}", "byte 0"),
            (nested(100_000), "nested deeper than 512"),
            (String(repeating: "[", count: 100_000), "nested deeper than 512"),
            (nested(100_000, #"{"a":"#, "}", "1"), "nested deeper than 512"),
            (request(#""id":1,"method":"tinyvex/ping","params":\#(nested(600))"#), "nested deeper than 512"),
        ].map { Row(message: $0.0, code: "-32700", id: "null", words: $0.1) }
    }

    private static var noRequest: [Row] {
        [
            ("1", "null", "must be an object"), (#""tinyvex/ping""#, "null", "must be an object"),
            ("null", "null", "must be an object"), ("[]", "null", "must not be empty"),
            ("[\(request(#""id":1,"method":"tinyvex/ping""#))]", "null", "batches"), ("[1,2]", "null", "batches"),
            ("{}", "null", "jsonrpc"), (#"{"id":1,"method":"tinyvex/ping"}"#, "1", "jsonrpc"),
            (#"{"jsonrpc":2.0,"id":1,"method":"tinyvex/ping"}"#, "1", "jsonrpc"), (request(#""id":1"#), "1", "needs"),
            (request(#""id":true,"method":"tinyvex/ping""#), "null", "\"id\" must"),
            (request(#""id":{},"method":"tinyvex/ping""#), "null", "\"id\" must"),
            (request(#""id":[1],"method":"tinyvex/ping""#), "null", "\"id\" must"),
            (request(#""id":1,"method":7"#), "1", "\"method\" must"),
            (request(#""id":1,"method":null"#), "1", "\"method\""),
            (request(#""id":1,"method":"tinyvex/ping","params":"t""#), "1", "\"params\" must"),
            (request(#""id":1,"method":"tinyvex/ping","params":7"#), "1", "\"params\" must"),
            (request(#""id":1,"id":2,"method":"tinyvex/ping""#), "null", "named twice"),
            (request(#""id":1,"method":"tinyvex/ping","m\u0065thod":"tinyvex/nothing""#), "null", "named twice"),
            (request(#""id":1,"method":"tinyvex/ping","params":{},"params":{}"#), "null", "named twice"),
            (request(#""jsonrpc":"2.0","id":1,"method":"tinyvex/ping""#), "null", "named twice"),
            (request(#""id":1,"method":"tinyvex/ping","result":1"#), "1", "only one of"),
        ].map { Row(message: $0.0, code: "-32600", id: $0.1, words: $0.2) }
    }

    private static var wrongRequests: [Row] {
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
            Row(
                message: request(#""id":"a","method":"\#($0.0)","params":\#($0.1)"#), code: $0.2, id: #""a""#,
                words: $0.3)
        }
    }

    private static func subscribe(_ members: String) -> String {
        #"{"subId":"s","name":"acp:sessionUpdates","params":{"sessionId":"nobody"},\#(members)}"#
    }

    @Test func eachIsAnsweredByItsFaultAndTheConnectionGoesOn() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let client = try TinyvexTestClient(home)
            for row in Self.notJSON + Self.noRequest + Self.wrongRequests {
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

    /// Whatever may be an id comes back as it was spelt; keys may be spelt with escapes.
    @Test func everyKindOfIdComesBackAsItWasSpelt() throws {
        let ids = [
            "0", "-1", "9007199254740993", "123456789012345678901234567890", "1.50", "1e400", "-0", "1E-7", "null",
            #""""#, #""a""#, #""\u0061""#, #""\ud800""#, #""\ud83d\ude00""#, #""😀\/""#,
            "\"\(String(repeating: "x", count: 10_000))\"",
        ]
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let client = try TinyvexTestClient(home)
            for id in ids {
                try client.send(#"{"\u006asonrpc":"2\u002e0","i\u0064":\#(id),"m\u0065thod":"tinyvex\/p\u0069ng"}"#)
                let answer = try JSONValue(validating: try client.nextMessage())
                #expect(answer["result"] != nil && answer["id"]?.rawString == id, "\(id.prefix(50))")
            }
        }
    }

    /// What must not be answered is not: faults of notifications, answers that nobody asked for.
    @Test func whatBearsNoIdIsNotAnswered() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let client = try TinyvexTestClient(home)
            for members in [
                #""method":"tinyvex/nothing""#, #""method":"tinyvex/subscribe","params":[]"#,
                #""method":"session/cancel""#,
                #""id":7,"result":{}"#, #""id":"7","error":{"code":1,"message":"no"}"#,
            ] {
                try client.send(Self.request(members))
            }
            #expect(try client.call("tinyvex/ping")["result"] != nil)
            #expect(client.isQuiet)
        }
    }
}
