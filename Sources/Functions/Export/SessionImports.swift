import Access
import EventLoop
import JSONScan
import Posix
import SessionExport
import SessionRecords
import SessionStreams
import Tinyvex

/// Stores exported timelines as ended sessions, each with its child sessions.
///
/// Each import gets session ids of its own and fresh incarnations, so it never adds to an existing session. A client
/// names an import by a random id, not by its place in the log. An import that fails, or that gets no part for a while,
/// is deleted with all its sessions.
///
/// The sessions of an import cannot be found before its last part. A reader of an earlier part would be notified of an
/// end that is not the end, because no agent runs the session.
@LoopActor final class SessionImports {
    /// Called when the session with this place in the log has been added (`facts`) or removed (`deleted`).
    var changed: @LoopActor (_ sid: Int64, SessionRegistry.SessionChange) -> Void = { _, _ in }
    private let registry: SessionRegistry
    private let audit: AuditLog
    private let services: LoopServices
    private var open: [String: Import] = [:]

    /// Each holds one part of at most 16 MiB in memory.
    private static let openLimit = 4
    /// 1 GiB of text for one session. A larger one is most likely an error of the client, and is refused.
    private nonisolated static let textLimitBytes = 1 << 30
    /// A client sends its next part at once.
    private static let idleLimit = Duration.seconds(60)

    private struct Import {
        let tenant: String?
        let agent: String
        var ids: ImportIds
        /// The sessions that the log has, in the order of their beginnings. Lines belong to the last one.
        var sessions: [Stored] = []
        var updateCount: Int64 = 0
        var entryCount: Int64 = 0
        var textBytes = 0
        var isBusy = true
        /// Rises with each part, so that a timer of an earlier part has no effect.
        var partCount = 0

        /// Reads the next part. After an error, the import must be abandoned.
        mutating func read(_ request: ImportRequest) throws(Rejection) -> ImportText {
            textBytes += request.text.utf8.count
            guard textBytes <= SessionImports.textLimitBytes else {
                throw Rejection(
                    .limitExceeded, "an import has at most \(SessionImports.textLimitBytes >> 20) MiB of text")
            }
            partCount += 1
            return try ImportText(request.text, ids: &ids)
        }
    }

    private struct Stored {
        let sid: Int64
        let epoch: Int64
        /// The number of the last update.
        var head: Int64
        var hasPrompt = false

        init(_ lease: Lease) { (sid, epoch, head) = (lease.sid, lease.epoch, lease.head) }
    }

    /// One request whose text is being stored.
    private struct Part {
        /// The import's id.
        let id: String
        let isLast: Bool
        /// The sections that are not stored.
        var sections: ArraySlice<ImportText.Section>
        let identity: Identity
        let finish: CompletionHandler
    }

    init(registry: SessionRegistry, audit: AuditLog, services: LoopServices) {
        self.registry = registry
        self.audit = audit
        self.services = services
        registry.importIds = { [weak self] in self?.open.keys.map { Self.idPrefix + $0 } ?? [] }
    }

    private static let idPrefix = "imported-"

    func add(_ request: ImportRequest, by identity: Identity, then finish: @escaping CompletionHandler) {
        do throws(Rejection) {
            switch request.place {
            case .new(let agent, let title, let cwd):
                try begin(
                    request, agent, SessionFacts(title: title, cwd: cwd, tenant: identity.tenant), identity, finish)
            case .open(let id):
                guard let waiting = open[id], waiting.tenant == identity.tenant, !waiting.isBusy else {
                    throw .invalidParams("no import \(quoted(id)) waits for a part")
                }
                open[id]?.isBusy = true
                try add(request, to: id, identity, finish)
            }
        } catch {
            finish(.failure(error))
        }
    }

    private func begin(
        _ request: ImportRequest, _ agent: String, _ facts: SessionFacts, _ identity: Identity,
        _ finish: @escaping CompletionHandler
    ) throws(Rejection) {
        guard open.count < Self.openLimit else {
            throw Rejection(.limitExceeded, "\(Self.openLimit) imports are in progress; try again later")
        }
        guard let id = RandomText.hexadecimal(byteCount: 8) else {
            throw Rejection(.mutationFailed, "the system has no random bytes", rpcCode: .internalError)
        }
        var importing = Import(tenant: identity.tenant, agent: agent, ids: ImportIds(root: Self.idPrefix + id))
        // Refuses a bad first part before a session exists.
        let text = try importing.read(request)
        var facts = facts
        facts.lastTs = bounded(text.sections.first?.lastTs)
        open[id] = importing
        claim(id, sessionId: importing.ids.root, facts, finish) { [self] in
            store(text, of: request, id, identity, finish)
        }
    }

    /// The time of the last activity, at most a day from now, as far as two clocks differ. A later one would keep the session on
    /// top of the lists and out of reach of the retention.
    private func bounded(_ ts: Int64?) -> Int64? { ts.map { min($0, services.time.dateMilliseconds + 86_400_000) } }

    /// Begins a session in the log.
    private func claim(
        _ id: String, sessionId: String, _ facts: SessionFacts, _ finish: @escaping CompletionHandler,
        then next: @escaping @LoopActor () -> Void
    ) {
        guard let agent = open[id]?.agent else { return }
        registry.log.write(.claim(agent: agent, sessionId: sessionId, mode: .fresh, facts: facts)) { [self] answer in
            guard case .claimed(let lease) = answer, open[id] != nil else {
                abandon(id)
                return finish(.failure(Self.rejection(answer)))
            }
            open[id]?.sessions.append(Stored(lease))
            next()
        }
    }

