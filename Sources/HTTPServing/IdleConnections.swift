import EventLoop

/// The kept connections that wait for a further request, in the order in which they began to wait. Pure.
struct IdleConnections<ID: Hashable> {
    /// The other end of a connection, as the limits count it.
    enum Origin: Hashable {
        case unixSocket
        /// The unit that limits count (``NetworkAddress/household``); nil for a trusted proxy.
        case network(NetworkAddress?)
    }

    private var waiting: [ID: (origin: Origin, number: UInt64)] = [:]
    /// The number of waiting connections of each origin, so that a search that finds none costs nothing.
    private var counts: [Origin: Int] = [:]
    private var nextNumber: UInt64 = 0

    mutating func insert(_ id: ID, from origin: Origin) {
        remove(id)
        waiting[id] = (origin, nextNumber)
        counts[origin, default: 0] += 1
        nextNumber += 1
    }

    mutating func remove(_ id: ID) {
        guard let origin = waiting.removeValue(forKey: id)?.origin, let count = counts[origin] else { return }
        counts[origin] = count > 1 ? count - 1 : nil
    }

    /// All of them.
    var all: [ID] { Array(waiting.keys) }

    /// The connections to close for a new one on the Unix socket, which can replace any other one. A new one over TCP replaces only those
    /// over TCP.
    func longestWaiting(forUnixSocket isLocal: Bool) -> [ID] {
        guard isLocal || waiting.count > counts[.unixSocket, default: 0] else { return [] }
        return longest(of: waiting.filter { isLocal || $0.value.origin != .unixSocket })
    }

    /// The connections to close for a new one from this address.
    func longestWaiting(from household: NetworkAddress) -> [ID] {
        guard counts[.network(household)] != nil else { return [] }
        return longest(of: waiting.filter { $0.value.origin == .network(household) })
    }

    /// A sixteenth of the candidates at once, and at least one, so that a series of new connections does not search all of them
    /// for each.
    private func longest(of candidates: [ID: (origin: Origin, number: UInt64)]) -> [ID] {
        let count = max(1, candidates.count / 16)
        return candidates.sorted { $0.value.number < $1.value.number }.prefix(count).map(\.key)
    }
}
