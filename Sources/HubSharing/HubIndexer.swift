import Diagnostics
import EventLoop
import Hub
import JSONScan
import Posix
import SQLite
import SessionRecords
import SessionSearch
import SessionStreams

/// Stores the words of the log's texts at the hub, so that other bridges can search them. Only with `--hub-search`.
///
/// It works after the shipper, with a connection of its own, and on one session at a time. After each page comes a pause
/// of the same length, so that it takes at most half of a processor.
@LoopActor package final class HubIndexer {
    private let registry: SessionRegistry
    private let services: LoopServices
    private let worker: HubWorker
    private let settings: HubSettings
    private let shipper: HubShipper
    private var writer: HubWriter?
    private var work = Work()
    private var failure: HubError?
    private var storedDocuments = 0
    private var isClosed = false

    /// Sessions with words that the hub may not have.
    private struct Work {
        /// Those to look at now. Bounded by a page of the listing and the sessions in memory.
        var due: [Int64] = []
        /// Those that were shipped since the last tick.
        var changed: Set<Int64> = []
        /// Those whose words the hub has refused. They are left out until the bridge starts again.
        var refused: Set<Int64> = []
        /// The last session of the listing so far; nil if the listing is complete.
        var listedUpTo: Int64? = 0
        /// A step is in flight, or its pause.
        var isBusy = false

        var isDone: Bool { due.isEmpty && changed.isEmpty && listedUpTo == nil }
    }

    /// A message that grows is one text, so a session is read once in this time. New text is found after it.
    private static let tick = Duration.seconds(10)
    private static let leastPause = Duration.milliseconds(10)
    /// 256 KiB, a few milliseconds of work.
    private static let pageBytes = 256 << 10

    package init(
        _ settings: HubSettings, _ registry: SessionRegistry, after shipper: HubShipper, services: LoopServices
    ) throws {
        self.settings = settings
        self.registry = registry
        self.services = services
        self.shipper = shipper
        worker = try HubWorker(settings.address, name: "hub-indexer", services: services)
        registry.log.own.read(.logId) { [weak self] answer in
            guard let self, case .logId(let id) = answer else { return }
            writer = HubWriter(
                logId: Int64(id), name: settings.name, version: settings.version, instance: HubSettings.instance)
        }
        shipper.onShipped = { [weak self] heads in self?.work.changed.formUnion(heads.keys) }
        scheduleTick()
    }

    package func close() {
        isClosed = true
        worker.close()
    }

    // MARK: Sessions

    private func scheduleTick() {
        services.timers.schedule(after: Self.tick) { [weak self] in
            guard let self, !isClosed else { return }
            scheduleTick()
            guard shipper.isConnected else { return }
            work.due += work.changed.subtracting(work.due)
            work.changed = []
            step()
        }
    }

    // MARK: Steps

    private func step() {
        guard let writer, !work.isBusy, !isClosed, shipper.isConnected else { return }
        while let sid = work.due.popLast() {
            if !work.refused.contains(sid) { return look(at: sid, writer) }
        }
        guard let last = work.listedUpTo else { return }
        run { (database) throws(HubError) in
            try database.unsearched(of: writer.logId, after: last)
        } then: { [self] sids, _ in
            work.due = sids
            work.listedUpTo = sids.count < HubDatabase.searchedLimit ? nil : sids.last
            resume(after: .zero)
        }
    }

    private func look(at sid: Int64, _ writer: HubWriter) {
        run { (database) throws(HubError) in
            try database.searched(sid, of: writer)
        } then: { [self] searched, started in
            guard let searched else { return resume(after: .zero) }
            let page = ReadRequest.Query.timeline(
                sid: sid, after: searched.next - 1, maxBytes: Self.pageBytes,
                lineLimitBytes: SearchedText.lineLimitBytes)
            registry.log.own.read(page) { [weak self] answer in
                guard let self, !isClosed else { return }
                if case .failed(let error) = answer, error.isTemporary {
                    // Behind the others, because it can fail for long.
                    work.due.insert(sid, at: 0)
                    return resume(after: Self.tick)
                }
                let items = if case .timeline(let page) = answer { page.items } else { [] as [TimelineItem] }
                store(items.filter { $0.n <= searched.head }, searched, writer, since: started)
            }
        }
    }

    private func store(_ items: [TimelineItem], _ searched: HubSearched, _ writer: HubWriter, since started: Instant) {
        run(about: searched.sid) { (database) throws(HubError) in
            let (documents, reopened) = try Self.documents(items)
            let advanced = searched.advanced(over: items, reopened: reopened)
            try database.store(documents, from: searched.next, advanced, of: writer)
            return (documents.count, isBehind: advanced.done < advanced.head)
        } then: { [self] result, _ in
            storedDocuments += result.0
            failure = nil
            if result.isBehind { work.due.append(searched.sid) }
            resume(after: max(Self.leastPause, services.time.now - started))
        }
    }

    private nonisolated static func documents(
        _ items: [TimelineItem]
    ) throws(HubError) -> (documents: [HubDocument], reopened: Int64?) {
        let batch = SearchDocument.batch(items)
        do throws(SQLiteError) {
            let terms = try SearchTerms()
            var documents: [HubDocument] = []
            for document in batch.documents {
                let words = try terms.words(of: document.text)
                documents.append(
                    HubDocument(first: document.first, last: document.last, ts: document.ts, words: words))
            }
            return (documents, batch.reopened)
        } catch {
            // Nothing else fails here. The page is read again later.
            throw .outOfMemory
        }
    }

    /// Runs `body` on the worker's thread. After a failure, the listing begins again at a later tick.
    ///
    /// - Parameter sid: the session whose words are stored. If the hub refuses them, the others continue.
    private func run<Value: Sendable>(
        about sid: Int64? = nil,
        _ body: @escaping @Sendable (HubDatabase) throws(HubError) -> Value,
        then next: @escaping @LoopActor @Sendable (Value, _ started: Instant) -> Void
    ) {
        work.isBusy = true
        let started = services.time.now
        worker.run(body) { [weak self] result in
            guard let self, !isClosed else { return }
            switch result {
            case .success(let value): next(value, started)
            case .failure(let error):
                if let sid, error.shippingFailure != .hub { return refused(sid, error) }
                failed(error)
            }
        }
    }

    private func resume(after pause: Duration) {
        guard pause > .zero else {
            work.isBusy = false
            return step()
        }
        services.timers.schedule(after: pause) { [weak self] in
            self?.work.isBusy = false
            self?.step()
        }
    }

    private func refused(_ sid: Int64, _ error: HubError) {
        DiagnosticLog.daemon.record(.failed(doing: "storing words at the hub", error: error.description))
        work.refused.insert(sid)
        resume(after: .zero)
    }

    private func failed(_ error: HubError) {
        if failure != error {
            DiagnosticLog.daemon.record(.failed(doing: "storing words at the hub", error: error.description))
        }
        failure = error
        work.isBusy = false
        work.due = []
        work.listedUpTo = 0
    }

    // MARK: State

    /// Writes the members of `hub.search` in `bridge:status`.
    package func write(to writer: inout JSONWriter) {
        writer.member("state", failure != nil ? "failed" : work.isDone ? "current" : "indexing")
        writer.member("documents", storedDocuments)
        writer.member("error", ifPresent: failure?.description)
    }
}
