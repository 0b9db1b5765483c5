import TestSupport
import Testing

@testable import Access
@testable import EventLoop
@testable import Posix

@Suite struct RequestRateTests {
    init() { LoopThread.start }

    private let start = Instant(nanoseconds: 1_000_000_000_000)

    private func address(_ number: Int) throws -> NetworkAddress {
        try #require(NetworkAddress("10.\(number >> 16).\(number >> 8 & 255).\(number & 255)"))
    }

    @Test func requestsBeyondABurstMustWait() throws {
        var rate = RequestRate(perMinute: 60)
        let one = try address(1)
        for _ in 0..<60 { #expect(rate.admit(one, at: start) == nil) }
        #expect(rate.admit(one, at: start) == 1)
        #expect(try rate.admit(address(2), at: start) == nil, "another address does not wait")
        #expect(rate.admit(one, at: start + .milliseconds(1010)) == nil)
        #expect(rate.admit(one, at: start + .milliseconds(1020)) == 1)
        for _ in 0..<60 { #expect(rate.admit(one, at: start + .seconds(1000)) == nil) }
        #expect(rate.admit(one, at: start + .seconds(1000)) != nil, "at most one burst accumulates")
    }

    @Test func aLowRateMeansALongWait() throws {
        var rate = RequestRate(perMinute: 2)
        for _ in 0..<2 { #expect(try rate.admit(address(1), at: start) == nil) }
        #expect(try rate.admit(address(1), at: start) == 30)
    }

    @Test func manyAddressesAreAccepted() throws {
        var rate = RequestRate(perMinute: 1)
        for number in 0..<25_000 { #expect(try rate.admit(address(number), at: start) == nil) }
    }

    @Test @LoopActor func connectionsAreLimitedInTotalAndByAddress() throws {
        let count = ConnectionCount(limit: 3, perAddress: 2)
        let one = try address(1)
        var kept = [try count.admit(from: one), try count.admit(from: one)]
        #expect(throws: ConnectionCount.Refusal.tooManyFromAddress) { try count.admit(from: one) }
        kept.append(try count.admit(from: nil))
        #expect(throws: ConnectionCount.Refusal.tooMany) { try count.admit(from: nil) }
        kept.removeFirst()
        kept.append(try count.admit(from: one))
        kept = []
        #expect(count.total == 0)
    }

    @Test @LoopActor func theClientsAtOneAddressHaveHalfOfTheUnfinishedMessages() throws {
        let count = ConnectionCount(limit: 9, perAddress: 9)
        let half = ConnectionCount.leastHeldLimitBytes / 2
        let greedy = [try count.admit(from: address(1)), try count.admit(from: address(1))]
        #expect(greedy[0].holds(bytes: half - (100 << 10)))
        #expect(!greedy[1].holds(bytes: 101 << 10))
        #expect(greedy[1].holds(bytes: 100 << 10))
        let other = try count.admit(from: address(2))
        #expect(other.holds(bytes: half))
        #expect(!(try count.admit(from: address(3))).holds(bytes: 65 << 10))
        #expect(greedy[0].holds(bytes: 0))
        #expect(greedy[1].holds(bytes: half))
    }
}
