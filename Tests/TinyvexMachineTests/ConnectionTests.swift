import Testing
import TinyvexTransport

@testable import TinyvexMachine

@Suite struct ConnectionTests {
    @Test func noConnectionIsOpenedWithoutARequest() {
        var transcript = Transcript()
        #expect(transcript.pass(.seconds(3600)).isEmpty)
        #expect(transcript.machine.deadline == nil)
    }

    @Test func anUnneededConnectionIsNotReopened() {
        var transcript = Transcript()
        _ = transcript.open(by: .query(1))
        _ = transcript.on(.leave(1))
        #expect(transcript.failed() == ["state idle"])
        #expect(transcript.on(.query(2)).first == "state connecting")
    }

    @Test func retryDelaysGrowToAMaximumAndResetAfterAMessage() {
        var transcript = Transcript()
        var waits: [Duration] = []
        _ = transcript.on(.query(1))
        for _ in 1...12 {
            _ = transcript.failed(.unreachable(reason: "x"))
            waits.append(transcript.now.duration(to: transcript.machine.deadline ?? transcript.now))
            _ = transcript.passToDeadline()
        }
        #expect(waits.allSatisfy { (.milliseconds(100)...(.seconds(15))).contains($0) })
        for (index, wait) in waits.enumerated() {
            let most = min(Duration.seconds(15), .milliseconds(200) * (1 << index))
            #expect(wait <= most && wait >= min(most / 2, .milliseconds(7500)))
        }
        _ = transcript.connected()
        _ = transcript.receive(.accepted(2, start: 1, head: 0), .data(1, 1, "1"))
        _ = transcript.failed()
        #expect(transcript.now.duration(to: transcript.machine.deadline ?? transcript.now) <= .milliseconds(200))
    }

    @Test func aBusyServersRetryDelayIsUsed() {
        var transcript = Transcript()
        _ = transcript.on(.query(1))
        _ = transcript.failed(.busy(retryAfter: .seconds(30)))
        #expect(transcript.machine.deadline == transcript.now + .seconds(30))
    }

    @Test(arguments: [
        TransportFailure.insecure(reason: "expired"), .untrusted(reason: "another user listens"),
        .refused(status: 404, reason: "no such path"),
        .notWebSocket(reason: "x"),
    ])
    func permanentFailuresAreNotRetriedOnTheFirstAttempt(failure: TransportFailure) {
        var transcript = Transcript()
        _ = transcript.on(.query(1))
        #expect(
            transcript.failed(failure) == ["1 fails: transport \(failure)", "state idle: transport \(failure)"])
        #expect(transcript.on(.query(2)).last == "connect 2")
    }

    @Test func aPermanentFailureIsRetriedAfterAnEarlierSuccess() {
        var transcript = Transcript()
        _ = transcript.open(by: .query(1))
        _ = transcript.failed()
        _ = transcript.passToDeadline()
        #expect(transcript.failed(.refused(status: 404, reason: "proxy")) == ["state waiting"])
    }

    @Test func theNumberOfAttemptsCanBeLimited() {
        var transcript = Transcript { $0.attemptsLimit = 2 }
        _ = transcript.on(.query(1))
        _ = transcript.on(.mutate(1))
        #expect(transcript.failed(.timedOut) == ["state waiting"])
        _ = transcript.passToDeadline()
        let actions = transcript.failed(.timedOut)
        #expect(actions.map { String($0.prefix(20)) }.prefix(2) == ["1 fails: transport t", "call 1 fails: transp"])
        #expect(transcript.machine.deadline == nil)
    }

    @Test func eventsOfAnEarlierConnectionAreIgnored() {
        var transcript = Transcript()
        _ = transcript.open(by: .follow(1))
        let earlier = transcript.connection
        _ = transcript.failed()
        _ = transcript.passToDeadline()
        #expect(transcript.on(.failed(earlier, .cancelled)).isEmpty)
        #expect(transcript.on(.connected(earlier)).isEmpty)
        var batch = MessageBatch()
        batch.append(Array(String.update("a").utf8))
        #expect(transcript.on(.arrived(earlier, batch)).isEmpty)
        #expect(transcript.connected().count == 2)
    }

    @Test func aClosedClientStaysClosed() {
        var transcript = Transcript()
        _ = transcript.open(by: .query(1))
        _ = transcript.on(.mutate(1))
        #expect(
            transcript.on(.close) == ["disconnect 1 1000", "1 fails: closed", "call 1 fails: closed", "state closed"])
        #expect(transcript.on(.query(2)) == ["2 fails: closed"])
        #expect(transcript.on(.mutate(2)) == ["call 2 fails: closed"])
        #expect(transcript.on(.close).isEmpty)
    }
}

@Suite struct HeartbeatTests {
    @Test func aSilentConnectionIsPingedAndThenClosed() {
        var transcript = Transcript()
        _ = transcript.open(by: .query(1))
        #expect(transcript.pass(.seconds(14)).isEmpty)
        #expect(transcript.pass(.seconds(1)) == [#"send {"id":3,"ping"}"#])
        #expect(transcript.pass(.seconds(104)) == [#"send {"id":4,"ping"}"#])
        #expect(transcript.pass(.seconds(1)) == ["disconnect 1 1001", "state waiting"])
    }

    @Test func aPingsAnswerKeepsTheConnectionOpen() {
        var transcript = Transcript()
        _ = transcript.open(by: .query(1))
        _ = transcript.pass(.seconds(15))
        _ = transcript.receive(.result(3))
        #expect(transcript.pass(.seconds(119)) != ["disconnect 1 1001", "state waiting"])
    }

    @Test func bytesOfAPartialMessageKeepTheConnectionOpen() {
        var transcript = Transcript()
        _ = transcript.open(by: .query(1))
        let heard = transcript.now + .seconds(115)
        #expect(transcript.pass(.seconds(120), lastHeard: heard).isEmpty)
        #expect(transcript.machine.deadline == heard + .seconds(15))
    }
}
