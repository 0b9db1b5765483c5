import EventLoop
import Functions
import Peers
import SessionRecords
import TestSupport
import Testing

@testable import PeerSharing

@Suite struct PeerUsageTests {
    @LoopActor private final class Parts {
        typealias Finish = @LoopActor @Sendable (Result<LogAnswer, PeerLink.Failure>) -> Void

        let loop = ManualLoop()
        var asked: [String: Finish] = [:]
        var answers: [[String]] = []

        func read(_ names: String...) {
            let sources = names.map { name in
                PeerUsage.Source(name: name) { [unowned self] in asked[name] = $0 }
            }
            PeerUsage { [unowned self] in answers.append($0.map(Self.text)) }.read(sources, timers: loop)
        }

        private static func text(_ usage: UsageOfOthers) -> String {
            switch usage.usage {
            case .known: usage.bridge
            case .unknown(let reason): "\(usage.bridge): \(reason)"
            }
        }
    }

    init() { LoopThread.start }

    @Test @LoopActor func aPeerThatDoesNotAnswerIsNamedAfterFiveSecondsAndTheOthersCount() {
        let parts = Parts()
        parts.read("quick", "hanging")
        parts.asked["quick"]?(.success(.usage(UsageByDay())))
        parts.loop.advance(by: .milliseconds(4999))
        #expect(parts.answers == [])
        parts.loop.advance(by: .milliseconds(1))
        let expected = [["quick", "hanging: it has not answered for 5 s"]]
        #expect(parts.answers == expected)
        parts.asked["hanging"]?(.success(.usage(UsageByDay())))
        parts.loop.advance(by: .seconds(60))
        #expect(parts.answers == expected, "an answer that is late changes nothing")
    }

    @Test @LoopActor func theAnswerWaitsForNoTimerIfAllPeersHaveAnswered() {
        let parts = Parts()
        parts.read()
        #expect(parts.answers == [[]])
        parts.read("lost", "old")
        parts.asked["lost"]?(.failure(PeerLink.Failure(reason: "it is away", isUnknownSession: false)))
        parts.asked["old"]?(.success(.unchanged(changes: 1)))
        #expect(
            parts.answers.last == ["lost: it is away", "old: it answers in a form that this bridge does not know"])
        parts.loop.advance(by: .seconds(60))
        #expect(parts.answers.count == 2)
    }
}
