/// A message that no peer should send, and its answer on every wire that speaks JSON-RPC.
struct BadMessage {
    let message: String
    /// The expected error code; empty for any code.
    let code: String
    /// The answer's id, as JSON text.
    let id: String
    /// Words of the error's message.
    let words: String

    /// A request with these members; each member matters.
    static func request(_ members: String) -> String { #"{"jsonrpc":"2.0",\#(members)}"# }

    static func nested(_ depth: Int, _ open: String = "[", _ close: String = "]", _ core: String = "") -> String {
        String(repeating: open, count: depth) + core + String(repeating: close, count: depth)
    }

    static var notJSON: [BadMessage] {
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
        ].map { BadMessage(message: $0.0, code: "-32700", id: "null", words: $0.1) }
    }

    static var noRequest: [BadMessage] {
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
            (request(#""id":1,"id":2,"method":"tinyvex/ping""#), "null", "a member name is repeated"),
            (
                request(#""id":1,"method":"tinyvex/ping","m\u0065thod":"tinyvex/nothing""#), "null",
                "a member name is repeated"
            ),
            (request(#""id":1,"method":"tinyvex/ping","params":{},"params":{}"#), "null", "a member name is repeated"),
            (request(#""jsonrpc":"2.0","id":1,"method":"tinyvex/ping""#), "null", "a member name is repeated"),
            (request(#""id":1,"method":"tinyvex/ping","result":1"#), "1", "only one of"),
        ].map { BadMessage(message: $0.0, code: "-32600", id: $0.1, words: $0.2) }
    }

    /// Valid ids.
    static let ids = [
        "0", "-1", "9007199254740993", "123456789012345678901234567890", "1.50", "1e400", "-0", "1E-7", "null",
        #""""#, #""a""#, #""\u0061""#, #""\ud800""#, #""\ud83d\ude00""#, #""😀\/""#,
        "\"\(String(repeating: "x", count: 10_000))\"",
    ]
}
