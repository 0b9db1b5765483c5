import Testing

@testable import TinyvexMachine

@Suite struct ValueTests {
    private func asking() -> Transcript {
        var transcript = Transcript()
        _ = transcript.open(by: .query(1))
        _ = transcript.receive(.accepted(2, resumed: false, start: 1, head: 0, journal: ""))
        return transcript
    }

    @Test func eachValueReachesItsReader() {
        var transcript = asking()
        #expect(
            transcript.receive(.data(1, 1, #"{"n":1}"#), .data(1, 2, "[ 2 ]")) == [
                #"1 <- {"n":1} #1"#, "1 <- [ 2 ] #2",
            ])
    }

    @Test func equalQueriesShareASubscriptionAndTheNewestValue() {
        var transcript = asking()
        _ = transcript.receive(.data(1, 1, "1"))
        #expect(transcript.on(.query(2)) == ["2 <- 1 #1"])
        #expect(transcript.receive(.data(1, 2, "2")) == ["1 <- 2 #2", "2 <- 2 #2"])
        #expect(
            transcript.on(.query(3, "q:list", #"{"page":2}"#)).first?.hasPrefix(#"send {"id":3,"subscribe""#) == true)
    }

    @Test func onlyTheLastReaderEndsTheSubscription() {
        var transcript = asking()
        _ = transcript.on(.query(2))
        #expect(transcript.on(.leave(1)).isEmpty)
        #expect(transcript.on(.leave(2)) == [#"send {"id":3,"unsubscribe","params":{"subId":"1"}}"#])
        #expect(transcript.receive(.error(3, "TVX001")).isEmpty)
        #expect(transcript.machine.streams[1] == nil)
    }

    @Test func aNewConnectionResumesAndIgnoresAnUnchangedValue() {
        var transcript = asking()
        _ = transcript.receive(.data(1, 7, "7"))
        _ = transcript.failed()
        _ = transcript.passToDeadline()
        #expect(transcript.connected().last?.contains(#""lastSeq":7"#) == true)
        _ = transcript.receive(.accepted(2, resumed: false, start: 1, head: 0, journal: ""))
        #expect(transcript.receive(.data(1, 1, "7")).isEmpty)
        #expect(transcript.receive(.data(1, 2, "8")) == ["1 <- 8 #2"])
    }

    @Test func aReaderThatComesBeforeACancellationIsAnsweredGetsTheUnchangedValue() {
        var transcript = asking()
        _ = transcript.receive(.data(1, 1, "1"))
        _ = transcript.on(.leave(1))
        #expect(transcript.on(.query(2)).first?.hasPrefix(#"send {"id":4,"subscribe""#) == true)
        #expect(transcript.receive(.data(1, 2, "0")).isEmpty, "this is of the cancelled subscription")
        _ = transcript.receive(.result(3), .accepted(4, resumed: false, start: 2, head: 1, journal: ""))
        #expect(transcript.receive(.data(1, 2, "1")) == ["2 <- 1 #2"])
    }

    @Test func aReaderThatComesWhileAConnectionIsMadeGetsTheUnchangedValue() {
        var transcript = asking()
        _ = transcript.receive(.data(1, 7, "7"))
        _ = transcript.failed()
        _ = transcript.on(.query(2))
        _ = transcript.passToDeadline()
        _ = transcript.connected()
        _ = transcript.receive(.accepted(2, resumed: false, start: 8, head: 7, journal: ""))
        #expect(transcript.receive(.data(1, 8, "7")) == ["2 <- 7 #8"])
        #expect(transcript.receive(.data(1, 9, "9")) == ["1 <- 9 #9", "2 <- 9 #9"])
    }

    @Test func anUnavailableValueFailsItsReaders() {
        var transcript = asking()
        _ = transcript.receive(.data(1, 1, "1"))
        let gone = String.notification("tinyvex/error", #"{"subId":"1","code":"TVX008","message":"gone"}"#)
        #expect(
            transcript.receive(gone) == [
                "1 fails: server TVX008 gone", #"send {"id":3,"unsubscribe","params":{"subId":"1"}}"#,
            ])
    }

    @Test func anOlderValueIsIgnored() {
        var transcript = asking()
        _ = transcript.receive(.data(1, 7, "7"))
        #expect(transcript.receive(.data(1, 6, "6")).isEmpty)
    }

    @Test func anUnsentSubscriptionThatEndsIsNeverSent() {
        var transcript = Transcript { $0.sendLimitBytes = 1 }
        #expect(transcript.open(by: .query(1)).count == 2)
        // The messages sent when the connection opened have used up the limit.
        #expect(transcript.on(.query(2, "q:other")).isEmpty)
        #expect(transcript.on(.leave(2)).isEmpty)
        #expect(
            transcript.on(.sent(transcript.connection, bytes: 1000)) == [
                #"send {"id":2,"subscribe","params":{"subId":"1","name":"q:list","params":{}}}"#
            ])
        #expect(transcript.on(.sent(transcript.connection, bytes: 1000)).isEmpty)
    }

    @Test(arguments: [0, 1])
    func chunksAreJoinedToOneValue(first: Int) {
        var transcript = asking()
        let parts = [#"{\"n\":"#, "1", "}"].enumerated().map { index, text in
            String.notification(
                "tinyvex/transitionChunk",
                #"{"subId":"1","seq":1,"chunk":"\#(text)","part":\#(index + first),"total":3,"transitionId":"t"}"#)
        }
        #expect(transcript.receive(parts[0], parts[1]).isEmpty)
        #expect(transcript.receive(parts[2]) == [#"1 <- {"n":1} #1"#])
    }

    @Test func aMissingChunkEndsTheConnection() {
        var transcript = asking()
        let part = #"{"subId":"1","seq":1,"chunk":"x","part":3,"total":4,"transitionId":"t"}"#
        #expect(transcript.receive(.notification("tinyvex/transitionChunk", part)).first == "disconnect 1 1007")
    }

    @Test func theOtherPartsOfAValueOverTheLimitAreIgnored() {
        var transcript = Transcript { $0.chunkLimitBytes = 3 }
        _ = transcript.open(by: .query(1))
        _ = transcript.receive(.accepted(2, resumed: false, start: 1, head: 0, journal: ""))
        let parts = (0..<3).map { part in
            String.notification(
                "tinyvex/transitionChunk",
                #"{"subId":"1","seq":1,"chunk":"long","part":\#(part),"total":3,"transitionId":"t"}"#)
        }
        let done = transcript.receive(parts)
        #expect(done == ["1 fails: too large", #"send {"id":3,"unsubscribe","params":{"subId":"1"}}"#])
        #expect(transcript.receive(parts).isEmpty, "the connection continues")
    }

    @Test func chunksOverTheLimitFailOnlyTheReader() {
        var transcript = Transcript { $0.chunkLimitBytes = 3 }
        _ = transcript.open(by: .query(1))
        _ = transcript.receive(.accepted(2, start: 1, head: 0))
        let part = #"{"subId":"1","seq":1,"chunk":"long","part":0,"total":2,"transitionId":"t"}"#
        #expect(
            transcript.receive(.notification("tinyvex/transitionChunk", part)) == [
                "1 fails: too large", #"send {"id":3,"unsubscribe","params":{"subId":"1"}}"#,
            ])
    }

    @Test(arguments: [
        "[]", "1", #"{"jsonrpc":"2.0"}"#, #"{"jsonrpc":"2.0","id":99,"result":{}}"#,
        #"{"jsonrpc":"2.0","id":"x","result":1}"#,
        #"{"jsonrpc":"2.0","method":"tinyvex/unknown","params":{}}"#, #"{"jsonrpc":"2.0","method":"tinyvex/data"}"#,
        #"{"jsonrpc":"2.0","method":"tinyvex/data","params":{"subId":"9","seq":1,"value":1}}"#,
        #"{"jsonrpc":"2.0","method":"tinyvex/data","params":{"subId":"9223372036854775808","seq":1,"value":1}}"#,
        #"{"jsonrpc":"2.0","method":"tinyvex/skipped","params":{"subId":"1","fromSeq":-1,"toSeq":9223372036854775807}}"#,
        #"{"jsonrpc":"2.0","method":"tinyvex/ended","params":{"subId":1}}"#,
        #"{"jsonrpc":"2.0","method":"tinyvex/error","params":[]}"#,
    ])
    func unknownMessagesAreIgnored(message: String) {
        var transcript = asking()
        #expect(transcript.receive(message).isEmpty)
        #expect(transcript.receive(.data(1, 1, "1")) == ["1 <- 1 #1"])
    }

    @Test func extremeNumbersDoNotOverflow() {
        var transcript = Transcript()
        _ = transcript.open(by: .follow(1, after: .max))
        _ = transcript.receive(.accepted(2, start: .max, head: .max))
        _ = transcript.receive(.update("a"), .update("b"))
        _ = transcript.receive(
            .notification("tinyvex/skipped", #"{"subId":"1","fromSeq":1,"toSeq":9223372036854775807}"#))
        #expect(transcript.receive(.update("c")).count <= 1)
    }
}

@Suite struct TimelineTests {
    @Test func aTimelineUsesTheBridgesNumbersAndReportsGaps() {
        var transcript = Transcript()
        let target = StreamTarget(name: "sessions:timeline", params: Array(#"{"sessionId":"s"}"#.utf8))
        _ = transcript.open(by: .subscribe(SubscriberID(number: 1), target, start: .after(0), policy: nil))
        _ = transcript.receive(.accepted(2, start: 1, head: 3))
        #expect(transcript.receive(.data(1, 1, "{}"), .data(1, 2, "[]")) == ["1 <- 1: {}", "1 <- 2: []"])
        #expect(transcript.receive(.data(1, 5, "{}")) == ["1 <- skipped 3-4 not sent", "1 <- 5: {}"])
        _ = transcript.failed()
        _ = transcript.passToDeadline()
        #expect(transcript.connected().last?.contains(#""lastSeq":5,"journal":"j1""#) == true)
    }
}
