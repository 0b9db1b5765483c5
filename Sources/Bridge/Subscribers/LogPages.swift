import EventLoop
import SessionLog

/// Pages of the log in memory, framed, for readers who are not at the end.
///
/// A reader holds no page: it looks for the one its cursor stands in, so that many readers near each other need one
/// read and one copy, and a reader that stops holds nothing. Bounded in bytes (``PagesLimit``), the one longest here out
/// first, and in reads under way: a thousand readers who fall behind together do not ask for a thousand pages at once.
@LoopActor final class LogPages {
    /// Small pages are bounded in number, as each is looked at to find one.
    private static let leastPageBytes = 64 << 10
    /// The log reads one page after another, so more would only wait there.
    private static let readsLimit = 8

    /// Whose frames a page has: a session's updates are the same for all, a timeline's carry its subscription's name.
    struct Place: Hashable {
        let owner: Owner
        let from: Int64
    }

    /// Never given twice, so that a page that is still here is not taken for a later owner's.
    struct Owner: Hashable { fileprivate let number: Int }

    private struct Read {
        let query: ReadRequest.Query
        let decode: @LoopActor (Answer) -> FrameChunk?
        var readers: [Subscription]
    }

    private let log: LogClient
    private var held: [(owner: Owner, chunk: FrameChunk)] = []
    /// How many of these each owner has: most readers have none, and are not to look through those of others.
    private var heldCounts: [Owner: Int] = [:]
    private var heldBytes = 0
    private var limit = PagesLimit()
    private var idleCheck: Timer?
    private var reads: [Place: Read] = [:]
    private var waiting = FIFOQueue<Place>()
    private var underWay = 0
    private var ownersCount = 0

    init(log: LogClient) { self.log = log }

    func newOwner() -> Owner {
        ownersCount += 1
        return Owner(number: ownersCount)
    }

    /// The page with this message, if it is here.
    func chunk(of owner: Owner, holding number: Int64) -> FrameChunk? {
        guard heldCounts[owner] != nil else { return nil }
        return held.last { page in
            page.owner == owner && page.chunk.first <= number && number < page.chunk.first + Int64(page.chunk.count)
        }?.chunk
    }

    /// Reads a page, unless it is on its way already, and tells `reader`, whatever comes of it.
    ///
    /// - Parameter decode: what the log answered as frames; nil when it has not what was asked for.
    func read(
        _ place: Place, _ query: ReadRequest.Query, for reader: Subscription,
        decode: @escaping @LoopActor (Answer) -> FrameChunk?
    ) {
        guard reads[place] == nil else {
            reads[place]?.readers.append(reader)
            return
        }
        limit.asked(of: place.owner.number, number: place.from)
        if limit.isRaised, idleCheck == nil { checkWhenIdle() }
        reads[place] = Read(query: query, decode: decode, readers: [reader])
        waiting.append(place)
        startReads()
    }

    /// A timeline's pages are no one's once it is closed.
    func forget(_ owner: Owner) {
        guard heldCounts.removeValue(forKey: owner) != nil else { return }
        held.removeAll { page in
            guard page.owner == owner else { return false }
            heldBytes -= page.chunk.byteCount
            return true
        }
    }

    private func startReads() {
        while underWay < Self.readsLimit, let place = waiting.popFirst() {
            guard let read = reads[place] else { continue }
            underWay += 1
            log.read(read.query) { [self] answer in
                underWay -= 1
                startReads()
                arrived(answer, at: place)
            }
        }
    }

    private func arrived(_ answer: Answer, at place: Place) {
        guard let read = reads.removeValue(forKey: place) else { return }
        let chunk = read.decode(answer)
        if let chunk { hold(chunk, of: place.owner) }
        for reader in read.readers {
            if let chunk {
                reader.pageArrived(chunk)
            } else if case .failed(let error) = answer {
                reader.pageFailed(error)
            } else {
                reader.pageFailed(nil)
            }
        }
    }

    /// The chunk that was merged of just these, if it is here.
    func merged(_ range: ClosedRange<Int64>, of owner: Owner) -> FrameChunk? {
        guard heldCounts[owner] != nil else { return nil }
        return held.last { $0.owner == owner && $0.chunk.first == range.lowerBound && $0.chunk.count == range.count }?
            .chunk
    }

    /// The newest page stays whatever its size: somebody is about to send it.
    func hold(_ chunk: FrameChunk, of owner: Owner) {
        guard chunk.count > 0 else { return }
        held.append((owner, chunk))
        heldCounts[owner, default: 0] += 1
        heldBytes += chunk.byteCount
        giveUpOldest()
    }

    private func giveUpOldest() {
        while held.count > 1, heldBytes > limit.bytes || held.count > limit.bytes / Self.leastPageBytes {
            let (owner, chunk) = held.removeFirst()
            heldBytes -= chunk.byteCount
            let rest = heldCounts[owner, default: 1] - 1
            heldCounts[owner] = rest > 0 ? rest : nil
            limit.gaveUp(chunk.first..<chunk.first + Int64(chunk.count), of: owner.number)
        }
    }

    /// Memory that was of use while many were behind is given back when nobody reads any more.
    private func checkWhenIdle() {
        idleCheck = EventLoop.main.schedule(after: .seconds(1)) { [weak self] in
            guard let self else { return }
            idleCheck = nil
            guard limit.lowerIfUnused() else { return checkWhenIdle() }
            giveUpOldest()
        }
    }
}
