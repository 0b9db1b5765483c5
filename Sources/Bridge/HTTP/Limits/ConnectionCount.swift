import EventLoop

/// How many connections there are, in all and from each address.
@LoopActor final class ConnectionCount {
    private let limit: Int
    private let limitPerAddress: Int
    private(set) var total = 0
    private var byAddress: [NetworkAddress: Int] = [:]

    enum Refusal: Error, Equatable {
        case tooMany
        case tooManyFromAddress
    }

    init(limit: Int, perAddress limitPerAddress: Int) {
        self.limit = limit
        self.limitPerAddress = limitPerAddress
    }

    /// - Parameter address: nil on the Unix socket, where only the limit in all counts.
    func admit(from address: NetworkAddress?) throws(Refusal) -> ConnectionPermit {
        guard total < limit else { throw .tooMany }
        let household = address?.household
        if let household {
            guard byAddress[household, default: 0] < limitPerAddress else { throw .tooManyFromAddress }
            byAddress[household, default: 0] += 1
        }
        total += 1
        return ConnectionPermit(self, household)
    }

    /// One that the program before this one has admitted, whatever the limit is now.
    func readmit() -> ConnectionPermit {
        total += 1
        return ConnectionPermit(self, nil)
    }

    fileprivate func left(_ household: NetworkAddress?) {
        total -= 1
        guard let household else { return }
        let rest = byAddress[household, default: 1] - 1
        byAddress[household] = rest > 0 ? rest : nil
    }
}

/// A connection's place among all: given back when the last who holds it lets go, whatever the connection has become.
@LoopActor final class ConnectionPermit {
    private let count: ConnectionCount
    private let household: NetworkAddress?

    fileprivate init(_ count: ConnectionCount, _ household: NetworkAddress?) {
        self.count = count
        self.household = household
    }

    isolated deinit { count.left(household) }
}
