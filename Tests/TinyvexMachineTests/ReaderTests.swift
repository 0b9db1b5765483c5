import Testing

@testable import TinyvexMachine

/// Readers that are slower than the connection.
@Suite struct ReaderTests {
    private func following() -> Transcript {
        var transcript = Transcript()
        _ = transcript.open(by: .follow(1))
        _ = transcript.receive(.accepted(2, start: 1, head: 9), .update("a"))
        return transcript
    }

    private func fellBehind(_ subscriber: Int) -> SyncMachine.Event {
        .readerFellBehind(SubscriberID(number: subscriber))
    }
    private func caughtUp(_ subscriber: Int) -> SyncMachine.Event { .readerCaughtUp(SubscriberID(number: subscriber)) }

    @Test func aSlowReaderAlonePausesTheConnection() {
        var transcript = following()
        #expect(transcript.on(fellBehind(1)) == ["stop reading"])
        #expect(transcript.on(caughtUp(1)) == ["read"])
        #expect(transcript.receive(.update("b")) == ["1 <- 2: b"])
    }

    @Test func aPausedConnectionDoesNotTimeOut() {
        var transcript = following()
        _ = transcript.on(fellBehind(1))
        #expect(transcript.pass(.seconds(3600)).isEmpty)
        _ = transcript.on(caughtUp(1))
        #expect(transcript.pass(.seconds(10)).isEmpty)
    }

    @Test func aSlowReaderAmongOthersUnsubscribesAndResumesLater() {
        var transcript = following()
        _ = transcript.on(.query(2))
        _ = transcript.receive(.accepted(3, start: 1, head: 0))
        #expect(transcript.on(fellBehind(1)) == [#"send {"id":4,"unsubscribe","params":{"subId":"1"}}"#])
        // These updates were already on their way.
        #expect(transcript.receive(.update("b"), .update("c"), .result(4)).isEmpty)
        let again = transcript.on(caughtUp(1))
        #expect(again.count == 1)
        #expect(again.first?.contains(#""lastSeq":1,"journal":"j1""#) == true)
        #expect(
            transcript.receive(.accepted(5, start: 2, head: 9), .update("b"), .update("c")) == ["1 <- 2: b c"])
    }

    @Test func aCallResumesAPausedConnection() {
        var transcript = following()
        _ = transcript.on(fellBehind(1))
        let actions = transcript.on(.mutate(1))
        #expect(actions.contains("read"))
        #expect(actions.contains { $0.contains("mutation") })
        _ = transcript.receive(.result(3))
        #expect(transcript.machine.readers.parked.count == 1)
    }

    @Test func aSlowReaderDoesNotDelayAnotherOfTheSameSession() {
        var transcript = Transcript()
        _ = transcript.open(by: .follow(1))
        _ = transcript.receive(.accepted(2, start: 1, head: 1), .update("a"))
        _ = transcript.on(.follow(2, after: nil))
        #expect(transcript.on(fellBehind(1)).isEmpty)
        #expect(transcript.receive(.update("b"), .update("c")) == ["2 <- 2: b c"])
        // The updates from that time are sent again, and only the slow reader takes them.
        #expect(transcript.on(caughtUp(1)).last?.contains(#""lastSeq":1,"journal":"j1""#) == true)
        _ = transcript.receive(.result(3), .accepted(4, start: 2, head: 3))
        #expect(
            transcript.receive(.update("b"), .update("c"), .update("d")) == ["1 <- 2: b c d", "2 <- 4: d"])
    }

    /// A batch can fill a reader and end its stream.
    @Test func aReaderThatFallsBehindAfterItHasLeftIsNotCounted() {
        var transcript = following()
        _ = transcript.on(.query(2))
        _ = transcript.on(.leave(1))
        #expect(transcript.on(fellBehind(1)).isEmpty)
        #expect(transcript.machine.readers.full.isEmpty)
    }

    @Test func aSlowReaderThatLeavesIsRemovedCompletely() {
        var transcript = following()
        _ = transcript.on(fellBehind(1))
        let actions = transcript.on(.leave(1))
        #expect(actions.contains("read"))
        #expect(actions.contains { $0.contains("unsubscribe") })
        #expect(transcript.machine.readers.full.isEmpty)
    }
}
