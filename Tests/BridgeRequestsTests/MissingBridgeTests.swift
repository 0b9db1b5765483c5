import Posix
import Testing
import TinyvexMachine
import TinyvexTransport

@testable import BridgeRequests

@Suite struct MissingBridgeTests {
    private let start = Instant.now
    private var bridge = MissingBridge()
    private let refused = ConnectionState.waiting(for: .zero, because: .unreachable(reason: "refused"))

    private mutating func hasEnded(_ state: ConnectionState, after milliseconds: Int, isLockHeld: Bool = false) -> Bool
    {
        bridge.check(state, at: start + .milliseconds(milliseconds)) { isLockHeld }
    }

    @Test mutating func aBridgeThatAcceptsNothingForTwoSecondsAndHoldsNoLockHasEnded() {
        #expect(!hasEnded(.waiting(for: .zero, because: .lost(reason: "")), after: 0))
        #expect(!hasEnded(refused, after: 100))
        #expect(!hasEnded(refused, after: 2_000))
        #expect(hasEnded(refused, after: 2_100))
    }

    @Test mutating func aBridgeThatHoldsTheLockStartsOrStops() {
        #expect(!hasEnded(refused, after: 0, isLockHeld: true))
        #expect(!hasEnded(refused, after: 5_000, isLockHeld: true))
        #expect(!hasEnded(refused, after: 5_200))
        #expect(hasEnded(refused, after: 7_200))
    }

    @Test mutating func aConnectionThatWasMadeBeginsTheTimeAgain() {
        #expect(!hasEnded(refused, after: 0))
        #expect(!hasEnded(.waiting(for: .zero, because: .lost(reason: "")), after: 1_900))
        #expect(!hasEnded(refused, after: 2_100))
        #expect(hasEnded(refused, after: 4_100))
    }

    @Test mutating func anAttemptWithoutOutcomeNeitherEndsNorProlongsTheTime() {
        #expect(!hasEnded(refused, after: 0))
        #expect(!hasEnded(.connecting, after: 3_000))
        #expect(hasEnded(refused, after: 3_100))
    }
}
