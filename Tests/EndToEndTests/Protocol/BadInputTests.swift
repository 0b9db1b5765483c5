import AgentProcess
import EventLoop
import JSONScan
import Posix
import Testing
import WebSocket

/// Bad input on each wire except `/tinyvex`, which ``BadMessageTests`` covers. Allowed input passes, all other input
/// gets an error that names the fault, and the connection stays open if its protocol allows that.
@Suite(.blocking) struct BadInputTests {
    // MARK: Between an editor and its agent

    /// The bridge does not interfere here: the editor and the agent must judge each other's messages themselves.
    @Test func standardStreamsPassAllBadInputUnchanged() throws {
        let requests = BadMessage.ids.map { #"{"jsonrpc":"2.0","i\u0064":\#($0),"m\u0065thod":"session\/prompt"}"# }
        let texts = (BadMessage.notJSON + BadMessage.noRequest).map(\.message) + requests
        let lines = texts.map { Array($0.utf8) } + [[0xff, 0xfe], Array(#"{"id":""#.utf8) + [0xc3, 0x28, 0x22, 0x7d]]
        let bytes = Array(lines.joined(separator: [0x0a])) + [0x0a]
        let outcome = try expectTransparent(rude("cat")) { editor in
            editor.post(bytes)
            editor.closeInput()
        }
        expectSame(outcome.output, bytes, "the echoed bytes")
    }

    /// Requests that only the agent can judge get the agent's own answer. Its ids are spelt as in the request.
    @Test func standardStreamsPassTheAgentsErrors() throws {
        let asked = BadMessage.ids.filter { $0 != "null" }.map {
            #"{"jsonrpc":"2.0","id":\#($0),"method":"nothing/here","params":{}}"#
        }
        let outcome = try expectTransparent(rude("echo")) { editor in
            for line in asked { try editor.sendLine(line) }
            editor.closeInput()
        }
        #expect(wholeLines(of: outcome.output).count == asked.count)
    }

    // MARK: On /acp

    private func withGuest(_ body: (RemoteTestClient) throws -> Void) throws {
        try BridgeHome.with { home in
            try home.addAgent("demo", [Binary.demoAgent])
            _ = try Daemon(home)
            let client = try RemoteTestClient(home, path: "/acp?agent=demo")
            #expect(try client.initialize()["result"] != nil)
            try body(client)
            #expect(try client.newSession(home).hasPrefix("demo-"), "the connection stays open")
        }
    }

    @Test func eachBadACPMessageGetsItsError() throws {
        try withGuest { client in
            for row in BadMessage.notJSON + BadMessage.noRequest + Self.wrongForAgents {
                let shown = row.message.prefix(100)
                try client.wire.send(row.message)
                let answer = try JSONValue(validating: try client.wire.nextMessage())
                #expect(answer["id"]?.rawString == row.id, "\(shown)")
                #expect(row.code.isEmpty ? answer["error"] != nil : answer.errorCode == row.code, "\(shown)")
                let message = answer["error"]?["message"]?.stringValue ?? ""
                #expect(!message.isEmpty && (row.words.isEmpty || message.contains(row.words)), "\(shown): \(message)")
            }
        }
    }

    /// The bridge or the agent answers, depending on whether the bridge knows the session. Every request gets an answer.
    private static var wrongForAgents: [BadMessage] {
        [
            ("nothing/here", "{}"), (#"\ud800"#, "{}"), ("", "{}"), ("session/prompt", "[]"),
            ("session/prompt", #"{"sessionId":"nobody","prompt":[]}"#), ("session/prompt", #"{"sessionId":7}"#),
            ("session/prompt", #"{"sessionId":"\ud800","prompt":[]}"#), ("session/load", #"{"sessionId":{}}"#),
            ("session/load", #"{"sessionId":"nobody","cwd":"/","mcpServers":[]}"#),
            ("tinyvex/subscribe", #"{"subId":"s","name":"bridge:status"}"#),
        ].map { method, params in
            let text = BadMessage.request(#""id":"a","method":"\#(method)","params":\#(params)"#)
            return BadMessage(message: text, code: "", id: #""a""#, words: "")
        }
    }

    @Test func everyACPIdIsReturnedWithItsSpelling() throws {
        try withGuest { client in
            for id in BadMessage.ids {
                try client.wire.send(#"{"\u006asonrpc":"2\u002e0","i\u0064":\#(id),"m\u0065thod":"nothing\/here"}"#)
                let answer = try JSONValue(validating: try client.wire.nextMessage())
                #expect(answer["error"] != nil && answer["id"]?.rawString == id, "\(id.prefix(50))")
            }
        }
    }

    /// If `initialize` has not succeeded, the connection cannot continue.
    @Test(arguments: [
        ("{", CloseCode.invalidPayload), (String(repeating: "[", count: 100_000), .invalidPayload),
        ("[]", .protocolError), ("{}", .protocolError), (#"{"jsonrpc":"2.0","id":1}"#, .protocolError),
        (#"{"jsonrpc":"2.0","id":1,"method":"session/new"}"#, .protocolError),
        (#"{"jsonrpc":"2.0","method":"initialize"}"#, .protocolError),
        (#"{"jsonrpc":"2.0","id":1,"method":"initialize","m\u0065thod":"x"}"#, .protocolError),
    ])
    func aBadFirstACPMessageClosesTheConnection(message: String, code: CloseCode) throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let client = try RemoteTestClient(home, path: "/acp?agent=rude")
            try client.wire.send(message)
            try client.wire.waitForEnd()
            #expect(client.wire.closeCode == code)
        }
    }

    // MARK: Over HTTP

    private static let deep =
        String(repeating: #"{"a":"#, count: 100_000) + "1" + String(repeating: "}", count: 100_000)

    /// Bodies of `/api/query`, the status of the answer, and words of its message.
    private static var bodies: [(body: [UInt8], status: Int, words: String)] {
        let texts: [(String, Int, String)] =
            BadMessage.notJSON.map { ($0.message, 400, $0.words) } + [
                ("null", 400, "must be a JSON object"), ("[]", 400, "must be a JSON object"),
                ("1e400", 400, "must be a JSON object"), ("{}", 400, "path"), (#"{"path":7}"#, 400, "path"),
                (#"{"path":"bridge:status","path":"bridge:status"}"#, 400, "named twice"),
                (#"{"path":"bridge:status","p\u0061th":"agents:list"}"#, 400, "named twice"),
                (#"{"path":"bridge:status","args":null,"args":{}}"#, 400, "named twice"),
                (#"{"p\u0061th":"bridge\u003astatus"}"#, 200, ""), (#"{"path":"\ud800"}"#, 400, ""),
                (#"{"path":"nothing:here"}"#, 400, "nothing:here"),
                (#"{"path":"bridge:status","args":[]}"#, 400, "args"),
                (#"{"path":"sessions:list","args":{"limit":true}}"#, 400, "limit"),
                (#"{"path":"sessions:list","args":{"limit":99999999999999999999}}"#, 400, "limit"),
                (#"{"path":"sessions:list","args":{"limit":1e400}}"#, 400, "limit"),
                (#"{"path":"sessions:list","args":{"page":-1}}"#, 400, "page"),
                (#"{"path":"sessions:list","args":{"page":9223372036854775807,"limit":100}}"#, 400, "page"),
                (#"{"path":"sessions:get","args":{"sessionId":7}}"#, 400, "sessionId"),
                (#"{"path":"sessions:get","args":{"sessionId":"nobody"}}"#, 404, "nobody"),
                (#"{"path":"sessions:get","args":{"sessionId":"\ud800"}}"#, 404, ""),
                (#"{"path":"bridge:status","args":\#(deep)}"#, 400, "nested deeper"),
            ]
        return texts.map { (Array($0.0.utf8), $0.1, $0.2) } + [
            (Array(#"{"path":""#.utf8) + [0xff, 0x22, 0x7d], 400, "UTF-8"), ([0xff], 400, ""), ([0], 400, ""),
        ]
    }

    private static let targets: [(target: String, status: Int)] = [
        ("/v1/sessions?limit=99999999999999999999", 400), ("/v1/sessions?limit=1e3", 400), ("/v1/sessions?limit=", 400),
        ("/v1/sessions?limit=-1", 400), ("/v1/sessions?page=9223372036854775807", 400),
        ("/v1/sessions?limit=1&limit=2", 400), ("/v1/sessions?live=true&live=false", 400),
        ("/v1/sessions?search=%ff", 400), ("/v1/sessions?search=%zz", 400), ("/v1/sessions?search=%00", 200),
        ("/v1/sessions?nothing=1", 200), ("/v1/sessions/%ff", 404), ("/v1/sessions/nobody", 404),
        ("/v1/sessions/%ed%a0%80", 404), ("/v1/sessions/nobody/updates?cursor=-1", 400),
        ("/v1/sessions/nobody/updates?cursor=9223372036854775808", 400), ("/v1/sessions//", 404), ("/v1/%2e%2e/x", 404),
    ]

    @Test func eachBadHTTPRequestGetsItsError() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let client = HTTPClient(.unix(path: home.socket))
            for row in Self.bodies {
                let shown = String(decoding: row.body.prefix(100), as: UTF8.self)
                let head = RawConnection.head(
                    "/api/query", method: "POST", ["Content-Length: \(row.body.count)"])
                let connection = try RawConnection(client.address)
                try connection.send(Array(head.utf8))
                // Sent in pieces, as fast as the socket accepts them.
                for start in stride(from: 0, to: row.body.count, by: 1 << 14) {
                    try connection.send(Array(row.body[start..<min(start + 1 << 14, row.body.count)]))
                }
                let response = try connection.response(to: "")
                #expect(response.status == row.status, "\(shown)")
                let message = try response.json()["errorMessage"]?.stringValue ?? ""
                let isSaid = row.words.isEmpty ? !message.isEmpty : message.contains(row.words)
                #expect(row.status == 200 || isSaid, "\(shown): \(message)")
            }
            for row in Self.targets {
                let response = try client.get(row.target)
                #expect(response.status == row.status, "\(row.target)")
                let message = try response.json()["error"]?.stringValue
                #expect(row.status == 200 || message?.isEmpty == false, "\(row.target)")
            }
            #expect(try client.get("/healthz").status == 200)
        }
    }
}
