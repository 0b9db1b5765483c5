import Testing
import Tinyvex

@Suite struct ServerMessagesTests {
    @Test(arguments: [true, false])
    func theConnectResponseListsTheFeatures(chunks: Bool) {
        let result = ConnectResult(serverVersion: "1.0", nowTs: 5, connectionId: "c", chunks: chunks, role: .control)
        #expect(
            text(result.json())
                == #"{"serverVersion":"1.0","nowTs":5,"features":{"chunks":\#(chunks),"maxChunkBytes":65536,"policies":["lossless","latest","thoughts","merge"]},"sessionId":"c","role":"control"}"#
        )
    }

    @Test func theSubscribeResponseHasTheStreamsPosition() {
        let result = SubscribeResult(resumed: true, startSeq: 3, headSeq: 9, journal: "9f03c2aa-1-1")
        #expect(
            text(result.json())
                == #"{"accepted":true,"resumed":true,"startSeq":3,"headSeq":9,"journal":"9f03c2aa-1-1"}"#)
    }

    @Test func aValueIsSentUnchanged() {
        #expect(
            text(ServerNotification.data(subId: "a\"b", seq: 7, value: Array(#"{ "x" : 1.50 }"#.utf8)))
                == #"{"jsonrpc":"2.0","method":"tinyvex/data","params":{"subId":"a\"b","seq":7,"value":{ "x" : 1.50 }}}"#
        )
    }

    @Test func aChunkOfAValueIsAString() {
        let chunk = TransitionChunk(subId: "a", seq: 7, chunk: "{\"x", part: 1, total: 2, transitionId: "17")
        #expect(
            text(ServerNotification.transitionChunk(chunk))
                == #"{"jsonrpc":"2.0","method":"tinyvex/transitionChunk","params":{"subId":"a","seq":7,"chunk":"{\"x","#
                + #""part":1,"total":2,"transitionId":"17"}}"#)
    }

    @Test func theEndOfASessionIsANotification() {
        #expect(
            text(ServerNotification.ended(subId: "a", seq: 2, end: .signaled(signal: 15)))
                == #"{"jsonrpc":"2.0","method":"tinyvex/ended","params":{"subId":"a","seq":2,"reason":"signaled","signal":15}}"#
        )
    }

    private func summary(live: Bool, isRunning: Bool, title: String?, cwd: String?, end: SessionEnd?) -> String {
        text(
            SessionSummary(
                sessionId: "s1", agent: "codex", title: title, cwd: cwd, tags: ["a"], isArchived: false, createdTs: 4,
                lastTs: 5, updateCount: 2, live: live,
                isRunning: isRunning, journal: "9f03c2aa-1-1", end: end
            ).json())
    }

    @Test(arguments: [(true, "running"), (false, "idle")])
    func aLiveSessionIsRunningOrIdle(isRunning: Bool, state: String) {
        #expect(
            summary(live: true, isRunning: isRunning, title: "t", cwd: "/w", end: nil)
                == #"{"sessionId":"s1","agent":"codex","title":"t","cwd":"/w","tags":["a"],"archived":false,"createdTs":4,"lastTs":5,"updateCount":2,"live":true,"#
                + #""state":"\#(state)","journal":"9f03c2aa-1-1"}"#)
    }

    /// It is live until its last output is stored.
    @Test(arguments: [(false, "ended"), (true, "idle")]) func anEndedSessionHasAnEnd(isLive: Bool, state: String) {
        #expect(
            summary(live: isLive, isRunning: false, title: nil, cwd: nil, end: .exited(code: 1))
                == #"{"sessionId":"s1","agent":"codex","title":null,"tags":["a"],"archived":false,"createdTs":4,"lastTs":5,"updateCount":2,"live":\#(isLive),"#
                + #""state":"\#(state)","journal":"9f03c2aa-1-1","end":{"reason":"exited","exitCode":1}}"#)
    }
}
