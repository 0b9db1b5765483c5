import Hub
import SessionRecords
import SessionSearch
import Tinyvex

/// The end of a page of hits, from which the next page continues. Pure.
///
/// Text: the position in the bridge's own index, and after a dot the position at the hub if hits came from there.
struct SearchCursor: Equatable {
    /// The id of the last candidate of the bridge's own index; nil before the first one.
    var own: Int64?
    /// The last candidate of the hub; nil before the first one.
    var others: HubSearchPlace?

    init(own: Int64? = nil, others: HubSearchPlace? = nil) { (self.own, self.others) = (own, others) }

    init(_ text: String?) throws(Rejection) {
        guard let text else { return }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 1 || parts.count == 4 else { throw .unknownCursor }
        if parts[0] != Self.noPlace || parts.count == 1 {
            guard let own = Int64(parts[0]) else { throw .unknownCursor }
            self.own = own
        }
        guard parts.count == 4 else { return }
        let numbers = parts.dropFirst().compactMap { Int64($0, radix: Self.radix) }
        guard numbers.count == 3, let session = HubSid(numbers[1]) else { throw .unknownCursor }
        others = HubSearchPlace(ts: numbers[0], session: session, first: numbers[2])
    }

    var text: String {
        let own = own.map(String.init) ?? Self.noPlace
        guard let others else { return own }
        let numbers = [others.ts, others.session.sid, others.first].map { String($0, radix: Self.radix) }
        return ([own] + numbers).joined(separator: ".")
    }

    private static let noPlace = "-"
    /// Short enough for the limit of a cursor.
    private static let radix = 36
}

/// One page of candidates of both indexes. Pure.
struct SearchPages: Equatable {
    /// The newest first.
    let candidates: [SearchCandidate]
    /// Nil on the last page.
    let next: SearchCursor?

    /// - Parameters:
    ///   - own: from the bridge's own index, the newest first.
    ///   - others: from the hub, the newest first.
    ///   - start: the end of the page before this one.
    ///   - sinceTs: Older candidates are left out; nil for none. The bridge's own index knows the second only.
    init(
        own: [SearchCandidate], others: [HubCandidate], after start: SearchCursor, limit: Int,
        since sinceTs: Int64? = nil
    ) {
        let since = sinceTs ?? .min
        var own = own.prefix { $0.seconds >= since / 1000 }
        var others = others.prefix { $0.place.ts >= since }
        var end = start
        var page: [SearchCandidate] = []
        while page.count < limit {
            // The bridge's own index knows the second only.
            if let first = own.first, others.first.map({ first.seconds >= $0.place.ts / 1000 }) ?? true {
                page.append(first)
                end.own = first.id
                own = own.dropFirst()
            } else if let first = others.popFirst() {
                let place = first.place
                page.append(SearchCandidate(id: 0, sid: place.session.sid, first: place.first, last: first.last))
                end.others = place
            } else {
                break
            }
        }
        candidates = page
        next = own.isEmpty && others.isEmpty ? nil : end
    }
}
