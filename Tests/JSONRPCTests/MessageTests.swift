import JSONRPC
import JSONScan
import Testing

@Suite struct MessageTests {
    private func message(_ text: String) throws -> Message {
        Message(try JSONValue(validating: Array(text.utf8)))
    }

    /// A message as one short line: its kind and its contents.
    private func summary(_ message: Message) -> String {
        switch message {
        case .request(let id, let method, let params):
            "request \(raw(id)) \(method) \(params?.rawString ?? "-")"
        case .notification(let method, let params): "notification \(method) \(params?.rawString ?? "-")"
        case .response(let id, .result(let result)): "result \(raw(id)) \(result.rawString)"
        case .response(let id, .error(let error)):
            "error \(raw(id)) \(error.code.rawValue) \(error.message) \(error.data?.rawString ?? "-")"
        case .batch(let messages): "batch [\(messages.map(summary).joined(separator: "; "))]"
        case .invalid(let reason, let id): "invalid \(reason) \(id.map(raw) ?? "-")"
        }
    }

    private func raw(_ id: RequestID) -> String { String(decoding: id.rawText, as: UTF8.self) }

    @Test(arguments: [
        (#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1}}"#, #"request 1 m {"a":1}"#),
        (#"{"method":"m","params":[1],"id":"1","jsonrpc":"2.0"}"#, #"request "1" m [1]"#),
        (#"{"jsonrpc":"2.0","id":null,"method":"m"}"#, "request null m -"),
        (#"{"jsonrpc":"2.0","id":1,"method":"m","params":null}"#, "request 1 m -"),
        (#"{"jsonrpc":"\u0032.0","\u006dethod":"session\/update"}"#, "notification session/update -"),
        (#"{"jsonrpc":"2.0","method":"m","extra":1,"extra":2}"#, "notification m -"),
        (#"{"jsonrpc":"2.0","id":1,"result":null}"#, "result 1 null"),
        (#"{"jsonrpc":"2.0","id":1.0,"result":{"a":1}}"#, #"result 1.0 {"a":1}"#),
        (#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}"#, "error 1 -32601 no -"),
        (#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"","data":[0]}}"#, "error null 1  [0]"),
    ])
    func validMessagesAreClassified(text: String, expected: String) throws {
        #expect(summary(try message(text)) == expected)
    }

    @Test(arguments: [
        ("1", "notAnObject -"), (#""m""#, "notAnObject -"), ("[]", "emptyBatch -"), ("{}", "wrongVersion -"),
        (#"{"id":1,"method":"m"}"#, "wrongVersion 1"), (#"{"jsonrpc":"1.0","id":1,"method":"m"}"#, "wrongVersion 1"),
        (#"{"jsonrpc":2.0,"id":1,"method":"m"}"#, "wrongVersion 1"),
        (#"{"jsonrpc":"2.0","id":true,"method":"m"}"#, "invalidID -"),
        (#"{"jsonrpc":"2.0","id":{},"result":1}"#, "invalidID -"),
        (#"{"jsonrpc":"2.0","id":1,"method":1}"#, "invalidMethod 1"),
        (#"{"jsonrpc":"2.0","id":1,"method":"m","params":"a"}"#, "invalidParams 1"),
        (#"{"jsonrpc":"2.0","id":1,"method":"m","params":false}"#, "invalidParams 1"),
        (#"{"jsonrpc":"2.0","id":1}"#, "neitherRequestNorResponse 1"),
        (#"{"jsonrpc":"2.0","id":1,"result":1,"error":{"code":1,"message":""}}"#, "bothRequestAndResponse 1"),
        (#"{"jsonrpc":"2.0","id":1,"method":"m","result":1}"#, "bothRequestAndResponse 1"),
        (#"{"jsonrpc":"2.0","result":1}"#, "missingID -"),
        (#"{"jsonrpc":"2.0","id":1,"error":"no"}"#, "invalidError 1"),
        (#"{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":""}}"#, "invalidError 1"),
        (#"{"jsonrpc":"2.0","id":1,"error":{"code":1}}"#, "invalidError 1"),
        (#"{"jsonrpc":"2.0","id":1,"method":"a","\u006dethod":"b"}"#, "repeatedMember -"),
        (#"{"jsonrpc":"2.0","id":1,"id":2,"method":"a"}"#, "repeatedMember -"),
    ])
    func invalidMessagesAreRefusedWithAReason(text: String, expected: String) throws {
        #expect(summary(try message(text)) == "invalid " + expected)
    }

    @Test func batchElementsAreClassifiedOneByOne() throws {
        let text = #"[{"jsonrpc":"2.0","method":"a"},1,[],{"jsonrpc":"2.0","id":1,"method":"b"}]"#
        let expected = "batch [notification a -; invalid notAnObject -; invalid notAnObject -; request 1 b -]"
        #expect(summary(try message(text)) == expected)
    }

    @Test(arguments: [
        (
            MessageText.request(id: RequestID("a/1"), method: "m") { $0.member("x", 1) },
            #"{"jsonrpc":"2.0","id":"a/1","method":"m","params":{"x":1}}"#
        ),
        (MessageText.request(id: RequestID(1), method: "m"), #"{"jsonrpc":"2.0","id":1,"method":"m"}"#),
        (MessageText.notification(method: "m\"") { _ in }, #"{"jsonrpc":"2.0","method":"m\"","params":{}}"#),
        (
            MessageText.response(id: RequestID(1)) { $0.member("ok", true) },
            #"{"jsonrpc":"2.0","id":1,"result":{"ok":true}}"#
        ),
        (MessageText.response(id: .null, rawResult: "null".utf8), #"{"jsonrpc":"2.0","id":null,"result":null}"#),
        (
            MessageText.errorResponse(id: .null, code: .parseError, message: "no"),
            #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}"#
        ),
        (
            MessageText.errorResponse(id: RequestID(1), code: .requestCancelled, message: "") {
                $0.member("code", "T")
            },
            #"{"jsonrpc":"2.0","id":1,"error":{"code":-32800,"message":"","data":{"code":"T"}}}"#
        ),
    ])
    func messagesAreWritten(bytes: [UInt8], expected: String) throws {
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
        if case .invalid(let reason, _) = Message(try JSONValue(validating: bytes)) { Issue.record("\(reason)") }
    }
}