    private func add(
        _ request: ImportRequest, to id: String, _ identity: Identity, _ finish: @escaping CompletionHandler
    ) throws(Rejection) {
        guard var importing = open[id] else { return }
        do throws(Rejection) {
            let text = try importing.read(request)
            open[id] = importing
            store(text, of: request, id, identity, finish)
        } catch {
            abandon(id)
            throw error
        }
    }

    private func store(
        _ text: ImportText, of request: ImportRequest, _ id: String, _ identity: Identity,
        _ finish: @escaping CompletionHandler
    ) {
        begin(
            Part(id: id, isLast: request.isLast, sections: text.sections[...], identity: identity, finish: finish))
    }

    /// Begins the next section of a part, with its session if it has one.
    private func begin(_ part: Part) {
        guard let section = part.sections.first else { return complete(part) }
        guard let child = section.child else { return append(section, of: part) }
        let facts = SessionFacts(
            title: child.title, cwd: child.cwd, tenant: open[part.id]?.tenant, parentId: child.ids.parentId,
            lastTs: bounded(section.lastTs))
        claim(part.id, sessionId: child.ids.id, facts, part.finish) { [self] in append(section, of: part) }
    }

    private func append(_ section: ImportText.Section, of part: Part) {
        guard let session = open[part.id]?.sessions.last else { return }
        guard !section.items.isEmpty else { return describe(section, of: part) }
        let append = WriteRequest.Operation.append(
            sid: session.sid, epoch: session.epoch, after: session.head, items: section.items)
        registry.log.write(append) { [self] answer in
            guard case .appended(let head, _) = answer else {
                abandon(part.id)
                return part.finish(.failure(Self.rejection(answer)))
            }
            updateLast(of: part.id) { $0.head = head }
            describe(section, of: part)
        }
    }

    private func updateLast(of id: String, _ change: (inout Stored) -> Void) {
        guard let last = open[id]?.sessions.indices.last, var session = open[id]?.sessions[last] else { return }
        change(&session)
        open[id]?.sessions[last] = session
    }

    /// Records the facts of a stored section. The session ends if nothing more follows for it.
    private func describe(_ section: ImportText.Section, of part: Part) {
        guard let session = open[part.id]?.sessions.last else { return }
        open[part.id]?.updateCount += section.updateCount
        open[part.id]?.entryCount += section.entryCount
        var part = part
        part.sections.removeFirst()
        let isEnd = !part.sections.isEmpty || part.isLast
        let prompt = session.hasPrompt ? nil : section.firstPrompt
        if prompt != nil { updateLast(of: part.id) { $0.hasPrompt = true } }
        let facts = SessionFacts(
            firstPrompt: prompt, state: isEnd ? .ended : nil, exit: isEnd ? SessionEnd.closed.storedText : nil,
            lastTs: bounded(section.lastTs))
        let rest = part
        registry.log.write(.describe(sid: session.sid, facts: facts)) { [self] answer in
            guard case .described = answer else {
                abandon(rest.id)
                return rest.finish(.failure(Self.rejection(answer)))
            }
            begin(rest)
        }
    }

    private func complete(_ part: Part) {
        guard let importing = open[part.id] else { return }
        if part.isLast {
            open[part.id] = nil
            let name = AuditEvent.SessionName(agent: importing.agent, sessionId: importing.ids.root)
            audit.record(.called(function: ActionName.sessionsImport.rawValue, name), by: part.identity)
            for session in importing.sessions { changed(session.sid, .facts) }
        } else {
            open[part.id]?.isBusy = false
            expire(part.id, after: importing.partCount)
        }
        part.finish(.success(FunctionResponse(result: Self.json(importing, part.id))))
    }

    /// `{"import":"9f03…","sessionId":"imported-9f03…","agent":"codex","sessions":1,"updates":12,"entries":17}`
    private static func json(_ importing: Import, _ id: String) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("import", id)
            writer.member("sessionId", importing.ids.root)
            writer.member("agent", importing.agent)
            writer.member("sessions", Int64(importing.sessions.count))
            writer.member("updates", importing.updateCount)
            writer.member("entries", importing.entryCount)
        }
    }

    private func expire(_ id: String, after partCount: Int) {
        services.timers.schedule(after: Self.idleLimit) { [weak self] in
            guard let self, let importing = open[id], importing.partCount == partCount, !importing.isBusy else {
                return
            }
            abandon(id)
        }
    }

    /// Deletes what an import has stored.
    private func abandon(_ id: String) {
        let facts = SessionFacts(state: .ended, exit: SessionEnd.interrupted.storedText)
        for sid in open.removeValue(forKey: id)?.sessions.map(\.sid) ?? [] {
            registry.log.write(.describe(sid: sid, facts: facts)) { [self] _ in
                // If the log fails here, the part that was stored stays as an interrupted session, which a user can
                // delete.
                registry.log.write(.delete(sid: sid)) { [self] _ in
                    registry.known(sid: sid)?.deleted()
                    changed(sid, .deleted)
                }
            }
        }
    }

    private static func rejection(_ answer: Answer) -> Rejection {
        guard case .failed(let error) = answer else {
            return Rejection(.mutationFailed, "the import was stopped", rpcCode: .internalError)
        }
        return Rejection(.mutationFailed, "the log could not be written: \(error)", rpcCode: .internalError)
    }
}
