import Coalescing
import TestSupport
import Testing
import Tinyvex

@Suite struct CoalescingMachineTests {
    /// The whole log is unread when the reader begins.
    @Test(arguments: [
        ("aaaaaaaa", Policy.latest, "1 (2-7) 8"),
        ("aaa", .latest, "1 (2) 3"), ("aa", .latest, "1 2"), ("a", .latest, "1"),
        ("aaaabbbb", .latest, "1 (2-3) 4 5 (6-7) 8"),
        ("aaaTaaaa", .latest, "1 (2) 3 4 5 (6-7) 8"),
        ("TTTaaaaTTTT", .latest, "1-3 4 (5-6) 7 8-11"),
        ("nnnnaaaa", .latest, "1 (2-3) 4 5 (6-7) 8"),
        ("nnnnaaaa", .thoughts, "1 (2-3) 4 5-8"),
        ("aaaannnnaTn", .thoughts, "1-4 5 (6-7) 8 9 10 11"),
        ("aaaabTnnn", .lossless, "1-9"),
        ("aaaaaaaa", .merge, "{1-8}"), ("abcTd", .merge, "1 2 3 4 5"),
        ("aaaTbbnnT", .merge, "{1-3} 4 {5-6} {7-8} 9"),
        ("1111222T", .latest, "1 (2-3) 4 5 (6) 7 8"), ("1111nnn", .thoughts, "1-4 5 (6) 7"),
        ("111122aa", .merge, "{1-4} {5-6} {7-8}"),
    ])
    func aReaderThatIsBehindReceivesTheExpectedTranscript(log: String, policy: Policy, expected: String) {
        var reader = SimulatedReader(log, policy)
        reader.catchUp()
        #expect(reader.transcript == expected)
        #expect(reader.problem(policy) == nil)
    }

    @Test func aReaderThatIsNotBehindReceivesEverything() {
        for policy in Policy.allCases {
            var reader = SimulatedReader("aaaaTnnnnbbbb", policy, head: 1)
            for head in 1...13 {
                reader.grow(to: head)
                reader.step(isBehind: false)
            }
            #expect(reader.events == (1...13).map { .sent($0...$0) })
        }
    }

    @Test func aReaderThatFallsBehindRepeatedlyReceivesTheNewestOfEachRun() {
        var reader = SimulatedReader(String(repeating: "a", count: 100), .latest, head: 10)
        reader.catchUp()
        reader.grow(to: 40)
        reader.catchUp()
        reader.grow(to: 100)
        reader.catchUp()
        // The first update of the run was sent. The rest of it is left out, except for its newest.
        #expect(reader.transcript == "1 (2-9) 10 (11-39) 40 (41-99) 100")
    }

    @Test func updatesThatArriveDuringAScanJoinTheRun() {
        var reader = SimulatedReader(String(repeating: "a", count: 50), .latest, head: 10)
        for head in 10...49 {
            reader.grow(to: head)
            reader.step(isBehind: true, sight: 1)
        }
        reader.grow(to: 50)
        reader.catchUp(sight: 1)
        #expect(reader.transcript == "1 (2-49) 50")
    }

    @Test func aReaderThatHasCaughtUpReceivesEverythingAgain() {
        var reader = SimulatedReader(String(repeating: "a", count: 20), .latest, head: 10)
        reader.catchUp()
        for head in 11...20 {
            reader.grow(to: head)
            reader.step(isBehind: false)
        }
        #expect(reader.transcript == "1 (2-9) 10 11 12 13 14 15 16 17 18 19 20")
    }

    @Test func aLongRunIsMergedIntoSeveralChunks() {
        var reader = SimulatedReader(String(repeating: "a", count: 1000), .merge)
        reader.catchUp(sight: 50, updateBytes: 1000)
        #expect(reader.events.count > 4)
        #expect(reader.problem(.merge) == nil)
    }

    /// Tests random logs that grow at any time, and readers that fall behind at any time.
    @Test(arguments: Policy.allCases)
    func everyUpdateIsEitherSentOrOmitted(policy: Policy) {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<1000 {
            var log = ""
            while log.count < 60 {
                let letter = "abno12T".randomElement(using: &random) ?? "a"
                log += String(repeating: letter, count: Int.random(in: 1...9, using: &random))
            }
            var reader = SimulatedReader(log, policy, head: Int.random(in: 1...log.count, using: &random))
            while !reader.hasCaughtUp || reader.head < log.count {
                if Bool.random(using: &random) {
                    reader.grow(to: Int(reader.head) + Int.random(in: 0...7, using: &random))
                }
                if reader.hasCaughtUp { continue }
                reader.step(
                    isBehind: Bool.random(using: &random), sight: Int64.random(in: 1...9, using: &random),
                    updateBytes: Int.random(in: 1...20_000, using: &random))
            }
            #expect(reader.problem(policy) == nil, "\(log): \(reader.transcript)")
        }
    }
}

extension SimulatedReader {
    /// Describes the first error in the reader's events, or returns nil when there is none.
    fileprivate func problem(_ policy: Policy) -> String? {
        var next: Int64 = 1
        for (index, event) in events.enumerated() {
            let range: ClosedRange<Int64>
            switch event {
            case .sent(let sent): range = sent
            case .leftOut(let left):
                range = left
                if let problem = problem(leavingOut: left, policy, followedBy: events.dropFirst(index + 1).first) {
                    return problem
                }
            case .merged(let merged):
                range = merged
                if policy != .merge || !isOneRun(merged) || merged.count < 2 { return "merged \(merged)" }
            }
            if range.lowerBound != next { return "\(next) is missing or was sent twice" }
            next = range.upperBound + 1
        }
        return next == place ? nil : "\(next) to \(place) are missing"
    }

    private func problem(leavingOut left: ClosedRange<Int64>, _ policy: Policy, followedBy next: Event?) -> String? {
        guard let key = key(left.lowerBound), policy == .latest || (policy == .thoughts && key.kind == .agentThought)
        else { return "\(left) must not be left out" }
        // The first update of the run was sent before, and the newest is sent after.
        guard left.lowerBound > 1, isOneRun(left.lowerBound - 1...left.upperBound + 1) else {
            return "\(left) is not in the middle of a run"
        }
        guard case .sent(let sent)? = next, sent.lowerBound == left.upperBound + 1 else {
            return hasCaughtUp ? "nothing follows \(left)" : nil
        }
        return nil
    }

    private func isOneRun(_ range: ClosedRange<Int64>) -> Bool {
        key(range.lowerBound) != nil && range.allSatisfy { key($0) == key(range.lowerBound) }
    }
}
