import JSONScan
import Testing
import TinyvexClient
import TinyvexTransport

@testable import TinyvexHTTP

/// Responses in, actions out.
@Suite struct CallMachineTests {
    private static func machine(
        _ repetition: CallMachine.Repetition = .reads, attemptsLimit: Int = 3
    ) -> CallMachine {
        CallMachine(
            repetition, attemptsLimit: attemptsLimit,
            backoff: Backoff(shortest: .seconds(1), longest: .seconds(1), seed: 1))
    }

    private static func response(
        _ status: Int, _ body: String = "", _ fields: [ConnectionRequest.Field] = []
    ) -> Result<HTTPResponse, TransportFailure> {
        .success(HTTPResponse(status: status, fields: fields, body: Array(body.utf8)))
    }

    private static let lost = Result<HTTPResponse, TransportFailure>.failure(.lost(reason: "x"))
    private static let wait = CallMachine.Action.wait(.seconds(1))

    private static func failure(_ error: TinyvexError) -> CallMachine.Action { .finish(.failure(error)) }

    @Test func aValueIsReturnedWithItsTag() {
        var machine = Self.machine()
        let answer = Self.response(
            200, #"{"status":"success","value":{"a":1},"logLines":[]}"#, [.init("Etag", "\"t\"")])
        #expect(machine.received(answer) == .finish(.success(.value(Array(#"{"a":1}"#.utf8), tag: "\"t\""))))
        #expect(machine.received(Self.response(304)) == .finish(.success(.unchanged)))
    }

    @Test func anErrorHasItsCodeOrItsStatus() throws {
        var machine = Self.machine()
        let body = #"{"status":"error","errorMessage":"no","errorData":{"serverTs":1,"code":"TVX012"},"logLines":[]}"#
        let data = try JSONValue(validating: Array(#"{"serverTs":1,"code":"TVX012"}"#.utf8))
        #expect(
            machine.received(Self.response(429, body))
                == Self.failure(.server(code: "TVX012", message: "no", data: data)))
        #expect(
            machine.received(Self.response(404, #"{"error":"no"}"#))
                == Self.failure(.server(code: "404", message: "no", data: nil)))
    }

    @Test func aBusyServerNamesTheTimeToWait() {
        var machine = Self.machine()
        let fields = [ConnectionRequest.Field("Retry-After", "7")]
        for (status, body) in [(429, #"{"error":"too many"}"#), (503, "down")] {
            let action = machine.received(Self.response(status, body, fields))
            #expect(action == Self.failure(.transport(.busy(retryAfter: .seconds(7)))))
            guard case .finish(.failure(let error)) = action else { continue }
            #expect(error.retryAfter == .seconds(7))
        }
    }

    @Test func aRefusedTokenIsRenewedOnce() {
        var machine = Self.machine()
        #expect(machine.received(Self.response(401)) == .renewToken)
        #expect(machine.renewed(true) == .send)
        #expect(machine.received(Self.response(401)) == Self.failure(.unauthorized))
        machine = Self.machine()
        #expect(machine.received(Self.response(401)) == .renewToken)
        #expect(machine.renewed(false) == Self.failure(.unauthorized))
    }

    @Test func aLostRequestIsRepeatedUpToTheLimit() {
        for (repetition, end) in [
            (CallMachine.Repetition.reads, TinyvexError.transport(.lost(reason: "x"))), (.repeats, .outcomeUnknown),
        ] {
            var machine = Self.machine(repetition)
            #expect(machine.received(Self.lost) == Self.wait)
            #expect(machine.received(Self.lost) == Self.wait)
            #expect(machine.received(Self.lost) == Self.failure(end), "\(repetition)")
        }
    }

    @Test func aHarmfulCallIsRepeatedOnlyIfItWasNotSent() {
        var machine = Self.machine(.harms)
        #expect(machine.received(.failure(.unreachable(reason: "x"))) == Self.wait)
        #expect(machine.received(Self.lost) == Self.failure(.outcomeUnknown))
        machine = Self.machine(.harms, attemptsLimit: 1)
        #expect(
            machine.received(.failure(.unreachable(reason: "x")))
                == Self.failure(.transport(.unreachable(reason: "x"))))
    }

    @Test func anUnreachableServerAfterALostMutationLeavesTheOutcomeUnknown() {
        var machine = Self.machine(.repeats, attemptsLimit: 2)
        #expect(machine.received(Self.lost) == Self.wait)
        #expect(machine.received(.failure(.unreachable(reason: "x"))) == Self.failure(.outcomeUnknown))
    }

    @Test func aProxysErrorCountsAsALostRequest() {
        for status in [502, 504] {
            var machine = Self.machine(.harms)
            #expect(machine.received(Self.response(status, "Bad Gateway")) == Self.failure(.outcomeUnknown))
        }
    }

    @Test func aPageOfAnotherServerIsRefused() {
        var machine = Self.machine()
        #expect(
            machine.received(Self.response(200, "<html>\n<p>"))
                == Self.failure(.transport(.refused(status: 200, reason: "<html>"))))
        #expect(
            machine.received(.failure(.messageTooLarge(limitBytes: 5, beginning: [])))
                == Self.failure(.tooLarge(limitBytes: 5)))
    }
}
