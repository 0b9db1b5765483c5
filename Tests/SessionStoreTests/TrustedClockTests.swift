import SessionRecords
import Testing

@testable import SessionStore

/// All tests use a clock that the test sets.
@Suite struct TrustedClockTests {
    private static let hour: Int64 = 3_600_000
    private static let day = 24 * hour
    private static let start: Int64 = 1_700_000_000_000
    /// A machine with clocks that a test sets, and a bridge on it that keeps sessions for 30 days.
    private struct Machine {
        var clock = TrustedClock(time: start)
        var now = start
        var uptime: Int64 = 1_000
        var age = 30 * day

        mutating func look() -> Int64 { clock.advance(to: ClockReading(now: now, uptime: uptime, age: age)) }

        /// The bridge checks the clock once a minute.
        mutating func run(for time: Int64) -> Int64 {
            var lead: Int64 = 0
            for _ in 0..<(time / 60_000) {
                now += 60_000
                uptime += 60_000
                lead = look()
            }
            return lead
        }

        /// The machine is off, and the bridge starts again with the time that the log has stored.
        mutating func restart(after time: Int64) -> Int64 {
            clock = TrustedClock(time: clock.time, trial: clock.trial)
            now += time
            uptime = 1_000
            return look()
        }
    }

    @Test func aClockThatRunsEvenlyIsTrusted() {
        var machine = Machine()
        #expect(machine.look() == 0)
        #expect(machine.run(for: 3 * Self.day) == 0)
        #expect(machine.clock.time == machine.now)
    }

    @Test(arguments: [true, false])
    func aStepOfAYearIsTrustedAfterADayOfRunning(isSeenAtStart: Bool) {
        var machine = Machine()
        _ = machine.look()
        let year = 365 * Self.day
        if isSeenAtStart {
            #expect(machine.restart(after: year) == year)
        } else {
            machine.now += year
            #expect(machine.look() == year)
        }
        #expect(machine.run(for: 23 * Self.hour) == year)
        #expect(machine.clock.time == machine.now - year)
        #expect(machine.run(for: Self.hour) == 0)
        #expect(machine.clock.time == machine.now)
    }

    @Test func theTrialContinuesAfterARestart() {
        var machine = Machine()
        _ = machine.look()
        let year = 365 * Self.day
        _ = machine.restart(after: year)
        for _ in 0..<23 {
            #expect(machine.run(for: Self.hour) > 0)
            #expect(machine.restart(after: 0) > 0, "a restart does not confirm the step")
        }
        _ = machine.run(for: Self.hour)
        #expect(machine.restart(after: 0) == 0)
    }

    @Test func aRevertedStepHasNoEffect() {
        var machine = Machine()
        _ = machine.look()
        for _ in 0..<10 {
            machine.now += 365 * Self.day
            #expect(machine.run(for: 5 * Self.hour) > 0)
            machine.now -= 365 * Self.day
            #expect(machine.run(for: 60_000) == 0)
        }
        #expect(machine.clock.time == machine.now)
    }

    /// The clock of a machine without a battery behaves like this until the machine has queried a time server.
    @Test func aClockThatStartsInThePastIsNotTrusted() {
        var machine = Machine()
        _ = machine.look()
        for _ in 0..<10 {
            let behind = machine.now - 1_000
            #expect(machine.restart(after: -behind) == 0)
            #expect(machine.run(for: 5 * 60_000) == 0)
            machine.now += behind
            #expect(machine.run(for: Self.hour) == 0, "the earlier time is still trusted")
        }
    }

    @Test func aShutdownOfDaysAndASuspensionAreNotSteps() {
        var machine = Machine()
        _ = machine.look()
        #expect(machine.restart(after: 3 * Self.day) == 0)
        machine.now += 90 * Self.day
        machine.uptime += 90 * Self.day
        #expect(machine.look() == 0, "the uptime continues while the machine is suspended")
    }

    @Test func theTrialDoesNotPassDuringSuspension() {
        var machine = Machine()
        _ = machine.look()
        _ = machine.restart(after: 365 * Self.day)
        machine.now += 2 * Self.day
        machine.uptime += 2 * Self.day
        #expect(machine.look() == 365 * Self.day)
    }

    @Test(
        arguments: [
            (age: 2_000, tolerance: hour, trial: hour), (2 * day, 2 * day, day), (365 * day, 7 * day, day),
        ] as [(age: Int64, tolerance: Int64, trial: Int64)])
    func shortAgesHaveAShortTrial(age: Int64, tolerance: Int64, trial: Int64) {
        var machine = Machine()
        machine.age = age
        _ = machine.look()
        #expect(machine.restart(after: tolerance) == 0)
        #expect(machine.restart(after: tolerance + 1) == tolerance + 1)
        #expect(machine.run(for: trial - 60_000) > 0)
        #expect(machine.run(for: 60_000) == 0)
    }

    @Test(arguments: [Int64.min, -1, 0, .max], [Int64.min, 0, .max])
    func extremeTimesDoNotTrap(now: Int64, stored: Int64) {
        var clock = TrustedClock(time: stored, trial: stored)
        for uptime in [Int64.min, .max, 0] {
            #expect(clock.advance(to: ClockReading(now: now, uptime: uptime, age: .max)) >= 0)
        }
    }
}
