extension EchoAgent {
    mutating func sendSpellings(of behaviour: Behaviour) {
        switch behaviour {
        case .batch: sendBatches()
        case .duplicateKeys: sendSpelt(Self.duplicateKeys)
        default: sendSpelt(Self.escapedKeys)
        }
    }

    /// Sends lines that are not ACP messages, with updates between them.
    mutating func makeNoise() {
        for noise in Self.noise {
            send(updates.next())
            write(noise + [UInt8(ascii: "\n")], to: 1)
        }
        send(updates.next())
    }

    private mutating func sendBatches() {
        send("[\(updates.next()),\(updates.next())]")
        send("[]")
        send("[\(updates.next())]")
        send(updates.next())
    }

    /// Sends the spellings between two plain updates.
    private mutating func sendSpelt(_ templates: [String]) {
        send(updates.next())
        for template in templates { send(updates.next(spelt: template)) }
        send(updates.next())
    }

    private static let noise: [[UInt8]] =
        [
            "", "   ", "\r", "Debugger attached.", "npm warn deprecated thing@1.0.0: use another",
            "\u{1b}[31merror\u{1b}[0m: \u{1b}[2K\u{1b}[1Gtrying again", "42", "\"hello\"", "null", "true",
            #"{"jsonrpc":"2.0","method":"#, #"{"level":"info"} {"level":"info"}"#, "{}",
            "{\n  \"level\": \"info\",\n  \"message\": \"starting\"\n}",
            "{\n  \"jsonrpc\": \"2.0\",\n  \"method\": \"session/update\"\n}",
        ].map { Array($0.utf8) } + [[0xFF, 0xFE, 0x80]]

    /// Repeats each envelope key in turn, and finally a key outside the envelope.
    private static let duplicateKeys = [
        #"\#(head),"method":"session/update","params":\#(params)}"#,
        #"{"jsonrpc":"2.0","method":"session/other","method":"session/update","params":\#(params)}"#,
        #"\#(head),"params":{"sessionId":"other"},"params":\#(params)}"#,
        #"\#(head),"params":{"sessionId":"other","sessionId":"$S","update":\#(update),\#(meta)}}"#,
        #"\#(head),"params":{"sessionId":"$S","update":{},"update":\#(update),\#(meta)}}"#,
        #"\#(head),"params":{"sessionId":"$S","update":{"sessionUpdate":"plan","entries":[],"#
            + #""sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"$N"}},\#(meta)}}"#,
        #"{"jsonrpc":"2.0","\u006dethod":"session/other","method":"session/update","params":\#(params)}"#,
        #"\#(head),"params":{"sessionId":"$S","update":{"sessionUpdate":"agent_message_chunk","#
            + #""content":{"type":"text","text":"one","text":"$N"}},\#(meta)}}"#,
    ]

    /// Each line means the same as its plain spelling.
    private static let escapedKeys = [
        #"{"jsonrpc":"2.0","\u006dethod":"session/update","params":\#(params)}"#,
        #"{"jsonrpc":"2.0","method":"session\/update","params":\#(params)}"#,
        #"{"jsonrpc":"2.0","m\u0065thod":"\u0073ession\u002Fupdate","par\u0061ms":\#(params)}"#,
        #"\#(head),"params":{"session\u0049d":"$S","updat\u0065":\#(update),\#(meta)}}"#,
        #"\#(head),"params":{"sessionId":"$S","update":{"session\u0055pdate":"agent\u005fmessage_chunk","#
            + #""content":{"type":"text","text":"$N"}},\#(meta)}}"#,
        #" { "params" : {\#(meta) , "update" : \#(update) , "sessionId" : "$S" } , "#
            + #""method" : "session/update" , "jsonrpc" : "2.0" } "#,
    ]

    private static let head = #"{"jsonrpc":"2.0","method":"session/update""#
    private static let meta = #""_meta":{"n":$N}"#
    private static let update = #"{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"$N"}}"#
    private static let params = #"{"sessionId":"$S","update":\#(update),\#(meta)}"#
}
