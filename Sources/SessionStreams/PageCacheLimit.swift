/// The limit in bytes of the log's pages that are kept for readers that are behind. It is 4 MiB, and more only if that
/// saves reads. Pure.
///
/// A hundred readers that fall behind a flood are not all at one position. If they are further apart than the kept
/// pages reach, each page is read again for each group of readers. This becomes visible when a reader requests a page
/// that was just evicted. Each such request doubles the limit, up to 64 MiB. A single reader never requests a page
/// twice.
struct PageCacheLimit {
    static let least = 4 << 20
    static let most = 64 << 20
    /// The number of one reader's pages that fit into `most`.
    private static let rememberedCount = 256

    private struct Gone {
        let owner: Int
        let numbers: Range<Int64>
    }

    private(set) var bytes = least
    private var gone: [Gone] = []
    /// The index for the next evicted page, once the list is full.
    private var nextPlace = 0
    private var isUsed = false

    var isRaised: Bool { bytes > Self.least }

    /// Records a page that was evicted because there were too many.
    mutating func gaveUp(_ numbers: Range<Int64>, of owner: Int) {
        let page = Gone(owner: owner, numbers: numbers)
        if gone.count < Self.rememberedCount {
            gone.append(page)
        } else {
            gone[nextPlace] = page
            nextPlace = (nextPlace + 1) % Self.rememberedCount
        }
    }

    /// Records that a reader needs the page that begins with this number. Doubles the limit if that page was just
    /// evicted.
    mutating func asked(of owner: Int, number: Int64) {
        isUsed = true
        guard bytes < Self.most, gone.contains(where: { $0.owner == owner && $0.numbers.contains(number) }) else {
            return
        }
        bytes = min(Self.most, bytes * 2)
        // The recorded pages were evicted under the old limit.
        gone.removeAll(keepingCapacity: true)
        nextPlace = 0
    }

    /// Returns true if no page was requested since the last call, and then resets the limit to the least value.
    mutating func lowerIfUnused() -> Bool {
        defer { isUsed = false }
        guard !isUsed else { return false }
        self = PageCacheLimit()
        return true
    }
}
