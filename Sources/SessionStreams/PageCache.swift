import EventLoop
import LogAccess
import SessionRecords

/// A reader that waits for a page.
@LoopActor protocol PageReader: AnyObject {
    func pageArrived(_ chunk: FrameChunk)
    /// - Parameter error: nil if the log has less than its head indicated, because the log was cut from outside.
    func pageFailed(_ error: LogError?)
}

/// Pages of the log in memory, encoded as frames, for readers that are not at the end.
///
/// A reader holds no page: it looks up the page that contains its cursor. Many readers near each other therefore need
/// one read and one copy, and a reader that stops holds nothing. The pages are limited in bytes (``PageCacheLimit``), and
/// the page that was held longest is dropped first. The reads in flight are limited too: a thousand readers that fall
/// behind together do not request a thousand pages at once.
@LoopActor final class PageCache {
    /// The number of pages is limited as if each had at least this size, because a lookup checks every page.
    private static let leastPageBytes = 64 << 10
    /// The log reads one page after another, so more reads would only wait there.
    private static let readsLimit = 8

    /// The key of a page. A session's updates are the same for all readers, but a timeline's frames contain the name of
    /// its subscription, so an owner is part of the key.
    struct Place: Hashable {
        let owner: Owner
        let from: Int64
    }

    /// The owner of pages. A number is never assigned twice, so a page in memory is never taken for a page of a later
    /// owner.
    struct Owner: Hashable { fileprivate let number: Int }

    /// The owners of one stream's pages: those of the stored frames, and those of the chunks that are merged from them.
    struct StreamOwners {
        let stored: Owner
        let merged: Owner
    }

    private struct Read {
        let query: ReadRequest.Query
        let decode: @LoopActor (Answer) throws(LogError) -> FrameChunk?
        var readers: [any PageReader]
    }

    private let log: LogClient
    private let timers: any TimerScheduler
    private var held: [(owner: Owner, chunk: FrameChunk)] = []
    /// The number of held pages of each owner. Most readers have none, and must not search the pages of other owners.
    private var heldCounts: [Owner: Int] = [:]
    private var heldBytes = 0
    private var limit = PageCacheLimit()
    private var idleCheck: Timer?
    private var reads: [Place: Read] = [:]
    private var waiting = FIFOQueue<Place>()
    private var underWay = 0
    private var ownersCount = 0

    init(log: LogClient, timers: any TimerScheduler) {
        self.log = log
        self.timers = timers
    }

    func newOwner() -> Owner {
        ownersCount += 1
        return Owner(number: ownersCount)
    }

    func newOwners() -> StreamOwners { StreamOwners(stored: newOwner(), merged: newOwner()) }

    /// Returns the page with this message, if the page is in memory.
    func chunk(of owner: Owner, holding number: Int64) -> FrameChunk? {
        guard heldCounts[owner] != nil else { return nil }
        return held.last { page in
            page.owner == owner && page.chunk.first <= number && number < page.chunk.first + Int64(page.chunk.count)
        }?.chunk
    }

    /// Reads a page, unless a read of it is already in flight, and notifies `reader` of the page or of the failure.
    ///
    /// - Parameter decode: converts the log's answer to frames; returns nil if the log does not have the requested
    ///   data.
    func read(
        _ place: Place, _ query: ReadRequest.Query, for reader: any PageReader,
        decode: @escaping @LoopActor (Answer) throws(LogError) -> FrameChunk?
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

    func forget(_ owners: StreamOwners) {
        forget(owners.stored)
        forget(owners.merged)
    }

    /// Drops a timeline's pages after the timeline was closed, because no other reader can use them.
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
        let chunk: FrameChunk?
        var failure: LogError?
        do throws(LogError) {
            chunk = try read.decode(answer)
        } catch {
            (chunk, failure) = (nil, error)
        }
        if case .failed(let error) = answer { failure = error }
        if let chunk { hold(chunk, of: place.owner) }
        for reader in read.readers {
            if let chunk { reader.pageArrived(chunk) } else { reader.pageFailed(failure) }
        }
    }

    /// Returns the chunk that was merged from exactly these updates, if the chunk is in memory.
    func merged(_ range: ClosedRange<Int64>, of owner: Owner) -> FrameChunk? {
        guard heldCounts[owner] != nil else { return nil }
        return held.last { $0.owner == owner && $0.chunk.first == range.lowerBound && $0.chunk.count == range.count }?
            .chunk
    }

    /// Keeps a page. The newest page stays regardless of its size, because a reader is about to send it.
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

    /// Frees memory that was useful while many readers were behind, once no reader requests pages.
    private func checkWhenIdle() {
        idleCheck = timers.schedule(after: .seconds(1)) { [weak self] in
            guard let self else { return }
            idleCheck = nil
            guard limit.lowerIfUnused() else { return checkWhenIdle() }
            giveUpOldest()
        }
    }
}
