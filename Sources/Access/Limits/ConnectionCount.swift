import EventLoop

/// The number of connections, in total and from each address, and the memory of their unfinished messages and unread answers.
@LoopActor package final class ConnectionCount {
    private let limit: Int
    private let networkLimit: Int
    private let limitPerAddress: Int
    private let heldLimitBytes: Int
    package private(set) var total = 0
    /// The connections over TCP, of the total.
    private var networkTotal = 0
    private var byAddress: [NetworkAddress: Share] = [:]
    /// The sum of all connections' unfinished messages and unread answers.
    private var heldBytes = 0

    /// 256 MiB: 16 of the longest messages of Tinyvex at once, or 4 of the longest lines of ACP. Further ones are sent again
    /// later.
    package static let leastHeldLimitBytes = 256 << 20
    /// 64 KiB. Less than that is never refused, so that one client cannot keep others from sending requests.
    static let uncountedBytes = 64 << 10

    /// The connections from one address.
    private struct Share {
        var connections = 0
        var heldBytes = 0
    }

    package enum Refusal: Error, Equatable {
        case tooMany
        case tooManyFromAddress
    }

    /// - Parameters:
    ///   - openFiles: The descriptors that the process can have; nil if that is not known. Connections over TCP get three
    ///     quarters of them at most, because the agents and the Unix socket need some, too.
    ///   - heldLimitBytes: Several of the longest messages must fit.
    package init(
        limit: Int, perAddress limitPerAddress: Int, openFiles: Int64? = nil,
        heldLimitBytes: Int = ConnectionCount.leastHeldLimitBytes
    ) {
        self.limit = limit
        // A tenth remains for the Unix socket: anyone who reaches a TCP port can open connections, and must not keep the
        // bridge's own user away from it.
        networkLimit = min(max(1, limit - max(1, limit / 10)), openFiles.map { Int(clamping: $0 - $0 / 4) } ?? .max)
        self.limitPerAddress = limitPerAddress
        self.heldLimitBytes = heldLimitBytes
    }

    /// - Parameters:
    ///   - address: nil on the Unix socket, where only the total limit applies, and for a trusted proxy, which names its
    ///     client later: see ``ConnectionPermit/count(from:)``.
    ///   - isLocal: true on the Unix socket.
    package func admit(from address: NetworkAddress?, isLocal: Bool) throws(Refusal) -> ConnectionPermit {
        guard total < limit, isLocal || networkTotal < networkLimit else { throw .tooMany }
        let household = address?.household
        if let household { try admit(household) }
        total += 1
        if !isLocal { networkTotal += 1 }
        return ConnectionPermit(self, household, isLocal: isLocal)
    }

    /// Adds an admitted connection to the count of this address. Used after a proxy has named its client.
    fileprivate func admit(_ household: NetworkAddress) throws(Refusal) {
        guard byAddress[household, default: Share()].connections < limitPerAddress else { throw .tooManyFromAddress }
        byAddress[household, default: Share()].connections += 1
    }

    /// Counts a client that the previous program admitted, even if the limit is lower now: a shim, or a client that can
    /// reconnect.
    package func readmit() -> ConnectionPermit {
        total += 1
        return ConnectionPermit(self, nil, isLocal: true)
    }

    /// Replaces a connection's part of the sum. Returns false if the sum would exceed its limit, or the part of this address
    /// half of it: the clients at one address cannot keep those at others from sending requests.
    fileprivate func replace(_ bytes: Int, by newBytes: Int, from household: NetworkAddress?) -> Bool {
        let change = newBytes - bytes
        let share = household.flatMap { byAddress[$0]?.heldBytes }
        let fits = heldBytes + change <= heldLimitBytes
        let isFair = share.map { $0 + change <= heldLimitBytes / 2 } ?? true
        guard change <= 0 || (fits && isFair) else { return false }
        heldBytes += change
        if let household { byAddress[household]?.heldBytes += change }
        return true
    }

    fileprivate func left(isLocal: Bool) {
        total -= 1
        if !isLocal { networkTotal -= 1 }
    }

    fileprivate func left(_ household: NetworkAddress) {
        byAddress[household]?.connections -= 1
        if byAddress[household]?.connections == 0 { byAddress[household] = nil }
    }
}

/// A connection's share of the limits. It is returned when the last owner releases this object, whatever the connection
/// was upgraded to in the meantime, or before by ``giveBack()``.
@LoopActor package final class ConnectionPermit {
    private let count: ConnectionCount
    private var household: NetworkAddress?
    private let isLocal: Bool
    /// The connection was admitted without an address: it is a trusted proxy's, or on the Unix socket.
    private let hasNoAddress: Bool
    /// The counted size of the connection's unfinished message and unread answers.
    private var heldBytes = 0
    private var isGivenBack = false

    fileprivate init(_ count: ConnectionCount, _ household: NetworkAddress?, isLocal: Bool) {
        self.count = count
        self.household = household
        self.isLocal = isLocal
        hasNoAddress = household == nil
    }

    /// Counts the connection, which was admitted without an address, as one from this address.
    package func count(from address: NetworkAddress) throws(ConnectionCount.Refusal) {
        guard household == nil else { return }
        try count.admit(address.household)
        // The bytes so far count for nobody. The caller counts them again with the next ones.
        releaseHeld()
        household = address.household
    }

    /// Ends the effect of ``count(from:)``: the next request of a proxy's connection can be from another client.
    package func forgetAddress() {
        guard hasNoAddress, let household else { return }
        releaseHeld()
        count.left(household)
        self.household = nil
    }

    /// Counts the connection's unfinished message and unread answers. Returns false if those of all connections need too much
    /// memory: this connection must then be ended.
    package func setHeld(bytes: Int) -> Bool {
        let counted = bytes > ConnectionCount.uncountedBytes ? bytes : 0
        guard counted != heldBytes, !isGivenBack else { return true }
        guard count.replace(heldBytes, by: counted, from: household) else { return false }
        heldBytes = counted
        return true
    }

    /// The connection has no unfinished message and no unread answer.
    package func releaseHeld() { _ = setHeld(bytes: 0) }

    /// Returns the share now, for a connection that is closed. Another one can be admitted directly after it.
    package func giveBack() {
        guard !isGivenBack else { return }
        releaseHeld()
        isGivenBack = true
        count.left(isLocal: isLocal)
        if let household { count.left(household) }
    }

    isolated deinit { giveBack() }
}
