import Testing

@testable import TinyvexMachine

@Suite struct SessionStreamTests {
    /// Follows session `s` from its beginning on an open connection. The session has two stored updates.
    private func following() -> Transcript {
        var transcript = Transcript()
        _ = transcript.open(by: .follow(1))
        _ = transcript.receive(.accepted(2, start: 1, head: 2))
        return transcript
    }

    @Test func aStreamConnectsSubscribesAndNumbersItsUpdates() {
        var transcript = Transcript()
        #expect(transcript.on(.follow(1)) == ["state connecting", "connect 1"])
        #expect(
            transcript.connected() == [
                #"send {"id":1,"connect","params":{"client":{"name":"t"},"features":{"chunks":true}}}"#,
                #"send {"id":2,"subscribe","params":{"subId":"1","name":"acp:sessionUpdates","params":{"sessionId":"s"},"lastSeq":0}}"#,
            ])
        #expect(transcript.receive(.result(1)) == ["state connected"])
        #expect(transcript.receive(.accepted(2, start: 1, head: 2)) == ["1 <- opened at 1 of 2 j1"])
        #expect(transcript.receive(.update("a"), .update("b"), .update("c")) == ["1 <- 1: a b c"])
        #expect(transcript.receive(.update("d")) == ["1 <- 4: d"])
    }

    @Test func aStreamResumesAfterItsLastNumber() {
        var transcript = following()
        _ = transcript.receive(.update("a"), .update("b"))
        #expect(transcript.failed() == ["state waiting"])
        #expect(transcript.passToDeadline() == ["state connecting", "connect 2"])
        let subscribe =
            #"send {"id":2,"subscribe","params":{"subId":"1","name":"acp:sessionUpdates","params":{"sessionId":"s","journal":"j1"},"lastSeq":2,"journal":"j1"}}"#
        #expect(transcript.connected().last == subscribe)
        #expect(transcript.receive(.accepted(2, start: 3, head: 2)) == ["1 <- opened at 3 of 2 j1"])
        #expect(transcript.receive(.update("c")) == ["1 <- 3: c"])
    }

    @Test func aStreamFromNowStartsAtTheBridgesNumber() {
        var transcript = Transcript()
        let sent = transcript.open(by: .follow(1, after: nil))
        #expect(sent[1].hasSuffix(#""params":{"sessionId":"s"}}}"#))
        #expect(transcript.receive(.accepted(2, resumed: false, start: 41, head: 40)) == ["1 <- opened at 41 of 40 j1"])
        #expect(transcript.receive(.update("a")) == ["1 <- 41: a"])
    }

    @Test func aStoredPositionIsSentWithItsJournal() {
        var transcript = Transcript()
        let sent = transcript.open(by: .follow(1, after: 7, journal: "j0"))
        #expect(
            sent[1].hasSuffix(#""params":{"sessionId":"s","journal":"j0"},"lastSeq":7,"journal":"j0"}}"#))
    }

    @Test func aLogWithAnotherHistoryRestartsTheStream() {
        var transcript = following()
        _ = transcript.receive(.update("a"), .update("b"), .update("c"))
        _ = transcript.failed()
        _ = transcript.passToDeadline()
        _ = transcript.connected()
        #expect(
            transcript.receive(.accepted(2, resumed: false, start: 2, head: 5, journal: "j2"))
                == ["1 <- restarted at 2", "1 <- opened at 2 of 5 j2"])
        #expect(
            transcript.receive(
                .notification("tinyvex/error", #"{"subId":"1","code":"TVX004","message":"not resumed"}"#)) == [])
        #expect(transcript.receive(.update("x")) == ["1 <- 2: x"])
    }

    @Test func trimmedUpdatesAreReportedAsSkipped() {
        var transcript = Transcript()
        _ = transcript.open(by: .follow(1, after: 3, journal: "j1"))
        #expect(
            transcript.receive(.accepted(2, resumed: false, start: 9, head: 12))
                == ["1 <- skipped 4-8 not kept", "1 <- opened at 9 of 12 j1"])
        #expect(transcript.receive(.update("x")) == ["1 <- 9: x"])
    }

    @Test func aDeletedIncarnationIsReplacedByTheNextOne() {
        var transcript = following()
        _ = transcript.receive(.update("a"), .update("b"))
        _ = transcript.failed()
        _ = transcript.passToDeadline()
        _ = transcript.connected()
        let again = transcript.receive(.error(2, "TVX008"))
        #expect(again.first == "1 <- restarted at 1")
        #expect(again.last?.hasSuffix(#""params":{"sessionId":"s"},"lastSeq":0}}"#) == true)
        #expect(transcript.receive(.error(3, "TVX008", "unknown")) == ["1 fails: server TVX008 unknown"])
    }

    @Test func skippedNumbersAreReportedAndCounted() {
        var transcript = following()
        #expect(
            transcript.receive(
                .update("a"),
                .notification("tinyvex/skipped", #"{"subId":"1","fromSeq":2,"toSeq":5,"reason":"latest"}"#),
                .update("f")) == ["1 <- 1: a", "1 <- skipped 2-5 latest", "1 <- 6: f"])
    }

    @Test func theEndIsReportedOnceAndTheStreamContinues() {
        var transcript = following()
        let end = String.notification("tinyvex/ended", #"{"subId":"1","seq":2,"reason":"exited","exitCode":0}"#)
        #expect(
            transcript.receive(.update("a"), .update("b"), end) == ["1 <- 1: a b", "1 <- ended at 2: exited"])
        _ = transcript.failed()
        _ = transcript.passToDeadline()
        _ = transcript.connected()
        #expect(transcript.receive(.accepted(2, start: 3, head: 2), end) == ["1 <- opened at 3 of 2 j1"])
        #expect(transcript.receive(.update("c")) == ["1 <- 3: c"])
    }

    @Test func aRefusedSubscriptionFailsItsReader() {
        var transcript = Transcript()
        _ = transcript.open(by: .follow(1))
        #expect(transcript.receive(.error(2, "TVX008", "unknown")) == ["1 fails: server TVX008 unknown"])
    }

    @Test func updatesOfUnfollowedSessionsAreAgentMessages() {
        var transcript = following()
        #expect(transcript.receive(.update("x", "other")) == ["agent session/update"])
        #expect(transcript.receive(.update("a")) == ["1 <- 1: a"])
    }

    @Test func aMessageThatIsNotJSONEndsTheConnectionWithoutLoss() {
        var transcript = following()
        #expect(
            transcript.receive(.update("a"), "{nonsense") == [
                "1 <- 1: a", "disconnect 1 1007", "state waiting",
            ])
        _ = transcript.passToDeadline()
        #expect(transcript.connected().last?.contains(#""lastSeq":1"#) == true)
    }

    @Test func theSameSessionWithOtherParamsIsRefused() {
        var transcript = following()
        let target = StreamTarget(
            name: "acp:sessionUpdates", params: Array(#"{"agent":"a","sessionId":"s"}"#.utf8))
        let actions = transcript.on(.subscribe(SubscriberID(number: 2), target, start: .now, policy: nil))
        #expect(actions.first?.hasPrefix("2 fails: server TVX002") == true)
    }
}

/// Several readers of one session share one subscription at the bridge.
@Suite struct SharedSessionTests {
    private func twoReaders() -> Transcript {
        var transcript = Transcript()
        _ = transcript.open(by: .follow(1))
        _ = transcript.receive(.accepted(2, start: 1, head: 2), .update("a"), .update("b"))
        return transcript
    }

    @Test func aReaderFromNowJoinsTheSubscription() {
        var transcript = twoReaders()
        #expect(transcript.on(.follow(2, after: nil)) == ["2 <- opened at 3 of 2 j1"])
        #expect(transcript.receive(.update("c")) == ["1 <- 3: c", "2 <- 3: c"])
    }

    @Test func anEarlierStartReopensTheStreamAndOthersSkipDuplicates() {
        var transcript = twoReaders()
        let actions = transcript.on(.follow(2))
        #expect(actions.first == "2 <- opened at 1 of 2 j1")
        #expect(actions[1] == #"send {"id":3,"unsubscribe","params":{"subId":"1"}}"#)
        #expect(actions[2].hasSuffix(#""lastSeq":0,"journal":"j1"}}"#))
        // An update of the old subscription, already on its way.
        #expect(transcript.receive(.update("c")) == ["1 <- 3: c"])
        #expect(transcript.receive(.result(3), .accepted(4, start: 1, head: 3)).isEmpty)
        #expect(
            transcript.receive(.update("a"), .update("b"), .update("c"), .update("d"))
                == ["1 <- 4: d", "2 <- 1: a b c d"])
    }

    @Test func theLastReaderToLeaveEndsTheSubscription() {
        var transcript = twoReaders()
        _ = transcript.on(.follow(2, after: nil))
        #expect(transcript.on(.leave(1)).isEmpty)
        #expect(transcript.receive(.update("c")) == ["2 <- 3: c"])
        #expect(transcript.on(.leave(2)) == [#"send {"id":3,"unsubscribe","params":{"subId":"1"}}"#])
        #expect(transcript.receive(.update("d")).isEmpty)
        #expect(transcript.receive(.result(3)).isEmpty)
        #expect(transcript.machine.streams[1] == nil)
    }

    @Test func aReaderCanReturnBeforeTheUnsubscribeIsConfirmed() {
        var transcript = twoReaders()
        _ = transcript.on(.leave(1))
        #expect(transcript.on(.follow(2, after: 2)).last?.contains(#""lastSeq":2"#) == true)
        #expect(transcript.receive(.update("c"), .result(3)).isEmpty)
        #expect(transcript.receive(.accepted(4, start: 3, head: 3)) == ["2 <- opened at 3 of 3 j1"])
        #expect(transcript.receive(.update("c")) == ["2 <- 3: c"])
    }

    @Test func theGreatestPositionIsResumedFirstAfterALostConnection() {
        var transcript = twoReaders()
        _ = transcript.on(.follow(2))
        _ = transcript.receive(.result(3), .accepted(4, start: 1, head: 2), .update("a"))
        // Reader 1 has two updates, reader 2 has one.
        _ = transcript.failed()
        _ = transcript.passToDeadline()
        #expect(transcript.connected().last?.contains(#""lastSeq":2"#) == true)
        let actions = transcript.receive(.accepted(2, start: 3, head: 2, journal: "j2"))
        #expect(actions.prefix(2) == ["1 <- opened at 3 of 2 j2", "2 <- opened at 2 of 2 j2"])
        #expect(actions.last?.contains(#""lastSeq":1,"journal":"j2""#) == true)
        _ = transcript.receive(.result(3), .accepted(4, start: 2, head: 2, journal: "j2"))
        #expect(transcript.receive(.update("b"), .update("c")) == ["1 <- 3: c", "2 <- 2: b c"])
    }
}
