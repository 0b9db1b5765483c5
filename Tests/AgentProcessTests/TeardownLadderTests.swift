import Testing

@testable import AgentProcess

@Suite struct TeardownLadderTests {
    private let steps = [
        TeardownStep(.closeInput, patience: .seconds(3)), TeardownStep(.signalGroup(15), patience: .seconds(2)),
        TeardownStep(.signalGroup(9), patience: .zero),
    ]

    @Test func theNextStepIsTakenIfThePreviousOneHadNoEffect() {
        var ladder = TeardownLadder(steps: steps)
        #expect(ladder.begin() == .perform(.closeInput, thenWait: .seconds(3)))
        #expect(ladder.waitEnded() == .perform(.signalGroup(15), thenWait: .seconds(2)))
        #expect(ladder.waitEnded() == .perform(.signalGroup(9), thenWait: .zero))
        #expect(ladder.waitEnded() == .rest)
    }

    @Test func aProcessThatHasEndedNeedsNoAction() {
        var ladder = TeardownLadder(steps: steps)
        _ = ladder.begin()
        ladder.processEnded()
        #expect(ladder.waitEnded() == .rest)
        #expect(ladder.begin() == .rest)
    }

    @Test func theStepsAreStartedOnlyOnce() {
        var ladder = TeardownLadder(steps: steps)
        _ = ladder.begin()
        #expect(ladder.begin() == .rest)
        #expect(ladder.waitEnded() == .perform(.signalGroup(15), thenWait: .seconds(2)))
    }

    @Test func anExpiredWaitBeforeTheStartHasNoEffect() {
        var ladder = TeardownLadder(steps: steps)
        #expect(ladder.waitEnded() == .rest)
        #expect(ladder.begin() == .perform(.closeInput, thenWait: .seconds(3)))
    }
}
