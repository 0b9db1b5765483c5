import Glibc
import Posix
import SQLite
import SessionRecords

/// A session as the index follows it.
package struct SearchedSession: Sendable, Equatable {
    package let sid: Int64
    package let agent: String
    package let tenant: String?
    /// The last timeline number.
    package let head: Int64
    /// The first update that is kept.
    package let oldest: Int64

    package init(sid: Int64, agent: String, tenant: String?, head: Int64, oldest: Int64) {
        self.sid = sid
        self.agent = agent
        self.tenant = tenant
        self.head = head
        self.oldest = oldest
    }
}

/// A page of a session's timeline that the index needs next.
package enum SearchWork: Sendable, Equatable {
    /// New items.
    case extend(sid: Int64, after: Int64)
    /// The first items that are kept, because older ones were trimmed.
    case probe(sid: Int64)
    /// Items of documents that move to a new part.
    case move(part: Int64, sid: Int64, after: Int64)

    /// The session and the timeline number before the page.
    package var page: (sid: Int64, after: Int64) {
        switch self {
        case .extend(let sid, let after), .move(_, let sid, let after): (sid, after)
        case .probe(let sid): (sid, 0)
        }
    }
}

/// How much of the log the index has.
package struct SearchProgress: Sendable, Equatable {
    /// Timeline items of all sessions that the index has read.
    package var done: Int64 = 0
    /// Timeline items of all sessions.
    package var total: Int64 = 0
    package var documents: Int64 = 0
    /// The size of the file.
    package var bytes: Int64 = 0

    package init() {}
}

