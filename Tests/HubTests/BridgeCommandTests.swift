import SessionRecords
import Testing

@testable import Hub

@Suite struct SentCommandTests {
    /// A machine with these commands at the hub.
    private func sent(_ ids: String...) -> SentCommands {
        var commands = SentCommands()
        for id in ids {
            let isAccepted = commands.begin(id, bytes: 10)
            #expect(isAccepted)
            commands.stored(id)
        }
        return commands
    }

    private func looked(
        _ commands: inout SentCommands, _ found: [String: CommandSight], removed: [String] = []
    ) -> (finished: [SentCommands.Finished], late: [String]) {
        commands.looked(found, asked: commands.sent, removed: removed)
    }

    @Test func aCommandWaitsUntilItIsAnsweredAndItsRowIsThenRemoved() {
        var commands = sent("a")
        #expect(looked(&commands, ["a": .waiting]).finished.isEmpty)
        #expect(looked(&commands, ["a": .taken]).finished.isEmpty)
        let answered = looked(&commands, ["a": .answered([7])])
        #expect(answered.finished == [SentCommands.Finished(id: "a", outcome: .answered([7]))])
        #expect(commands.sent.isEmpty && commands.removable == ["a"] && commands.mustLook)
        _ = looked(&commands, [:], removed: ["a"])
        #expect(!commands.mustLook)
    }

    @Test func aLateCommandDidNotRunOnlyIfItCouldBeRemoved() {
        var commands = sent("a", "b")
        let late = looked(&commands, ["a": .late(isReachable: true), "b": .late(isReachable: false)]).late
        #expect(late.sorted() == ["a", "b"])
        #expect(commands.sent.isEmpty)
        let finished = commands.revoked(["b"], asked: late)
        #expect(finished == [SentCommands.Finished(id: "b", outcome: .notRun(isReachable: false))])
        // It was taken meanwhile.
        #expect(commands.sent == ["a"])
        #expect(looked(&commands, ["a": .answered([1])]).finished.first?.outcome == .answered([1]))
    }

    @Test func theOutcomeIsUnknownIfTheBridgeOrTheRowHasGone() {
        var commands = sent("a", "b")
        let finished = looked(&commands, ["a": .lost]).finished
        #expect(finished.count == 2 && finished.allSatisfy { $0.outcome == .unknown })
        #expect(commands.count == 0)
    }

    @Test func theOutcomeIsUnknownAfterALongSilenceOfTheHub() {
        var commands = sent("a")
        #expect(commands.lookFailed(taking: .seconds(20)).isEmpty)
        #expect(looked(&commands, ["a": .taken]).finished.isEmpty)
        #expect(commands.lookFailed(taking: .seconds(20)).isEmpty)
        #expect(commands.lookFailed(taking: .seconds(20)).map(\.outcome) == [.unknown])
    }

    @Test func aFailedRemovalIsFollowedByAnotherLook() {
        var commands = sent("a")
        #expect(looked(&commands, ["a": .late(isReachable: true)]).late == ["a"])
        #expect(commands.lookFailed(taking: .seconds(1)).isEmpty)
        #expect(commands.sent == ["a"])
        #expect(commands.revoked(["a"], asked: ["a"]).isEmpty)
        #expect(looked(&commands, [:]).finished.map(\.outcome) == [.unknown])
    }

    @Test func theNumberAndTheBytesOfCommandsAreLimited() {
        var commands = SentCommands()
        let fits = [
            commands.begin("a", bytes: SentCommands.limitBytes + 1),
            commands.begin("b", bytes: SentCommands.limitBytes),
            commands.begin("c", bytes: 1),
        ]
        #expect(fits == [false, true, false])
        commands.refused("b")
        let accepted = (0..<SentCommands.countLimit + 1).filter { commands.begin("\($0)", bytes: 1) }
        #expect(accepted.count == SentCommands.countLimit)
        commands.refused("0")
        let isAccepted = commands.begin("d", bytes: 1)
        #expect(isAccepted)
    }

    @Test(
        "a row at the hub shows the state of its command",
        arguments: [
            (false, false, true, CommandSight.waiting), (false, true, true, .late(isReachable: true)),
            (false, false, false, .late(isReachable: false)), (true, true, true, .taken), (true, false, false, .lost),
        ])
    func sight(isTaken: Bool, isExpired: Bool, isReachable: Bool, expected: CommandSight) {
        let sight = CommandSight(isTaken: isTaken, isExpired: isExpired, isReachable: isReachable, answer: nil)
        #expect(sight == expected)
        let answered = CommandSight(isTaken: isTaken, isExpired: isExpired, isReachable: isReachable, answer: [1])
        #expect(answered == .answered([1]))
    }

