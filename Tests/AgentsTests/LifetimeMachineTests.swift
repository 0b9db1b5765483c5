import JSONCoding
import Testing

@testable import Agents

@Suite struct LifetimeMachineTests {
    private func machine(_ policy: LingerPolicy, turn: Bool = false, remoteClients: Bool = false) -> LifetimeMachine {
        var machine = LifetimeMachine(policy: policy)
        machine.hasTurn = turn
        machine.hasOtherClients = remoteClients
        return machine
    }

    @Test func anIdleAgentEndsWithItsEditor() {
        var lifetime = machine(.standard)
        #expect(lifetime.verdict == .stay)
        lifetime.hasEditor = false
        #expect(lifetime.verdict == .end(after: .zero))
    }

    @Test func anAgentLingersAfterItsRunningTurn() {
        var lifetime = machine(.linger(.seconds(9)), turn: true)
        lifetime.hasEditor = false
        #expect(lifetime.verdict == .stay)
        lifetime.hasTurn = false
        #expect(lifetime.verdict == .end(after: .seconds(9)))
    }

    @Test func anAgentLingersAfterItsLastRemoteClientHasLeft() {
        var lifetime = machine(.linger(.seconds(9)), remoteClients: true)
        lifetime.hasEditor = false
        #expect(lifetime.verdict == .stay)
        lifetime.hasOtherClients = false
        #expect(lifetime.verdict == .end(after: .seconds(9)))
    }

    @Test func aRemoteClientThatArrivesInTimeRestartsTheLingerTime() {
        var lifetime = machine(.linger(.seconds(9)))
        lifetime.hasEditor = false
        lifetime.hasOtherClients = true
        #expect(lifetime.verdict == .stay)
        lifetime.hasOtherClients = false
        #expect(lifetime.verdict == .end(after: .seconds(9)))
    }

    @Test func withoutLingeringABusyAgentEndsWithItsEditor() {
        var lifetime = machine(.linger(.zero), turn: true, remoteClients: true)
        #expect(!lifetime.outlivesEditor)
        lifetime.hasEditor = false
        #expect(lifetime.verdict == .end(after: .zero))
    }

    @Test func aKeptAgentStaysWhenIdle() {
        var lifetime = machine(.keep)
        lifetime.hasEditor = false
        #expect(lifetime.verdict == .stay)
    }

    @Test func anAgentThatIsKeptLaterStaysFromThenOn() {
        var machine = machine(.standard)
        machine.hasEditor = false
        #expect(machine.verdict != .stay)
        machine.keep()
        #expect(machine.verdict == .stay && machine.policy == .keep)
    }

    @Test func theEndOfTheInputIsPassedToAnIdleAgentAtOnce() {
        var lifetime = machine(.standard)
        lifetime.inputHasEnded = true
        #expect(lifetime.verdict == .closeInput)
    }

    @Test func theEndOfTheInputIsPassedOnAfterTheTurn() {
        var lifetime = machine(.standard, turn: true)
        lifetime.inputHasEnded = true
        #expect(lifetime.verdict == .stay)
        lifetime.hasTurn = false
        #expect(lifetime.verdict == .closeInput)
    }

    @Test func theEndOfTheInputDetachesTheEditorFromAKeptAgent() {
        var lifetime = machine(.keep, turn: true)
        lifetime.inputHasEnded = true
        #expect(lifetime.verdict == .stay)
        lifetime.hasTurn = false
        #expect(lifetime.verdict == .detachEditor)
    }

    @Test func theEndOfTheInputDetachesTheEditorFromAnAgentWithOtherClients() {
        var lifetime = machine(.standard, turn: true, remoteClients: true)
        lifetime.inputHasEnded = true
        #expect(lifetime.verdict == .stay)
        lifetime.hasTurn = false
        #expect(lifetime.verdict == .detachEditor)
        lifetime.hasOtherClients = false
        #expect(lifetime.verdict == .closeInput)
    }

    @Test func anEditorThatOnlyReadsGetsAllItsAnswersBeforeItIsDetached() {
        for policy in [LingerPolicy.keep, .standard] {
            var lifetime = machine(policy, remoteClients: true)
            lifetime.inputHasEnded = true
            lifetime.owesAnswers = true
            #expect(lifetime.verdict == .stay)
            lifetime.owesAnswers = false
            #expect(lifetime.verdict == .detachEditor)
        }
    }

    @Test func aClientThatComesAfterTheEndOfTheInputDoesNotKeepTheAgent() throws {
        var lifetime = machine(.standard)
        lifetime.inputHasEnded = true
        #expect(lifetime.verdict == .closeInput)
        lifetime.inputWasClosed()
        lifetime.hasOtherClients = true
        #expect(lifetime.verdict == .closeInput)
        lifetime = try JSONTextDecoder().decode(LifetimeMachine.self, from: JSONTextEncoder().encode(lifetime))
        #expect(lifetime.verdict == .closeInput, "also after an upgrade of the bridge")
        lifetime.hasEditor = false
        #expect(lifetime.verdict == .end(after: .zero))
    }

    @Test func withoutLingeringTheEndOfTheInputIsPassedToAnAgentWithOtherClients() {
        var lifetime = machine(.linger(.zero), remoteClients: true)
        lifetime.inputHasEnded = true
        #expect(lifetime.verdict == .closeInput)
    }
}
