import ACPRouting
import EventLoop
import Hub
import JSONScan
import Posix
import SQLite
import SessionRecords
import SessionSearch
import SessionStreams
import Tinyvex

/// Searches the text of all sessions: `sessions:search`. The sessions of other bridges are searched at the hub.
///
/// The index has only the places of the words. The text of a hit is read from the log, so a hit is always what the log
/// has.
@LoopActor package final class SessionFinder {
    /// The value of a query as JSON text, or the reason why the query failed.
    package typealias Outcome = Result<[UInt8], Rejection>

    private let registry: SessionRegistry
    private let thread: SearchThread
    /// Runs queries with normal priority, because a person waits for them.
    private let queries: QueryThread
    private let follower: SearchFollower
    private var listeners: [WakeUpListener] = []
    /// Queries that have not finished.
    private var count = 0
    /// Finds the newest documents of other bridges' sessions. Nil for a bridge that shows its own sessions only.
    package var searchOthers: OthersSearch?

    package typealias OthersSearch =
        @LoopActor (
            HubSearchQuery, _ finish: @escaping @LoopActor (Result<[HubCandidate], HubError>) -> Void
        ) -> Void

    /// More queries at once are refused. Each one holds at most 50 pages of ``pageBytes``.
    static let searchLimit = 16
    /// 128 KiB: enough for the lines of a document, unless they are far longer than its text.
    private static let pageBytes = 128 << 10

    /// The thread of the index has the lowest priority: on a busy machine, a step of milliseconds can take half a minute. The
    /// file survives the end of the process in any step, and the next bridge indexes the step again.
    private static let closePatience = Duration.milliseconds(200)

    /// - Parameter path: the file of the index. It is made if it does not exist.
    package init(path: String, registry: SessionRegistry, services: LoopServices = .main) throws(SystemError) {
        self.registry = registry
        // The index must not delay agents' output.
        thread = try SearchThread(name: "search", priority: .lowest) { nil }
        queries = try QueryThread(name: "search-queries") { SearchReader(path: path) }
        follower = SearchFollower(
            path: path, log: registry.log.own, thread: thread, steadySources: registry.steadySources,
            services: services)
        listeners = [try thread.listen(on: services.poller), try queries.listen(on: services.poller)]
    }

    /// Deletes the index of a bridge that runs without search, so that no words stay behind.
    package static func removeIndex(_ path: String) { SearchIndex.remove(path) }

    /// Ends the threads after their present steps, or with the process.
    package func close() {
        follower.close()
        thread.close(within: Self.closePatience)
        queries.close(within: Self.closePatience)
        for listener in listeners { listener.cancel() }
    }

    // MARK: Changes

    /// Call after a session has stored more. Costs a look at a table.
    package func touch(_ session: Session) { follower.touch(session) }

    /// Call after sessions were imported.
    package func sessionsImported() { follower.sessionsImported() }

    /// Call after a session was deleted.
    ///
    /// - Parameter isAtOnce: its words must leave the file as soon as possible.
    package func forget(_ sid: Int64, isAtOnce: Bool) { follower.forget(sid, isAtOnce: isAtOnce) }

    // MARK: State

    /// Writes `{"state":"indexing","done":3,"total":9,"documents":1,"bytes":4096}`.
    package func writeStatus(to writer: inout JSONWriter) {
        let progress = follower.progress
        writer.member("state", follower.failure != nil ? "failed" : follower.isCurrent ? "current" : "indexing")
        writer.member("done", progress.done)
        writer.member("total", max(progress.total, progress.done))
        writer.member("documents", progress.documents)
        writer.member("bytes", progress.bytes)
        writer.member("error", ifPresent: follower.failure)
    }

    // MARK: Queries

    /// Calls `finish` with the value of `sessions:search`.
    ///
    /// - Parameter tenant: only sessions of this tenant; nil for all sessions.
    package func search(
        _ params: Parameters, tenant: String?, then finish: @escaping @LoopActor (Outcome) -> Void
    ) {
        do throws(Rejection) {
            let request = try SessionSearchRequest(params)
            var query = try SearchQuery(request.query)
            (query.agent, query.tenant) = (request.agent, tenant)
            guard count < Self.searchLimit else {
                throw Rejection(.limitExceeded, "\(count) searches are running, which is the limit; try again")
            }
            count += 1
            let done: @LoopActor (Outcome) -> Void = { [self] outcome in
                count -= 1
                finish(outcome)
            }
            follower.catchUp { [self, query] isComplete in
                find(Reading(query, since: request.sinceTs, isIndexComplete: isComplete), request, of: tenant, done)
            }
        } catch {
            finish(.failure(error))
        }
    }

    private func find(
        _ reading: Reading, _ request: SessionSearchRequest, of tenant: String?,
        _ finish: @escaping @LoopActor (Outcome) -> Void
    ) {
        guard let session = request.session else { return find(reading, request, finish) }
        registry.find(session, of: tenant) { [self] found in
            switch found {
            case .failure(let rejection): finish(.failure(rejection))
            case .success(let session):
                var reading = reading
                reading.query.sid = session.sid
                find(reading, request, finish)
            }
        }
    }

    /// Looks the words up in the bridge's own index, and then at the hub.
    private func find(
        _ reading: Reading, _ request: SessionSearchRequest, _ finish: @escaping @LoopActor (Outcome) -> Void
    ) {
        let query = reading.query
        let start: SearchCursor
        do throws(Rejection) { start = try SearchCursor(request.cursor) } catch { return finish(.failure(error)) }
        // One candidate more than the limit shows whether there are others.
        let (before, limit) = (start.own, request.limit + 1)
        let hubSession = query.sid.flatMap(HubSid.init)
        let asksHub = searchOthers != nil && (query.sid == nil || hubSession != nil)
        queries.perform { reader in
            Self.result { () throws(SQLiteError) in
                let own = hubSession == nil ? try reader.candidates(query, before: before, limit: limit) : []
                return (own, asksHub ? try SearchTerms().expression(query) : nil)
            }
        } then: { [self] (result: Result<([SearchCandidate], String?), SQLiteError>) in
            guard case .success(let (own, expression)) = result else { return finish(.failure(Self.failed)) }
            guard let expression, let searchOthers else {
                let pages = SearchPages(
                    own: own, others: [], after: start, limit: request.limit, since: request.sinceTs)
                return read(reading.with(pages), finish)
            }
            let hubQuery = HubSearchQuery(
                expression: expression, agent: query.agent, tenant: query.tenant, session: hubSession,
                after: start.others, limit: limit)
            searchOthers(hubQuery) { [self] result in
                let others = (try? result.get()) ?? []
                let pages = SearchPages(
                    own: own, others: others, after: start, limit: request.limit, since: request.sinceTs)
                var reading = reading.with(pages)
                if case .failure(let error) = result { reading.hubError = error }
                read(reading, finish)
            }
        }
    }

    /// The candidates of one query while their sessions and texts are read, one after another.
    private struct Reading: Sendable {
        var query: SearchQuery
        /// Only hits at this time or later; nil for all.
        let sinceTs: Int64?
        /// The index has all that was stored before the search.
        let isIndexComplete: Bool
        var candidates: [SearchCandidate] = []
        /// The cursor of the next page.
        var next: String?
        /// The reason why the hub was not searched.
        var hubError: HubError?
        var records: [Int64: SessionRecord] = [:]
        var texts: [(SearchCandidate, [TimelineItem])] = []

        init(_ query: SearchQuery, since sinceTs: Int64?, isIndexComplete: Bool) {
            self.query = query
            self.sinceTs = sinceTs
            self.isIndexComplete = isIndexComplete
        }

        func with(_ pages: SearchPages) -> Reading {
            var reading = self
            (reading.candidates, reading.next) = (pages.candidates, pages.next?.text)
            return reading
        }

        /// Another session's number, or another agent with an equal hash, must not be shown.
        func shows(_ record: SessionRecord) -> Bool {
            (query.tenant == nil || record.tenant == query.tenant)
                && (query.agent == nil || record.agent == query.agent)
        }
    }

    private func read(_ reading: Reading, _ finish: @escaping @LoopActor (Outcome) -> Void) {
        var reading = reading
        guard !reading.candidates.isEmpty else { return mark(reading, finish) }
        let candidate = reading.candidates.removeFirst()
        guard let record = reading.records[candidate.sid] else {
            return registry.log.read(.incarnation(sid: candidate.sid)) { [self] answer in
                if case .sessions(let records) = answer, let record = records.first, reading.shows(record),
                    !registry.isImporting(record.sessionId)
                {
                    reading.records[candidate.sid] = record
                    reading.candidates.insert(candidate, at: 0)
                }
                read(reading, finish)
            }
        }
        let page = ReadRequest.Query.timeline(
            sid: record.sid, after: candidate.first - 1, maxBytes: Self.pageBytes)
        registry.log.read(page) { [self] answer in
            if case .timeline(let page) = answer { reading.texts.append((candidate, page.items)) }
            read(reading, finish)
        }
    }

    private func mark(_ reading: Reading, _ finish: @escaping @LoopActor (Outcome) -> Void) {
        guard !reading.texts.isEmpty else { return finish(.success(json([], reading))) }
        queries.perform { reader in
            Self.result { () throws(SQLiteError) in
                var hits: [Hit] = []
                for (candidate, items) in reading.texts {
                    guard let hit = try reader.hit(reading.query, candidate, in: items),
                        hit.ts >= reading.sinceTs ?? .min
                    else { continue }
                    hits.append(Hit(sid: candidate.sid, hit: hit))
                }
                return hits
            }
        } then: { [self] result in
            guard case .success(let hits) = result else { return finish(.failure(Self.failed)) }
            finish(.success(json(hits, reading)))
        }
    }

    /// A number on a session's timeline.
    private struct Place: Hashable {
        let sid: Int64
        let n: Int64
    }

    private struct Hit: Sendable {
        let sid: Int64
        let hit: SearchHit
    }

    private func json(_ hits: [Hit], _ reading: Reading) -> [UInt8] {
        // Two documents can begin and end with the same item.
        var seen: Set<Place> = []
        return JSONWriter.object { writer in
            writer.memberArray("data") { writer in
                for hit in hits where seen.insert(Place(sid: hit.sid, n: hit.hit.n)).inserted {
                    if hits.contains(where: { $0.sid == hit.sid && hit.hit.repeats($0.hit) }) { continue }
                    guard let record = reading.records[hit.sid] else { continue }
                    writer.object { Self.write(hit.hit, record, to: &$0) }
                }
            }
            writer.member("nextCursor", ifPresent: reading.next)
            writer.member("hubError", ifPresent: reading.hubError?.description)
            if !reading.isIndexComplete { writer.memberObject("index") { writeStatus(to: &$0) } }
        }
    }

    private static func write(_ hit: SearchHit, _ record: SessionRecord, to writer: inout JSONWriter) {
        writer.member("sessionId", record.sessionId)
        writer.member("agent", record.agent)
        writer.member("bridge", ifPresent: record.home?.bridge)
        writer.member("journal", record.journal.description)
        let title = record.label.title ?? PromptTitle.title(agents: record.title, firstPrompt: record.firstPrompt)
        writer.member("title", ifPresent: title)
        writer.member("kind", hit.kind.rawValue)
        writer.member("seq", hit.seq)
        writer.member("timelineSeq", hit.n)
        writer.member("ts", hit.ts)
        writer.memberArray("snippet") { hit.snippet.write(to: &$0) }
    }

    private nonisolated static func result<Value>(
        _ body: () throws(SQLiteError) -> Value
    ) -> Result<Value, SQLiteError> {
        do throws(SQLiteError) { return .success(try body()) } catch { return .failure(error) }
    }

    private static let failed = Rejection(
        .mutationFailed, "the search index failed; see `acpbridge search --status`", rpcCode: .internalError)
}