/// The full-text index of the sessions in one log, in an SQLite file of its own. For one thread. ``SearchReader`` finds
/// what is committed.
///
/// The index has no copy of the text. It has the words of each ``SearchDocument``, and the place of the document in the
/// log, from which a hit's text is read again. So it stays far smaller than the log, and can be deleted and built again.
///
/// The words are in *parts*. SQLite 3.40 cannot delete words from a table without their text, so after a deletion the
/// part's other documents move to the newest part, and the old part is dropped.
package final class SearchIndex {
    private let connection: Connection
    private let statements: SearchStatements
    private var parts: SearchParts
    /// A transaction is open.
    private var isChanging = false
    /// Bytes of lines that the open transaction has indexed.
    private var uncommittedBytes = 0

    /// 4 MiB, some ten thousand chunks. After a crash at most this much is indexed again.
    private static let transactionBytes = 4 << 20

    /// Opens the file, or makes it with mode 0600. A file that is damaged, has another version or belongs to another log
    /// is replaced by an empty one.
    package convenience init(path: String, logId: UInt32) throws(SearchFailure) {
        do throws(SearchFailure) {
            try self.init(opening: path, logId: logId)
        } catch {
            guard error.isDamage else { throw error }
            Self.remove(path)
            try self.init(opening: path, logId: logId)
        }
    }

    private init(opening path: String, logId: UInt32) throws(SearchFailure) {
        do throws(FileTrust.OpenFailure) {
            _ = try FileTrust.openOwnFile(path, flags: O_RDWR | O_CREAT | O_NOFOLLOW)
        } catch {
            throw .file(path: path, error)
        }
        do throws(SQLiteError) {
            connection = try Connection(path: path, .readWrite)
            guard try SearchSchema.prepare(connection, logId: logId) else { throw SearchSchema.mismatch }
            statements = try SearchStatements(connection)
            parts = try SearchParts(connection)
        } catch {
            throw .engine(error)
        }
    }

    /// Deletes the files of an index that is not open.
    package static func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
    }

    // MARK: Sessions

    /// Records how far the sessions reach.
    ///
    /// - Parameters:
    ///   - round: Names a complete listing of the log: see ``forgetOthers(than:)``.
    ///   - areListed: The log itself has given these heads. Others can be lower than what a page had.
    package func note(_ sessions: [SearchedSession], round: Int64, areListed: Bool = false) throws(SQLiteError) {
        try change { () throws(SQLiteError) in
            for session in sessions {
                let done = try statements.done.first(.integer(session.sid)) { $0.integer(0) } ?? 0
                // After a power cut, the log can have lost its last updates, and other ones can have their numbers.
                if areListed, session.head < done { try drop(session.sid, isAtOnce: false) }
                try statements.note.run(
                    .integer(session.sid), .text(session.agent), .optional(session.tenant), .integer(session.head),
                    .integer(session.oldest), .integer(round))
            }
        }
    }

    /// Forgets the sessions that the listing of this round did not have.
    package func forgetOthers(than round: Int64) throws(SQLiteError) {
        let gone = try statements.unlisted.all(.integer(round)) { $0.integer(0) }
        for sid in gone { try forget(sid, isAtOnce: false) }
    }

    /// Removes a session, so that no query finds it.
    ///
    /// - Parameter isAtOnce: its words leave the file as soon as possible. Otherwise they leave when a quarter of a part
    ///   is gone, so that regular deletions do not copy the index again and again.
    package func forget(_ sid: Int64, isAtOnce: Bool) throws(SQLiteError) {
        try change { () throws(SQLiteError) in try drop(sid, isAtOnce: isAtOnce) }
        if isAtOnce { try commit() }
    }

    private func drop(_ sid: Int64, isAtOnce: Bool) throws(SQLiteError) {
        let counts = try statements.documentsByPart.all(.integer(sid), .integer(.max)) {
            ($0.integer(0), $0.integer(1))
        }
        try statements.deleteDocuments.run(.integer(sid), .integer(.max))
        try statements.deleteSession.run(.integer(sid))
        for (part, count) in counts { try parts.died(count, in: part, isAtOnce: isAtOnce) }
    }

    // MARK: Following the log

    /// Returns the page to read next. If the index has everything, commits the changes and returns nil.
    package func nextWork() throws(SQLiteError) -> SearchWork? {
        if let behind = try statements.behind.first(read: { ($0.integer(0), $0.integer(1)) }) {
            return .extend(sid: behind.0, after: behind.1 - 1)
        }
        if let sid = try statements.trimmed.first(read: { $0.integer(0) }) { return .probe(sid: sid) }
        while let part = parts.leaving {
            let next = try statements.nextToMove.first(
                .integer(part), .integer(parts.movedTo.sid), .integer(parts.movedTo.first)
            ) { ($0.integer(0), $0.integer(1)) }
            if let next { return .move(part: part, sid: next.0, after: next.1 - 1) }
            try change { () throws(SQLiteError) in try parts.drop(part, connection) }
            try commit()
            // The WAL can still have the deleted words.
            try connection.checkpoint(.truncate)
        }
        try commit()
        return nil
    }

    /// Stores what a page has.
    ///
    /// - Parameter page: nil if it can never be read. Its session is then left out.
    package func store(_ page: TimelinePage?, for work: SearchWork) throws(SQLiteError) {
        try change { () throws(SQLiteError) in
            switch work {
            case .extend(let sid, let after):
                guard let page, let last = page.items.last else { return try statements.skip.run(.integer(sid)) }
                try extend(sid, page.items, after: after, last: last.n)
            case .probe(let sid):
                if let first = page?.items.first?.n { try trim(sid, before: first) }
                try statements.probed.run(.integer(sid))
            case .move(let part, let sid, let after): try move(page?.items ?? [], of: sid, part, after: after)
            }
        }
        uncommittedBytes += page?.items.reduce(0) { $0 + $1.byteCount } ?? 0
        if uncommittedBytes >= Self.transactionBytes { try commit() }
    }

    private func extend(_ sid: Int64, _ items: [TimelineItem], after: Int64, last: Int64) throws(SQLiteError) {
        guard let names = try statements.names.first(.integer(sid), read: { ($0.text(0), $0.text(1), $0.integer(2)) })
        else { return }
        let batch = SearchDocument.batch(items)
        let filter = SearchFilter(sid: sid, agent: names.0 ?? "", tenant: names.1)
        for document in batch.documents { try add(document, filter, sid, done: names.2) }
        // A page that adds nothing must not be read again.
        let next = batch.reopened.map { last > names.2 ? $0 : last + 1 } ?? last + 1
        try statements.advance.run(.integer(sid), .integer(max(last, names.2)), .integer(next))
    }

    /// Adds a document, or replaces the shorter one that begins with the same item.
    private func add(
        _ document: SearchDocument, _ filter: SearchFilter, _ sid: Int64, done: Int64
    ) throws(SQLiteError) {
        let old = try statements.documentAt.first(.integer(sid), .integer(document.first)) {
            (id: $0.integer(0), part: $0.integer(1), last: $0.integer(2))
        }
        guard let old else {
            return document.last > done ? try insert(document, filter, sid) : ()
        }
        guard document.last > old.last else { return }
        try parts.remove(old.id, filter.text(document.text(upTo: old.last)), from: old.part, connection)
        try statements.deleteDocument.run(.integer(old.id))
        try insert(document, filter, sid)
    }

    private func insert(_ document: SearchDocument, _ filter: SearchFilter, _ sid: Int64) throws(SQLiteError) {
        let id = try freeId(near: document.ts)
        let part = try parts.insert(id, filter.text(document.text), connection)
        try statements.insertDocument.run(
            .integer(id), .integer(part), .integer(sid), .integer(document.first), .integer(document.last))
    }

    /// Returns an unused id. Ids grow with the time, so that the newest hits come first whenever they were indexed: the last
    /// bits are the milliseconds. Of texts in one millisecond, the one that was indexed first has the smallest id.
    private func freeId(near ts: Int64) throws(SQLiteError) -> Int64 {
        let second = max(0, min(ts / 1000 - SearchCandidate.epochSeconds, Self.lastSecond))
        var start = (second + 1) << SearchCandidate.idBits
        let own = (second << SearchCandidate.idBits) + max(0, ts % 1000)
        let free = try statements.freeId.first(.integer(own), .integer(start)) { $0.isNull(0) ? nil : $0.integer(0) }
        if let free, let id = free, id < start { return id }
        // The rest of the second is full.
        while true {
            let end = start + (1 << SearchCandidate.idBits)
            let last = try statements.lastId.first(.integer(start), .integer(end)) {
                $0.isNull(0) ? nil : $0.integer(0)
            }
            guard let last, let last else { return start }
            if last + 1 < end { return last + 1 }
            start = end
        }
    }

    /// A thousand years.
    private static let lastSecond: Int64 = 1_000 * 366 * 86_400

    private func trim(_ sid: Int64, before first: Int64) throws(SQLiteError) {
        let counts = try statements.documentsByPart.all(.integer(sid), .integer(first)) {
            ($0.integer(0), $0.integer(1))
        }
        try statements.deleteDocuments.run(.integer(sid), .integer(first))
        for (part, count) in counts { try parts.died(count, in: part, isAtOnce: false) }
    }

    /// Moves the documents that lie wholly in the page. The first one moves or is deleted in any case.
    private func move(_ items: [TimelineItem], of sid: Int64, _ part: Int64, after: Int64) throws(SQLiteError) {
        guard let names = try statements.names.first(.integer(sid), read: { ($0.text(0), $0.text(1)) }) else { return }
        let filter = SearchFilter(sid: sid, agent: names.0 ?? "", tenant: names.1)
        let end = items.last?.n ?? after
        let moving = try statements.documentsToMove.all(.integer(part), .integer(sid), .integer(after)) {
            SearchCandidate(id: $0.integer(0), sid: sid, first: $0.integer(1), last: $0.integer(2))
        }
        for (index, document) in moving.enumerated() where index == 0 || document.last <= end {
            parts.movedTo = (sid, document.first)
            if let found = document.document(in: items) {
                let newPart = try parts.insert(document.id, filter.text(found.text), connection)
                try statements.setPart.run(.integer(document.id), .integer(newPart))
            } else {
                try statements.deleteDocument.run(.integer(document.id))
            }
        }
    }

    // MARK: Progress

    package func progress() throws(SQLiteError) -> SearchProgress {
        let sums = try statements.sums.first { ($0.integer(0), $0.integer(1)) } ?? (0, 0)
        var progress = SearchProgress()
        (progress.done, progress.total) = sums
        progress.documents = try statements.documentCount.first { $0.integer(0) } ?? 0
        progress.bytes = try connection.integer("PRAGMA page_count") * Self.pageBytes
        return progress
    }

    private static let pageBytes: Int64 = 4096

    // MARK: Transactions

    /// Runs `body` in the open transaction, or in a new one. Many changes are committed together, because FTS5 merges
    /// what each commit adds. Without a commit, the changes are lost with the process, and are made again.
    private func change(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
        try undoing { () throws(SQLiteError) in
            if !isChanging { try statements.begin.run() }
            isChanging = true
            try body()
        }
    }

    /// Commits the changes. ``nextWork()`` does this when the index has everything.
    package func commit() throws(SQLiteError) {
        guard isChanging else { return }
        try undoing { () throws(SQLiteError) in
            try parts.save()
            try statements.commit.run()
            isChanging = false
            uncommittedBytes = 0
        }
    }

    /// Undoes all changes since the last commit if `body` fails.
    private func undoing(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
        do throws(SQLiteError) {
            try body()
        } catch {
            connection.rollBack()
            isChanging = false
            uncommittedBytes = 0
            // The parts in memory can be ahead of the file.
            if let stored = try? SearchParts(connection) { parts = stored }
            throw error
        }
    }
}