    @Test func aDescriptionHasNeitherTheTokenNorTheArguments() throws {
        let command = BridgeCommand(
            id: "i", session: try #require(HubSid(logId: 1, own: 2)), tenant: nil, who: "w", token: "secret",
            kind: .action, name: "sessions:prompt", arguments: Array("secret".utf8), requestId: nil)
        var dumped = ""
        dump(command, to: &dumped)
        #expect(!"\(command) \(dumped) \(String(reflecting: command))".contains("secret"))
        #expect(!"\(ReceivedCommand(command, sender: "s"))".contains("secret"))
    }
}

@Suite struct TakenCommandTests {
    private func answer(_ id: String, bytes: Int = 1) -> CommandAnswer {
        CommandAnswer(id: id, body: [UInt8](repeating: 0x20, count: bytes))
    }

    @Test func anAnswerIsStoredUntilTheHubHasIt() {
        var commands = TakenCommands()
        commands.took(["a", "b"])
        commands.finished(answer("a"))
        #expect(commands.nextAnswers().map(\.id) == ["a"])
        commands.finished(answer("b"))
        #expect(commands.nextAnswers().isEmpty)
        commands.storingFailed()
        #expect(commands.ids == ["a", "b"])
        #expect(commands.nextAnswers().map(\.id) == ["a", "b"])
        commands.stored()
        #expect(commands.ids.isEmpty && commands.nextAnswers().isEmpty)
    }

    @Test func aCommandIsAnsweredOnce() {
        var commands = TakenCommands()
        commands.took(["a"])
        commands.finished(answer("a"))
        commands.finished(answer("a"))
        commands.finished(answer("b"))
        #expect(commands.nextAnswers().map(\.id) == ["a"])
    }

    @Test func fewCommandsAreTakenAtOnceAndNoneBeyondTheLimit() {
        var commands = TakenCommands()
        #expect(commands.room == TakenCommands.takeLimit)
        commands.took((0..<(TakenCommands.countLimit - 1)).map(String.init))
        #expect(commands.room == 1)
        commands.took(["last"])
        #expect(commands.room == 0)
        commands.finished(answer("last"))
        #expect(commands.room == 0)
        _ = commands.nextAnswers()
        commands.stored()
        #expect(commands.room == 1)
    }

    @Test func largeAnswersAreStoredInSeveralParts() {
        var commands = TakenCommands()
        let ids = (0..<6).map { "\($0)" }
        commands.took(ids)
        for id in ids { commands.finished(answer(id, bytes: CommandAnswer.limitBytes)) }
        #expect(commands.nextAnswers().count == TakenCommands.storeLimitBytes / CommandAnswer.limitBytes)
    }
}

@Suite struct PublishedRequestTests {
    @Test func theFirstChangeReplacesAllAndLaterOnesOnlyWhatDiffers() {
        var published = PublishedRequests()
        let first = published.change(to: [1: [1], 2: [2]])
        #expect(first?.replacesAll == true && first?.stored == [1: [1], 2: [2]])
        published.finished()
        #expect(published.change(to: [1: [1], 2: [2]])?.isEmpty == true)
        let second = published.change(to: [2: [3], 4: [4]])
        #expect(second?.replacesAll == false && second?.stored == [2: [3], 4: [4]] && second?.deleted == [1])
    }

    @Test func oneChangeIsStoredAtATime() {
        var published = PublishedRequests()
        #expect(published.change(to: [1: [1]]) != nil)
        #expect(published.change(to: [:]) == nil)
        published.finished()
        #expect(published.change(to: [:])?.deleted == [1])
    }

    @Test func everythingIsStoredAgainAfterAFailure() {
        var published = PublishedRequests()
        _ = published.change(to: [1: [1]])
        published.finished()
        _ = published.change(to: [:])
        published.failed()
        #expect(published.change(to: [1: [1]])?.replacesAll == true)
        // The connection was lost while this change was being stored, and its late success proves nothing.
        published.failed()
        published.finished()
        #expect(published.change(to: [1: [1]])?.replacesAll == true)
    }
}
