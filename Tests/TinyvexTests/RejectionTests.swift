import JSONRPC
import Testing
import Tinyvex

@Suite struct RejectionTests {
    @Test func aJSONRPCErrorHasNoTVXCode() {
        let response = Rejection(.methodNotFound, "unknown method \"x\"").response(to: RequestID(1), serverTs: 5)
        #expect(
            text(response)
                == #"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"unknown method \"x\"","data":{"serverTs":5}}}"#
        )
    }

    @Test func anErrorHasItsSubscriptionAndCandidates() {
        var rejection = Rejection(.sessionAmbiguous, "several agents have a session \"s1\"")
        rejection.subId = "a"
        rejection.candidates = ["codex:s1", "claude:s1"]
        #expect(
            text(rejection.response(to: RequestID("x"), serverTs: 5))
                == #"{"jsonrpc":"2.0","id":"x","error":{"code":-32602,"message":"several agents have a session \"s1\"","#
                + #""data":{"serverTs":5,"code":"TVX009","subId":"a","candidates":["codex:s1","claude:s1"]}}}"#)
    }

    @Test func anErrorOfAnActionHasItsRequestId() {
        var rejection = Rejection.invalidParams("unknown action \"x\"")
        rejection.requestId = "7"
        #expect(
            text(rejection.response(to: .null, serverTs: 5))
                == #"{"jsonrpc":"2.0","id":null,"error":{"code":-32602,"message":"unknown action \"x\"","#
                + #""data":{"serverTs":5,"requestId":"7"}}}"#)
    }

    @Test func anErrorOfAStreamIsANotification() {
        var rejection = Rejection(.resumeFailed, "not resumed after 9: the log ends at 2; it continues at 3")
        rejection.subId = "a"
        #expect(
            text(rejection.notification(serverTs: 5))
                == #"{"jsonrpc":"2.0","method":"tinyvex/error","params":{"subId":"a","code":"TVX004","#
                + #""message":"not resumed after 9: the log ends at 2; it continues at 3","#
                + #""data":{"serverTs":5,"code":"TVX004","subId":"a"}}}"#)
    }

    @Test func aStreamErrorWithoutATVXCodeHasTheJSONRPCCode() {
        #expect(
            text(Rejection(.internalError, "x").notification(serverTs: 5))
                == #"{"jsonrpc":"2.0","method":"tinyvex/error","params":{"code":"-32603","message":"x","data":{"serverTs":5}}}"#
        )
    }

    @Test func thereAreTwelveConsecutiveCodes() {
        let expected = (1...12).map { $0 < 10 ? "TVX00\($0)" : "TVX0\($0)" }
        #expect(TinyvexErrorCode.allCases.map(\.rawValue) == expected)
    }
}