extension SearchCandidate {
    /// The document in a page that begins with it or before it.
    func document(in items: [TimelineItem]) -> SearchDocument? {
        guard let start = items.first, start.n <= first else { return nil }
        let own = items.drop { $0.n < first }.prefix { $0.n <= last }
        return SearchDocument.batch(own).documents.first
    }
}

extension SearchFilter {
    /// A text with the words by which it is filtered, as the index has it.
    func text(_ text: String) -> String { words.joined(separator: " ") + "\n" + SearchTokens.prepared(text) }
}

/// The reason why the index cannot be used. The description is for the person who can act on it.
package enum SearchFailure: Error, Sendable, CustomStringConvertible {
    case file(path: String, FileTrust.OpenFailure)
    case engine(SQLiteError)

    /// The file is damaged, and must be made again.
    package var isDamage: Bool {
        guard case .engine(let error) = self else { return false }
        return error.isDamage
    }

    package var description: String {
        switch self {
        case .file(let path, .foreign(let owner)): "\(path) belongs to another user (uid \(owner))"
        case .file(_, .system(let error)): "\(error)"
        case .engine(let error): "the search index failed: \(error.text) (SQLite code \(error.code))"
        }
    }
}

extension TimelineItem {
    /// The size of the line or of the entry's data.
    fileprivate var byteCount: Int {
        switch self {
        case .update(_, _, _, let bytes), .entry(_, _, _, _, let bytes): bytes.count
        }
    }
}
