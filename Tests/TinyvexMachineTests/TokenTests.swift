import Testing

@testable import TinyvexMachine

@Suite struct TokenTests {
    private func refreshing(_ token: String? = "old") -> Transcript {
        var transcript = Transcript(token: token)
        _ = transcript.on(.setCanRefreshToken(true))
        return transcript
    }

    @Test func aRejectedTokenIsReplacedOnce() {
        var transcript = refreshing()
        #expect(transcript.on(.query(1)).last == "connect 1 token old")
        #expect(transcript.failed(.unauthorized) == ["refresh token"])
        #expect(transcript.on(.tokenRefreshed("new")) == ["state connecting", "connect 2 token new"])
        #expect(
            transcript.failed(.unauthorized)
                == ["new token refused", "1 fails: unauthorized", "state idle: unauthorized"])
    }

    @Test func aRejectedTokenWithoutATokenSourceEndsTheConnection() {
        var transcript = Transcript(token: "old")
        _ = transcript.on(.query(1))
        #expect(transcript.failed(.unauthorized) == ["1 fails: unauthorized", "state idle: unauthorized"])
    }

    @Test func aFailedTokenRefreshEndsTheConnection() {
        var transcript = refreshing()
        _ = transcript.on(.mutate(1))
        _ = transcript.failed(.unauthorized)
        #expect(transcript.on(.tokenRefreshed(nil)) == ["call 1 fails: unauthorized", "state idle: unauthorized"])
    }

    @Test func anAcceptedTokenCanBeReplacedAgainLater() {
        var transcript = refreshing()
        _ = transcript.on(.query(1))
        _ = transcript.failed(.unauthorized)
        _ = transcript.on(.tokenRefreshed("new"))
        _ = transcript.connected()
        _ = transcript.receive(.result(1), .accepted(2, start: 1, head: 0))
        #expect(transcript.failed(.closed(code: 1008, reason: "expired")) == ["refresh token"])
    }

    @Test func aCallWithoutRightsIsResentWithANewToken() {
        var transcript = refreshing()
        _ = transcript.open(by: .mutate(1))
        #expect(transcript.receive(.error(2, "TVX006")) == ["refresh token"])
        #expect(transcript.on(.mutate(2)).isEmpty)
        #expect(
            transcript.on(.tokenRefreshed("new")) == [
                #"send {"id":3,"auth.setToken","params":{"token":"new"}}"#,
                #"send {"id":4,"mutation","params":{"requestId":"r1","name":"m","args":{}}}"#,
                #"send {"id":5,"mutation","params":{"requestId":"r2","name":"m","args":{}}}"#,
            ])
        #expect(transcript.receive(.result(3), .error(4, "TVX006")) == ["call 1 fails: unauthorized"])
    }

    @Test func aSubscriptionWithoutRightsIsResentWithANewToken() {
        var transcript = refreshing()
        _ = transcript.open(by: .query(1))
        #expect(transcript.receive(.error(2, "TVX006")) == ["refresh token"])
        #expect(transcript.on(.tokenRefreshed("new")).last?.hasPrefix(#"send {"id":4,"subscribe""#) == true)
        #expect(transcript.receive(.error(4, "TVX006")) == ["1 fails: unauthorized"])
    }

    @Test func aNewTokenIsSentOnTheOpenConnection() {
        var transcript = Transcript()
        _ = transcript.open(by: .query(1))
        #expect(
            transcript.on(.setToken("t")) == [#"send {"id":3,"auth.setToken","params":{"token":"t"}}"#])
        #expect(transcript.on(.setToken("t")).isEmpty)
        #expect(transcript.on(.setToken(nil)) == [#"send {"id":4,"auth.setToken","params":{"token":null}}"#])
    }

    @Test func aTokenSetWhileConnectingIsSentAfterwards() {
        var transcript = Transcript()
        _ = transcript.on(.query(1))
        _ = transcript.on(.setToken("t"))
        #expect(transcript.connected()[1].contains("auth.setToken"))
    }

    @Test func aTokenSetDuringARefreshIsUsed() {
        var transcript = refreshing()
        _ = transcript.on(.query(1))
        _ = transcript.failed(.unauthorized)
        #expect(transcript.on(.setToken("mine")).last == "connect 2 token mine")
        #expect(transcript.on(.tokenRefreshed("late")).isEmpty)
    }

    @Test func aTokenThatTheUserRemovedIsNotReplaced() {
        var transcript = refreshing()
        _ = transcript.on(.setToken(nil))
        _ = transcript.on(.query(1))
        #expect(transcript.failed(.unauthorized) == ["1 fails: unauthorized", "state idle: unauthorized"])
    }

    @Test func aSubscriptionThatLosesItsRightsIsResentWithANewToken() {
        var transcript = refreshing()
        _ = transcript.open(by: .follow(1))
        _ = transcript.receive(.accepted(2, start: 1, head: 0))
        let lost = String.notification("tinyvex/error", #"{"subId":"1","code":"TVX006","message":"no rights"}"#)
        #expect(transcript.receive(lost) == ["refresh token"])
        let sent = transcript.on(.tokenRefreshed("new"))
        #expect(sent.count == 2 && sent[1].contains(#""subscribe""#), "\(sent)")
    }
}
