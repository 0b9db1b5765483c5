import Testing
import TinyvexClient
import TinyvexTransport

@testable import TinyvexHTTP

@Suite struct PollMachineTests {
    private static func machine(
        _ interval: Duration = .seconds(2), upTo longest: Duration = .seconds(2), failuresLimit: Int? = nil
    ) -> PollMachine {
        PollMachine(
            interval: interval, longestInterval: longest, failuresLimit: failuresLimit,
            backoff: Backoff(shortest: .seconds(4), longest: .seconds(30), seed: 1))
    }

    private static let lost = PollMachine.Outcome.failed(.transport(.lost(reason: "x")))

    @Test func theFirstRequestIsSentAtOnceAndTheOthersAfterTheInterval() {
        var machine = Self.machine()
        #expect(machine.delay == .zero)
        #expect(machine.handle(.value) == .deliver && machine.delay == .seconds(2))
        #expect(machine.handle(.unchanged) == .again && machine.delay == .seconds(2))
    }

    @Test func unchangedValuesDoubleTheIntervalUntilAChange() {
        var machine = Self.machine(upTo: .seconds(7))
        _ = machine.handle(.value)
        let delays = (0..<3).map { _ in
            _ = machine.handle(.unchanged)
            return machine.delay
        }
        #expect(delays == [.seconds(4), .seconds(7), .seconds(7)])
        #expect(machine.handle(.value) == .deliver && machine.delay == .seconds(2))
    }

    @Test func failuresDelayTheNextRequestMoreAndMore() {
        var machine = Self.machine()
        var delays: [Duration] = []
        for _ in 0..<8 {
            #expect(machine.handle(Self.lost) == .again)
            delays.append(machine.delay)
        }
        #expect(delays[0] >= .seconds(4) && delays[7] >= .seconds(15) && delays[7] <= .seconds(30))
        _ = machine.handle(.value)
        #expect(machine.delay == .seconds(2))
    }

    @Test func theServersTimeIsKept() {
        var machine = Self.machine()
        #expect(machine.handle(.failed(.transport(.busy(retryAfter: .seconds(90))))) == .again)
        #expect(machine.delay == .seconds(90))
        #expect(machine.handle(.failed(.transport(.refused(status: 500, reason: "")))) == .again)
    }

    @Test func lastingErrorsEndTheSequence() {
        for error in [
            TinyvexError.unauthorized, .cancelled, .server(code: "TVX008", message: "", data: nil),
            .transport(.invalidEndpoint(reason: "")), .transport(.refused(status: 301, reason: "")),
        ] {
            var machine = Self.machine()
            #expect(machine.handle(.failed(error)) == .fail(error))
        }
    }

    @Test func aLimitEndsRepeatedFailures() {
        var machine = Self.machine(failuresLimit: 2)
        #expect(machine.handle(Self.lost) == .again)
        _ = machine.handle(.unchanged)
        #expect(machine.handle(Self.lost) == .again)
        #expect(machine.handle(Self.lost) == .fail(.transport(.lost(reason: "x"))))
    }

    @Test func anIntervalThatIsTooShortIsLengthened() {
        var machine = Self.machine(.zero, upTo: .zero)
        _ = machine.handle(.value)
        #expect(machine.delay == .milliseconds(100))
    }
}
