/// How many bytes of the log's pages are kept for readers who are behind: 4 MiB, and more only where that saves reading.
/// Pure.
///
/// A hundred readers who fall behind a flood do not stand in one place. Where they stand further apart than what is kept,
/// each page is read anew for each group of them; it shows in pages being asked for that have just been given up. Each
/// such doubles the limit, up to 64 MiB. A reader alone never asks for one twice.
struct PagesLimit {
    static let least = 4 << 20
    static let most = 64 << 20
    /// As many as the most holds of a reader's pages.
    private static let rememberedCount = 256

    private struct Gone {
        let owner: Int
        let numbers: Range<Int64>
    }

    private(set) var bytes = least
    private var gone: [Gone] = []
    /// Where the next is remembered, once there are so many.
    private var nextPlace = 0
    private var isUsed = false

    var isRaised: Bool { bytes > Self.least }

    /// A page was given up, as there were too many.
    mutating func gaveUp(_ numbers: Range<Int64>, of owner: Int) {
        let page = Gone(owner: owner, numbers: numbers)
        if gone.count < Self.rememberedCount {
            gone.append(page)
        } else {
            gone[nextPlace] = page
            nextPlace = (nextPlace + 1) % Self.rememberedCount
        }
    }

    /// Somebody needs the page that begins with this number.
    mutating func asked(of owner: Int, number: Int64) {
        isUsed = true
        guard bytes < Self.most, gone.contains(where: { $0.owner == owner && $0.numbers.contains(number) }) else {
            return
        }
        bytes = min(Self.most, bytes * 2)
        // Those that are gone now were given up under the old limit.
        gone.removeAll(keepingCapacity: true)
        nextPlace = 0
    }

    /// Whether nobody has asked since the last time; then the limit is the least again.
    mutating func lowerIfUnused() -> Bool {
        defer { isUsed = false }
        guard !isUsed else { return false }
        self = PagesLimit()
        return true
    }
}
