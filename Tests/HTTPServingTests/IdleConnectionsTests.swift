import EventLoop
import Testing

@testable import HTTPServing

@Suite struct IdleConnectionsTests {
    private typealias Idle = IdleConnections<Int>

    private static func address(_ number: UInt8) throws -> NetworkAddress {
        try #require(NetworkAddress("203.0.113.\(number)"))
    }

    private static func from(_ number: UInt8) throws -> Idle.Origin { .network(try address(number)) }

    @Test func theLongestWaitingIsClosedFirst() throws {
        var idle = Idle()
        for id in 0..<3 { idle.insert(id, from: try Self.from(1)) }
        #expect(idle.longestWaiting(forUnixSocket: false) == [0])
        idle.remove(0)
        #expect(idle.longestWaiting(forUnixSocket: false) == [1])
        // It was used meanwhile.
        idle.insert(1, from: try Self.from(1))
        #expect(idle.longestWaiting(forUnixSocket: false) == [2])
    }

    @Test func aConnectionOverTCPDoesNotReplaceOneOnTheUnixSocket() throws {
        var idle = Idle()
        idle.insert(0, from: .unixSocket)
        #expect(idle.longestWaiting(forUnixSocket: false).isEmpty)
        #expect(idle.longestWaiting(forUnixSocket: true) == [0])
        idle.insert(1, from: .network(nil))
        #expect(idle.longestWaiting(forUnixSocket: false) == [1])
        #expect(idle.longestWaiting(forUnixSocket: true) == [0])
    }

    @Test func anAddressReplacesItsOwnConnectionsOnly() throws {
        var idle = Idle()
        idle.insert(0, from: try Self.from(1))
        idle.insert(1, from: .network(nil))
        idle.insert(2, from: try Self.from(2))
        #expect(idle.longestWaiting(from: try Self.address(2)) == [2])
        #expect(idle.longestWaiting(from: try Self.address(3)).isEmpty)
        idle.remove(2)
        #expect(idle.longestWaiting(from: try Self.address(2)).isEmpty)
    }

    @Test func aSixteenthOfManyIsClosedAtOnce() throws {
        var idle = Idle()
        for id in 0..<320 { idle.insert(id, from: try Self.from(1)) }
        #expect(idle.longestWaiting(from: try Self.address(1)) == Array(0..<20))
    }

    @Test func nothingRemainsOfRemovedConnections() throws {
        var idle = Idle()
        idle.remove(7)
        idle.insert(1, from: .unixSocket)
        idle.insert(1, from: try Self.from(1))
        #expect(idle.all == [1])
        #expect(idle.longestWaiting(forUnixSocket: false) == [1])
        idle.remove(1)
        #expect(idle.all.isEmpty && idle.longestWaiting(forUnixSocket: true).isEmpty)
    }
}
