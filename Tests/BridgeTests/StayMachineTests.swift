import Testing

@testable import Agents
@testable import Bridge

@Suite struct StayMachineTests {
    private func machine(_ policy: StayPolicy, turn: Bool = false, guests: Bool = false) -> StayMachine {
        var machine = StayMachine(policy: policy)
        machine.hasTurn = turn
        machine.hasGuests = guests
        return machine
    }

    @Test func anIdleAgentEndsWithItsEditor() {
        var stay = machine(.standard)
        #expect(stay.verdict == .stay)
        stay.hasEditor = false
        #expect(stay.verdict == .end(after: .zero))
    }

    @Test func aTurnThatRunsGoesOnAndThenLingers() {
        var stay = machine(.linger(.seconds(9)), turn: true)
        stay.hasEditor = false
        #expect(stay.verdict == .stay)
        stay.hasTurn = false
        #expect(stay.verdict == .end(after: .seconds(9)))
    }

    @Test func anAgentWithCompanyGoesOnAndThenLingers() {
        var stay = machine(.linger(.seconds(9)), guests: true)
        stay.hasEditor = false
        #expect(stay.verdict == .stay)
        stay.hasGuests = false
        #expect(stay.verdict == .end(after: .seconds(9)))
    }

    @Test func aGuestWhoComesToAnIdleAgentBeforeItEndsIsMissed() {
        var stay = machine(.linger(.seconds(9)))
        stay.hasEditor = false
        stay.hasGuests = true
        #expect(stay.verdict == .stay)
        stay.hasGuests = false
        #expect(stay.verdict == .end(after: .seconds(9)))
    }

    @Test func withoutLingeringItEndsWithItsEditorWhateverItDoes() {
        var stay = machine(.linger(.zero), turn: true, guests: true)
        #expect(!stay.outlivesEditor)
        stay.hasEditor = false
        #expect(stay.verdict == .end(after: .zero))
    }

    @Test func oneThatIsKeptGoesOnIdle() {
        var stay = machine(.keep)
        stay.hasEditor = false
        #expect(stay.verdict == .stay)
    }

    @Test func theEndOfTheInputReachesAnIdleAgentAtOnce() {
        var stay = machine(.standard)
        stay.inputHasEnded = true
        #expect(stay.verdict == .closeInput)
    }

    @Test func theEndOfTheInputWaitsForTheTurn() {
        var stay = machine(.standard, turn: true)
        stay.inputHasEnded = true
        #expect(stay.verdict == .stay)
        stay.hasTurn = false
        #expect(stay.verdict == .closeInput)
    }

    @Test func theEndOfTheInputLetsTheEditorOfAKeptAgentGo() {
        var stay = machine(.keep, turn: true)
        stay.inputHasEnded = true
        #expect(stay.verdict == .stay)
        stay.hasTurn = false
        #expect(stay.verdict == .detachEditor)
    }
}
