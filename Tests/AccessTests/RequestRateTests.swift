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
        let count = ConnectionCount(limit: 4, perAddress: 2)
        let one = try address(1)
        var kept = [try count.admit(from: one, isLocal: false), try count.admit(from: one, isLocal: false)]
        #expect(throws: ConnectionCount.Refusal.tooManyFromAddress) { try count.admit(from: one, isLocal: false) }
        kept += [try count.admit(from: nil, isLocal: true), try count.admit(from: nil, isLocal: true)]
        #expect(throws: ConnectionCount.Refusal.tooMany) { try count.admit(from: nil, isLocal: true) }
        kept.removeFirst()
        kept.append(try count.admit(from: one, isLocal: false))
        kept = []
        #expect(count.total == 0)
    }

    @Test @LoopActor func aProxysConnectionCountsForOneClientAfterTheOther() throws {
        let count = ConnectionCount(limit: 9, perAddress: 1, heldLimitBytes: 1 << 20)
        let (one, other) = (try address(1), try address(2))
        let (proxy, second) = (
            try count.admit(from: nil, isLocal: false), try count.admit(from: nil, isLocal: false)
        )
        #expect(proxy.setHeld(bytes: 400_000))
        try proxy.count(from: one)
        #expect(proxy.setHeld(bytes: 500_000))
        #expect(throws: ConnectionCount.Refusal.tooManyFromAddress) { try second.count(from: one) }
        proxy.forgetAddress()
        try second.count(from: one)
        try proxy.count(from: other)
        #expect(proxy.setHeld(bytes: 500_000) && second.setHeld(bytes: 500_000), "no address has more than half")
        #expect(throws: ConnectionCount.Refusal.tooManyFromAddress) { try count.admit(from: other, isLocal: false) }
    }

    @Test @LoopActor func aDirectConnectionKeepsItsAddress() throws {
        let count = ConnectionCount(limit: 9, perAddress: 1)
        let permit = try count.admit(from: address(1), isLocal: false)
        permit.forgetAddress()
        #expect(throws: ConnectionCount.Refusal.tooManyFromAddress) {
            try count.admit(from: address(1), isLocal: false)
        }
        withExtendedLifetime(permit) {}
    }

    @Test @LoopActor func aShareIsGivenBackOnce() throws {
        let count = ConnectionCount(limit: 1, perAddress: 1, heldLimitBytes: 1 << 20)
        var permit: ConnectionPermit? = try count.admit(from: nil, isLocal: true)
        #expect(permit?.setHeld(bytes: 1 << 20) == true)
        permit?.giveBack()
        permit?.giveBack()
        let next = try count.admit(from: nil, isLocal: true)
        #expect(next.setHeld(bytes: 1 << 20))
        permit = nil
        #expect(count.total == 1)
        withExtendedLifetime(next) {}
    }

    @Test @LoopActor func oneOfAFewConnectionsRemainsForTheUnixSocket() throws {
        let count = ConnectionCount(limit: 2, perAddress: 2)
        var kept = [try count.admit(from: address(1), isLocal: false)]
        #expect(throws: ConnectionCount.Refusal.tooMany) { try count.admit(from: address(2), isLocal: false) }
        kept.append(try count.admit(from: nil, isLocal: true))
        #expect(count.total == 2)
    }

    @Test @LoopActor func aTenthOfTheConnectionsRemainsForTheUnixSocket() throws {
        let count = ConnectionCount(limit: 20, perAddress: 20)
        var kept = try (0..<18).map { try count.admit(from: address($0), isLocal: false) }
        #expect(throws: ConnectionCount.Refusal.tooMany) { try count.admit(from: address(19), isLocal: false) }
        #expect(throws: ConnectionCount.Refusal.tooMany, "a trusted proxy") {
            try count.admit(from: nil, isLocal: false)
        }
        kept += try (0..<2).map { _ in try count.admit(from: nil, isLocal: true) }
        #expect(throws: ConnectionCount.Refusal.tooMany) { try count.admit(from: nil, isLocal: true) }
        kept.removeFirst()
        #expect(throws: Never.self) { kept.append(try count.admit(from: address(19), isLocal: false)) }
    }

    @Test @LoopActor func connectionsOverTCPLeaveDescriptorsForAgents() throws {
        let count = ConnectionCount(limit: 1_000, perAddress: 1_000, openFiles: 8)
        var kept = try (0..<6).map { try count.admit(from: address($0), isLocal: false) }
        #expect(throws: ConnectionCount.Refusal.tooMany) { try count.admit(from: address(7), isLocal: false) }
        kept.append(try count.admit(from: nil, isLocal: true))
        #expect(count.total == 7)
    }

    @Test @LoopActor func allAddressesOfThisMachineCountAsOne() throws {
        let count = ConnectionCount(limit: 9, perAddress: 2)
        var rate = RequestRate(perMinute: 2)
        var kept: [ConnectionPermit] = []
        for text in ["127.0.0.1", "127.9.8.7"] {
            let address = try #require(NetworkAddress(text))
            kept.append(try count.admit(from: address, isLocal: false))
            #expect(rate.admit(address, at: start) == nil)
        }
        let other = try #require(NetworkAddress("::1"))
        #expect(throws: ConnectionCount.Refusal.tooManyFromAddress) { try count.admit(from: other, isLocal: false) }
        #expect(rate.admit(other, at: start) != nil)
        #expect(kept.count == 2)
    }

    @Test @LoopActor func theClientsAtOneAddressHaveHalfOfTheUnfinishedMessages() throws {
        let count = ConnectionCount(limit: 9, perAddress: 9)
        let half = ConnectionCount.leastHeldLimitBytes / 2
        let greedy = [
            try count.admit(from: address(1), isLocal: false), try count.admit(from: address(1), isLocal: false),
        ]
        #expect(greedy[0].setHeld(bytes: half - (100 << 10)))
        #expect(!greedy[1].setHeld(bytes: 101 << 10))
        #expect(greedy[1].setHeld(bytes: 100 << 10))
        let other = try count.admit(from: address(2), isLocal: false)
        #expect(other.setHeld(bytes: half))
        #expect(!(try count.admit(from: address(3), isLocal: false)).setHeld(bytes: 65 << 10))
        #expect(greedy[0].setHeld(bytes: 0))
        #expect(greedy[1].setHeld(bytes: half))
    }
}
