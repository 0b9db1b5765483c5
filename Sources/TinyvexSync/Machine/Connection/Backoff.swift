/// How long to wait before the next attempt at a connection: twice as long after each, and never quite the same, so that
/// a bridge that comes back is not met by all its clients at once.
struct Backoff: Sendable {
    let shortest: Duration
    let longest: Duration
    /// Attempts that have failed since something last came of one.
    private(set) var failures = 0
    private var random: SeededRandom

    init(shortest: Duration, longest: Duration, seed: UInt64) {
        self.shortest = shortest
        self.longest = max(shortest, longest)
        random = SeededRandom(seed: seed)
    }

    mutating func succeeded() { failures = 0 }

    /// Between the shortest and the longest; of a range that doubles, a random one of its upper half.
    mutating func nextDelay() -> Duration {
        let doublings = min(failures, 30)
        failures += 1
        let range = min(longest, shortest * (2 << doublings))
        let fraction = 0.5 + Double.random(in: 0...0.5, using: &random)
        return min(longest, max(shortest, range * fraction))
    }
}

/// SplitMix64. The seed comes from outside, so that what a machine does is a matter of its events alone.
struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
