import SessionRecords

/// Finds one page of a list that is kept in two parts, by its number of preceding records. Pure.
///
/// Neither part knows how many records of the other one precede a record, so all preceding ones are read: in steps,
/// because an answer has at most ``ReadLimit/sessions`` records and ``ReadLimit/listBytes``. Each step continues after the
/// last record of the one before, so no record is repeated or left out.
struct MergedListWalk {
    private let filter: SessionFilter
    private let limit: Int
    /// The records that precede the page and were not read yet.
    private var offset: Int
    private var position: ListingPosition?
    /// The number of all matching sessions, as the first step has counted it.
    private var total: Int?
    private var isBegun = false

    init(_ filter: SessionFilter, offset: Int, limit: Int, after position: ListingPosition?) {
        self.filter = filter
        self.offset = max(0, offset)
        self.limit = max(0, limit)
        self.position = position
    }

    /// The records that the next step needs.
    var stepLimit: Int { min(offset + limit, ReadLimit.sessions) }

    /// The query of the next step.
    var step: ReadRequest.Query { .list(filter, offset: 0, limit: stepLimit, after: position) }

    /// The query for the page, if only one part can be listed.
    var ownQuery: ReadRequest.Query { .list(filter, offset: offset, limit: limit, after: position) }

    /// Adds the records of a step. Returns the page if the step has all of it, or if the list ends; nil if another
    /// step is needed.
    mutating func add(_ listing: SessionListing) -> SessionListing? {
        if !isBegun { total = listing.total }
        isBegun = true
        // A page that begins at the position is short only if it has no more room.
        guard offset > 0, listing.hasMore, listing.records.count < offset + limit else { return page(of: listing) }
        let preceding = listing.records.prefix(offset)
        guard let last = preceding.last else { return page(of: listing) }
        offset -= preceding.count
        position = ListingPosition(last)
        return nil
    }

    private func page(of listing: SessionListing) -> SessionListing {
        let records = Array(listing.records.dropFirst(offset).prefix(limit))
        let hasMore = listing.hasMore || listing.records.count > offset + records.count
        return SessionListing(records: records, total: total, hasMore: hasMore)
    }
}
