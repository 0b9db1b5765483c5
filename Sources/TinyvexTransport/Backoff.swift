/// The delay before the next connection attempt. It doubles with each attempt and has jitter, so that the clients do
/// not all reconnect at the same moment when a bridge restarts.
package struct Backoff: Sendable {
    let shortest: Duration
    let longest: Duration
    /// Attempts that have failed since the last successful connection.
    package private(set) var failures = 0
    private var random: SeededRandom

    package init(shortest: Duration, longest: Duration, seed: UInt64) {
        self.shortest = shortest
        self.longest = max(shortest, longest)
        random = SeededRandom(seed: seed)
    }

    package mutating func succeeded() { failures = 0 }

    /// Returns a delay between the shortest and the longest: a random value from the upper half of a range that
    /// doubles.
    package mutating func nextDelay() -> Duration {
        let doublings = min(failures, 30)
        failures += 1
        let range = min(longest, shortest * (2 << doublings))
        let fraction = 0.5 + Double.random(in: 0...0.5, using: &random)
        return min(longest, max(shortest, range * fraction))
    }
}

/// SplitMix64. The caller provides the seed, so the machine's output depends only on its seed and events.
package struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
