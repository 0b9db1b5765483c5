import Coalescing
import Tinyvex

/// A log in which each letter is an update, and a reader that performs the machine's steps. Each letter from `a` to `m`
/// is a chunk of its own message, each from `n` to `z` is a chunk of its own thought, each digit is output of its own
/// terminal, and all other characters are not chunks.
struct SimulatedReader {
    enum Event: Equatable {
        case sent(ClosedRange<Int64>)
        case leftOut(ClosedRange<Int64>)
        /// The range of the merged updates. The chunk is sent with the last one's number.
        case merged(ClosedRange<Int64>)
    }

    let log: [Character]
    private(set) var place: Int64 = 1
    private(set) var head: Int64
    private(set) var events: [Event] = []
    private var machine: CoalescingMachine

    init(_ log: String, _ policy: Policy, head: Int? = nil) {
        self.log = Array(log)
        self.head = Int64(head ?? log.count)
        machine = CoalescingMachine(PolicyTerms(policy))
    }

    var hasCaughtUp: Bool { place > head }

    mutating func grow(to head: Int) { self.head = Int64(min(head, log.count)) }

    func key(_ number: Int64) -> RunKey? {
        let letter = log[Int(number) - 1]
        guard let code = letter.asciiValue, letter.isLowercase || letter.isNumber else { return nil }
        if letter.isNumber { return RunKey(kind: .terminalOutput, id: [code]) }
        return RunKey(kind: letter <= "m" ? .agentMessage : .agentThought, id: [code])
    }

    /// Performs one step. A run is shown in pieces of at most `sight` updates of `updateBytes` each.
    mutating func step(isBehind: Bool, sight: Int64 = .max, updateBytes: Int = 100) {
        let lag = Lag(frames: isBehind ? .max : 0, bytes: 0, age: .zero)
        switch machine.next(at: place, head: head, lag: lag) {
        case .look(let number): machine.looked(run(at: number, sight, updateBytes))
        case .send(let last): add(.sent(place...last), last)
        case .leaveOut(let last): add(.leftOut(place...last), last)
        case .mergeLater(let last): place = last + 1
        case .merge(let first): add(.merged(first...place), place)
        }
    }

    mutating func catchUp(sight: Int64 = .max, updateBytes: Int = 100) {
        var steps = 0
        while !hasCaughtUp, steps < 100_000 {
            step(isBehind: true, sight: sight, updateBytes: updateBytes)
            steps += 1
        }
    }

    private mutating func add(_ event: Event, _ last: Int64) {
        events.append(event)
        place = last + 1
    }

    private func run(at number: Int64, _ sight: Int64, _ updateBytes: Int) -> UpdateRun {
        var last = number
        while last < head, last - number + 1 < sight, key(last + 1) == key(number) { last += 1 }
        return UpdateRun(first: number, last: last, key: key(number), byteCount: Int(last - number + 1) * updateBytes)
    }

    /// `1-3 (4-7) 8 {9-12}`: sent, left out, sent, merged.
    var transcript: String {
        events.map { event in
            switch event {
            case .sent(let range): Self.text(range)
            case .leftOut(let range): "(\(Self.text(range)))"
            case .merged(let range): "{\(Self.text(range))}"
            }
        }.joined(separator: " ")
    }

    private static func text(_ range: ClosedRange<Int64>) -> String {
        range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound)"
    }
}
