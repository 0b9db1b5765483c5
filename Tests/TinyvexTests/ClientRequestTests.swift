import JSONRPC
import JSONScan
import Testing
import Tinyvex

@Suite struct ClientRequestTests {
    @Test(arguments: [
        (#"{"client":{"name":"viewer","version":"1.0"}}"#, "viewer", "1.0"),
        (#"{"client":{"name":"viewer"},"clockSkewHint":3}"#, "viewer", ""),
        (#"{"client":null}"#, "unknown", ""),
        (#"{}"#, "unknown", ""),
        (nil, "unknown", ""),
    ])
    func connectAcceptsMissingMembers(params: String?, name: String, version: String) throws {
        guard case .connect(let client) = try decode("tinyvex/connect", params) else {
            Issue.record("not a connect")
            return
        }
        #expect(client.name == name)
        #expect(client.version == version)
    }

    @Test(arguments: [(#"{"t":[1, 2]}"#, "[1, 2]"), (#"{"t":1.50}"#, "1.50"), (#"{"t":null}"#, nil), (nil, nil)])
    func pingKeepsTheBytesOfItsValue(params: String?, t: String?) throws {
        guard case .ping(let value) = try decode("tinyvex/ping", params) else {
            Issue.record("not a ping")
            return
        }
        #expect(value?.rawString == t)
    }

    @Test func unsubscribeHasTheIdOfItsSubscription() throws {
        guard case .unsubscribe("a") = try decode("tinyvex/unsubscribe", #"{"subId":"\u0061"}"#) else {
            Issue.record("not an unsubscribe of a")
            return
        }
    }

    @Test(arguments: [
        (nil, 50), (#"{}"#, 50), (#"{"limit":null}"#, 50), (#"{"limit":1}"#, 1), (#"{"limit":10000}"#, 10_000),
    ])
    func recentSessionsHasADefaultLimit(params: String?, limit: Int) throws {
        guard case .recentSessions(let request) = try decode("tinyvex/history.recentSessions", params),
            request.limit == limit
        else {
            Issue.record("not a listing of \(limit)")
            return
        }
    }

    @Test(arguments: [
        ("{}", false), (#"{"features":{"chunks":true,"other":1}}"#, true), (#"{"features":{"chunks":false}}"#, false),
    ])
    func connectReadsWhetherTheClientTakesChunks(params: String, takesChunks: Bool) throws {
        guard case .connect(let client) = try decode("tinyvex/connect", params) else {
            Issue.record("not a connect")
            return
        }
        #expect(client.takesChunks == takesChunks)
    }

    @Test func actionCarriesItsArguments() throws {
        let params = #"{"requestId":"7","name":"bridge:stop","args":{"now":true}}"#
        guard case .action(let call) = try decode("tinyvex/action", params) else {
            Issue.record("not an action")
            return
        }
        #expect(call.requestId == "7")
        #expect(call.name == "bridge:stop")
        #expect(try call.arguments.optionalBool("now") == true)
    }

    @Test(arguments: [
        ("tinyvex/connect", #"{"client":"viewer"}"#, "client must be an object"),
        ("tinyvex/connect", #"{"client":{"name":7}}"#, "name must be a string"),
        ("tinyvex/connect", #"{"client":{"version":7}}"#, "version must be a string"),
        ("tinyvex/connect", #"{"features":[]}"#, "features must be an object"),
        ("tinyvex/connect", #"{"features":{"chunks":1}}"#, "chunks must be true or false"),
        ("tinyvex/unsubscribe", nil, "subId is missing"),
        ("tinyvex/unsubscribe", #"["a"]"#, "subId is missing"),
        ("tinyvex/unsubscribe", #"{"subId":null}"#, "subId is missing"),
        ("tinyvex/unsubscribe", #"{"subId":1}"#, "subId must be a string"),
        ("tinyvex/history.recentSessions", #"{"limit":0}"#, "limit must be an integer from 1 to 10000"),
        ("tinyvex/history.recentSessions", #"{"limit":10001}"#, "limit must be an integer from 1 to 10000"),
        ("tinyvex/history.recentSessions", #"{"limit":1.5}"#, "limit must be an integer from 1 to 10000"),
        ("tinyvex/history.recentSessions", #"{"limit":"9"}"#, "limit must be an integer from 1 to 10000"),
        ("tinyvex/action", #"{"name":"bridge:stop"}"#, "requestId is missing"),
        ("tinyvex/action", #"{"requestId":7,"name":"bridge:stop"}"#, "requestId must be a string"),
        ("tinyvex/action", #"{"requestId":"7"}"#, "name is missing"),
        ("tinyvex/action", #"{"requestId":"7","name":"bridge:stop","args":[]}"#, "args must be an object"),
    ])
    func errorsOfBadParamsNameTheField(method: String, params: String?, message: String) {
        let rejection = rejection(of: method, params)
        #expect(rejection?.rpcCode == .invalidParams)
        #expect(rejection?.code == nil)
        #expect(rejection?.message == message)
    }

    @Test func theErrorForAnUnknownActionListsTheKnownOnes() {
        let rejection = rejection(of: "tinyvex/action", #"{"requestId":"7","name":"bridge:fly"}"#)
        #expect(rejection?.rpcCode == .invalidParams)
        #expect(
            rejection?.message
                == #"unknown action "bridge:fly"; available: \#(Catalogue.names(.action).joined(separator: ", "))"#)
    }

    @Test(arguments: [#"{"requestId":"7"}"#, #"{"requestId":"7","name":1}"#, #"{"requestId":"7","name":"a","args":1}"#])
    func theErrorForABadActionHasItsRequestId(params: String) {
        #expect(rejection(of: "tinyvex/action", params)?.requestId == "7")
    }

    @Test(arguments: ["session/prompt", "initialize", "tinyvex/Connect", "tinyvex/mutate", ""])
    func otherMethodsAreNotFound(method: String) {
        let rejection = rejection(of: method, nil)
        #expect(rejection?.rpcCode == .methodNotFound)
        #expect(rejection?.code == nil)
        #expect(rejection?.message == #"unknown method "\#(method)""#)
    }

    @Test func namesFromPeersAreTruncatedInErrors() {
        let rejection = rejection(of: String(repeating: "x", count: 81), nil)
        #expect(rejection?.message == #"unknown method "\#(String(repeating: "x", count: 80))…""#)
        #expect(quoted(String(repeating: "x", count: 80)).hasSuffix(#"x""#))
    }
}
