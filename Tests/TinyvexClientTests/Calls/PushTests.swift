import Foundation
import JSONScan
import Testing

#if TINYVEX_PORTABLE
    @testable import TinyvexClientPortable
#else
    @testable import TinyvexClient
#endif

@Suite(.timeLimit(.minutes(10))) struct PushTests {
    /// Answers mutations and actions if their args are the expected ones.
    private static func client(_ name: String, _ args: String, _ value: String) -> TinyvexClient {
        TestBridge { method, params, _ in
            guard method == "tinyvex/mutation" || method == "tinyvex/action" else { return "{}" }
            let isExpected = params?["name"]?.stringValue == name && params?["args"]?.rawString == args
            let answer = isExpected ? value : "null"
            return #"{"requestId":\#(params?["requestId"]?.rawString ?? ""),"value":\#(answer)}"#
        }.client()
    }

    @Test func aDeviceTokenIsSentInHexadecimalDigits() async throws {
        let client = Self.client(
            "push:register",
            #"{"environment":"development","events":["permission","failed"],"token":"000fff80","topic":"com.example.app"}"#,
            #"{"id":"r1"}"#)
        let id = try await client.push.register(
            deviceToken: Data([0, 15, 255, 128]), topic: "com.example.app", isDevelopment: true,
            events: [.permission, .failed])
        #expect(id == "r1")
    }

    @Test func aWebhookIsSentWithItsSecret() async throws {
        let client = Self.client(
            "push:register", #"{"endpoint":"https://h.example/x","secret":"whsec_a"}"#, #"{"id":"r2"}"#)
        let url = try #require(URL(string: "https://h.example/x"))
        let id = try await client.push.register(webhook: url, secret: "whsec_a")
        #expect(id == "r2")
    }

    @Test func anUnknownRegistrationIsNotEnded() async throws {
        let client = Self.client("push:unregister", #"{"id":"r3"}"#, #"{"unregistered":false}"#)
        let wasEnded = try await client.push.unregister("r3")
        #expect(!wasEnded)
    }

    @Test func aTestReturnsTheReasonOfItsFailure() async throws {
        let args = #"{"id":"r4"}"#
        let failing = Self.client("push:test", args, #"{"delivered":false,"error":"the server answered 500"}"#)
        #expect(try await failing.push.test("r4") == "the server answered 500")
        #expect(try await Self.client("push:test", args, #"{"delivered":true}"#).push.test("r4") == nil)
    }

    @Test func aRegistrationIsRead() throws {
        let text = #"{"data":[{"id":"r1","type":"apns","topic":"t","environment":"production","events":["turn_end"]}]}"#
        let list = try ModelCoding.value(PushRegistrationList.self, from: Array(text.utf8)[...])
        #expect(list.data.first?.type == .apns && list.data.first?.events == [.turnEnd])
    }
}
