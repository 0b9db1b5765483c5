import AgentProcess
import Glibc
import JSONScan
import Testing
import Tinyvex

/// Makes a bridge send every message it has, and records the messages.
struct ProtocolTour {
    let home: BridgeHome
    private(set) var recording = MessageRecording()
    /// The query of each `subId` that is not a stream.
    private var values: [String: String] = [:]

    init(_ home: BridgeHome) { self.home = home }

    // MARK: Steps

    mutating func connection() throws {
        let client = try TinyvexTestClient(.unix(path: home.socket))
        try call(client, "tinyvex/connect", #"{"client":{"name":"tour","version":"1"}}"#)
        try call(client, "tinyvex/ping", #"{"t":{"x":[1.50]}}"#)
        try call(client, "tinyvex/ping")
        for params in ["", #","params":{"t":1.50}"#] {
            try client.send(#"{"jsonrpc":"2.0","method":"tinyvex/ping"\#(params)}"#)
            keep(try client.next("tinyvex/pong"))
        }
        try value(client, "bridge:status")
        try value(client, "agents:list")
        try tokens(client)
    }

    /// A list of sessions that is too long for one message.
    mutating func chunks() throws {
        let editor = try TourEditor([Binary.rudeAgent, "echo"], in: home)
        let folder = "/" + String(repeating: "long/", count: 700)
        for _ in 0..<20 { try editor.request("session/new", #"{"cwd":"\#(folder)","mcpServers":[]}"#) }
        let client = try TinyvexTestClient(.unix(path: home.socket))
        try call(client, "tinyvex/connect", #"{"features":{"chunks":true}}"#)
        try call(client, "tinyvex/subscribe", #"{"subId":"l","name":"sessions:list"}"#)
        try keep(client) { $0["params"]?["part"]?.int64Value == 2 }
        try editor.leave()
    }

    private mutating func tokens(_ client: TinyvexTestClient) throws {
        for args in [#"{"role":"observe"}"#, #"{"role":"control","lifeSeconds":300,"short":true}"#] {
            try call(client, "tinyvex/action", #"{"requestId":"0","name":"codes:create","args":\#(args)}"#)
        }
        for args in [#"{"role":"observe"}"#, #"{"role":"admin","name":"tour","ttlSeconds":60}"#] {
            try call(client, "tinyvex/action", #"{"requestId":"1","name":"tokens:create","args":\#(args)}"#)
        }
        let list = try client.call("tinyvex/action", #"{"requestId":"2","name":"tokens:list"}"#)
        recording.add("tinyvex/action.response", list)
        let id = try #require(list["result"]?["value"]?.elements.first?["id"]?.stringValue)
        let revoke = #"{"requestId":"3","name":"tokens:revoke","args":{"id":"\#(id)"}}"#
        try call(client, "tinyvex/action", revoke)
        try call(client, "tinyvex/auth.setToken", #"{"token":"nonsense"}"#, fails: "TVX006")
        try call(client, "tinyvex/auth.setToken", #"{"token":null}"#)
    }

    private static func params(of name: QueryName) -> String {
        switch name {
        case .sessionsGet: #"{"sessionId":"rude-1"}"#
        case .sessionsSearch: #"{"query":"rude"}"#
        case .usageByDay: #"{"starts":[0]}"#
        case .filesGet: #"{"storageId":"\#(String(repeating: "0", count: 32))"}"#
        default: "{}"
        }
    }

    /// A turn with two permissions: one is answered and one fails. The session appears as running and as idle, then it
    /// is closed.
    mutating func session() throws {
        let editor = try TourEditor([Binary.rudeAgent, "echo", "--id-style", "string"], in: home)
        let client = try TinyvexTestClient(home)
        try subscribe(client, "u", "acp:sessionUpdates", #"{"sessionId":"rude-1"}"#)
        try subscribe(client, "t", "sessions:timeline", #"{"sessionId":"rude-1"}"#)
        for answer in [#""result":{"outcome":{"outcome":"cancelled"}}"#, #""error":{"code":-32603,"message":"no"}"#] {
            let id = try editor.prompt()
            for name in QueryName.allCases {
                try value(client, name.rawValue, Self.params(of: name))
            }
            try call(client, "tinyvex/history.recentSessions")
            try editor.answerPermission(id, answer)
            try keep(client) { $0["params"]?["value"]?["kind"]?.stringValue == "turn_end" }
        }
        try call(client, "tinyvex/history.recentSessions", #"{"limit":1}"#)
        try history(client)
        for format in ExportRequest.Format.allCases {
            let args = #"{"sessionId":"rude-1","format":"\#(format.rawValue)"}"#
            try call(client, "tinyvex/action", #"{"requestId":"4","name":"sessions:export","args":\#(args)}"#)
        }
        try call(
            client, "tinyvex/action",
            #"{"requestId":"4","name":"sessions:import","args":{"agent":"a","text":"","last":true}}"#)
        try editor.request("session/close", #"{"sessionId":"rude-1"}"#)
        try keepEnds(client, 2)
        try call(client, "tinyvex/unsubscribe", #"{"subId":"u"}"#)
        try editor.leave()
    }

    /// A reader that is behind, under each policy. The session's updates are chunks of one message.
    mutating func policies() throws {
        try TourEditor([Binary.rudeAgent, "flood", "--lines", "9", "--on", "new"], in: home).leave()
        for policy in ["latest", "thoughts", "merge"] {
            let client = try TinyvexTestClient(home)
            let params = updates(
                "p", #""sessionId":"rude-1""#, #","lastSeq":0,"policy":{"name":"\#(policy)","maxFrames":0}"#)
            try call(client, "tinyvex/subscribe", params)
            try keepEnds(client, 1)
            if policy == "latest" { try keep(client) { $0["method"]?.stringValue == "tinyvex/error" } }
        }
    }

    /// Sessions that end by an exit, by a signal, and with the bridge itself.
    mutating func endings() throws {
        try TourEditor([Binary.rudeAgent, "echo"], in: home).leave()
        try follow("rude-1")
        try TourEditor.crash([Binary.rudeAgent, "crash", "--signal", "9", "--on", "new"], in: home)
        try follow("rude-1")
        let editor = try TourEditor([Binary.rudeAgent, "echo"], in: home)
        kill(try #require(home.daemon), SIGKILL)
        try editor.waitForEnd()
        try TourEditor([Binary.rudeAgent, "echo", "--sessions", "1"], named: "other-agent", in: home).leave()
        try follow("rude-1", agent: "rude-agent")
    }

    /// The user's changes to a session, up to its deletion.
    mutating func mutations() throws {
        try TourEditor([Binary.rudeAgent, "echo"], named: "third-agent", in: home).leave()
        let client = try TinyvexTestClient(home)
        let session = #""sessionId":"rude-1","agent":"third-agent""#
        try eventually("the session has ended") {
            try client.call("tinyvex/history.recentSessions", #"{"limit":1}"#).rawString.contains("ended")
        }
        for (name, args) in [
            ("setTitle", #","title":"Tour""#), ("setTitle", ""), ("setTags", #","tags":["a"]"#), ("archive", ""),
            ("delete", ""),
        ] {
            let answer = try client.mutate("sessions:\(name)", "{\(session)\(args)}")
            recording.add("tinyvex/mutation.response", answer)
        }
    }

    mutating func errors() throws {
        let client = try TinyvexTestClient(home)
        try call(client, "tinyvex/mutation", fails: nil)
        let live = #"{"requestId":"8","name":"sessions:delete","args":{"sessionId":"gone"}}"#
        try call(client, "tinyvex/mutation", live, fails: "TVX008")
        try call(client, "tinyvex/unsubscribe", "{}", fails: nil)
        try call(client, "tinyvex/action", #"{"requestId":"7","name":"bridge:fly"}"#, fails: nil)
        try call(client, "tinyvex/unsubscribe", #"{"subId":"x"}"#, fails: "TVX001")
        try call(client, "tinyvex/subscribe", #"{"subId":"x","name":"sessions:lost"}"#, fails: "TVX002")
        try call(client, "tinyvex/subscribe", updates("x", #""sessionId":"gone""#), fails: "TVX008")
        try call(client, "tinyvex/subscribe", updates("x", #""sessionId":"rude-1""#), fails: "TVX009")
        let known = #""sessionId":"rude-1","agent":"rude-agent""#
        try call(client, "tinyvex/subscribe", updates("x", known, #","lastSeq":99"#))
        try keepEnds(client, 1)
        try call(client, "tinyvex/subscribe", updates("y", known), fails: "TVX002")
        for text in ["{", "[]", "7", #"{"jsonrpc":"1.0","id":"a","method":"tinyvex/ping"}"#] {
            try client.send(text)
            recording.add("error.response", try JSONValue(validating: client.nextMessage()))
        }
        // 16 streams of one session are the limit for a connection: the updates, and these timelines.
        for number in 2...16 {
            try subscribe(client, "t\(number)", "sessions:timeline", "{\(known)}", keeping: false)
        }
        let timeline = #"{"subId":"z","name":"sessions:timeline","params":{\#(known)}}"#
        try call(client, "tinyvex/subscribe", timeline, fails: "TVX012")
    }

    mutating func stop() throws {
        let client = try TinyvexTestClient(home)
        try call(client, "tinyvex/action", #"{"requestId":"7","name":"bridge:stop"}"#)
        try client.waitForEnd()
        #expect(client.closeCode?.rawValue == 1001)
    }

    // MARK: Parts of the steps

    private mutating func history(_ client: TinyvexTestClient) throws {
        for members in [
            "", #","limit":1"#, #","direction":"backward","sinceSeq":3"#, #","sinceTs":0"#, #","sinceSeq":99"#,
        ] {
            try call(client, "tinyvex/history.sessionUpdates", #"{"sessionId":"rude-1"\#(members)}"#)
        }
    }

    private mutating func follow(_ session: String, agent: String = "rude-agent") throws {
        let client = try TinyvexTestClient(home)
        let params = #"{"sessionId":"\#(session)","agent":"\#(agent)"}"#
        try subscribe(client, "u", "acp:sessionUpdates", params)
        try subscribe(client, "t", "sessions:timeline", params)
        try keepEnds(client, 2)
        try call(client, "tinyvex/history.recentSessions")
    }

    private func updates(_ subId: String, _ params: String, _ members: String = "") -> String {
        #"{"subId":"\#(subId)","name":"acp:sessionUpdates","params":{\#(params)}\#(members)}"#
    }

    private mutating func call(_ client: TinyvexTestClient, _ method: String, _ params: String = "{}") throws {
        recording.add("\(method).response", try client.call(method, params))
    }

    private mutating func call(
        _ client: TinyvexTestClient, _ method: String, _ params: String = "{}", fails code: String?
    ) throws {
        let answer = try client.call(method, params)
        #expect(answer["error"]?["data"]?["code"]?.stringValue == code)
        recording.add("error.response", answer)
    }

    private mutating func value(
        _ client: TinyvexTestClient, _ name: String, _ params: String = "{}"
    ) throws {
        values["v"] = name
        try call(client, "tinyvex/subscribe", #"{"subId":"v","name":"\#(name)","params":\#(params)}"#)
        try keep(client) { $0["params"]?["subId"]?.stringValue == "v" }
        try call(client, "tinyvex/unsubscribe", #"{"subId":"v"}"#)
        for message in client.takeKept() { keep(try JSONValue(validating: message)) }
    }

    private mutating func subscribe(
        _ client: TinyvexTestClient, _ subId: String, _ name: String, _ params: String, keeping: Bool = true
    ) throws {
        let answer = try client.call(
            "tinyvex/subscribe", #"{"subId":"\#(subId)","name":"\#(name)","params":\#(params),"lastSeq":0}"#)
        #expect(answer["result"] != nil, "\(answer.rawString)")
        if keeping { recording.add("tinyvex/subscribe.response", answer) }
    }

    private mutating func keepEnds(_ client: TinyvexTestClient, _ count: Int) throws {
        for _ in 0..<count { try keep(client) { $0["method"]?.stringValue == "tinyvex/ended" } }
    }

    /// Records notifications until `isLast` returns true.
    private mutating func keep(_ client: TinyvexTestClient, until isLast: (JSONValue) -> Bool) throws {
        while true {
            let message = try JSONValue(validating: client.nextMessage())
            keep(message)
            if isLast(message) { return }
        }
    }

    private mutating func keep(_ message: JSONValue) {
        recording.addNotification(message)
        guard message["method"]?.stringValue == "tinyvex/data", let subId = message["params"]?["subId"]?.stringValue
        else { return }
        recording.add("\(values[subId] ?? "sessions:timeline").data", message)
    }
}
