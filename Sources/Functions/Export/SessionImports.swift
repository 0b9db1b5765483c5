import Access
import EventLoop
import JSONScan
import Posix
import SessionExport
import SessionRecords
import SessionStreams
import Tinyvex

/// Stores exported timelines as ended sessions.
///
/// Each import gets a session id of its own and a fresh incarnation, so it never adds to an existing session. A client
/// names an import by a random id, not by its place in the log. An import that fails, or that gets no part for a while,
/// is deleted.
@LoopActor final class SessionImports {
    /// Called when a session has been added or removed.
    var changed: @LoopActor () -> Void = {}
    private let registry: SessionRegistry
    private let audit: AuditLog
    private let services: LoopServices
    private var open: [String: Import] = [:]

    /// Each holds one part of at most 16 MiB in memory.
    private static let openLimit = 4
    /// 1 GiB of text for one session. A larger one is most likely an error of the client, and is refused.
    private static let textLimitBytes = 1 << 30
    /// A client sends its next part at once.
    private static let idleLimit = Duration.seconds(60)

    private struct Import {
        let tenant: String?
        let agent: String
        let sessionId: String
        /// Nil until the log has answered.
        var lease: Lease?
        var head: Int64 = 0
        var updateCount: Int64 = 0
        var entryCount: Int64 = 0
        var textBytes = 0
        var hasPrompt = false
        var isBusy = true
        /// Rises with each part, so that a timer of an earlier part has no effect.
        var partCount = 0
    }

    init(registry: SessionRegistry, audit: AuditLog, services: LoopServices) {
        self.registry = registry
        self.audit = audit
        self.services = services
    }

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
                try store(request, id, identity, finish)
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
        let sessionId = "imported-\(id)"
        // Refuses a bad first part before a session exists.
        var facts = facts
        facts.lastTs = try ImportText(request.text, sessionId: sessionId).lastTs
        open[id] = Import(tenant: identity.tenant, agent: agent, sessionId: sessionId)
        registry.log.write(.claim(agent: agent, sessionId: sessionId, mode: .fresh, facts: facts)) { [self] answer in
            guard case .claimed(let lease) = answer, open[id] != nil else {
                open[id] = nil
                return finish(.failure(Self.rejection(answer)))
            }
            open[id]?.lease = lease
            open[id]?.head = lease.head
            do throws(Rejection) {
                try store(request, id, identity, finish)
            } catch {
                finish(.failure(error))
            }
        }
    }

    private func store(
        _ request: ImportRequest, _ id: String, _ identity: Identity, _ finish: @escaping CompletionHandler
    ) throws(Rejection) {
        guard let importing = open[id], let lease = importing.lease else { return }
        let text: ImportText
        do throws(Rejection) {
            guard importing.textBytes + request.text.utf8.count <= Self.textLimitBytes else {
                throw Rejection(.limitExceeded, "an import has at most \(Self.textLimitBytes >> 20) MiB of text")
            }
            text = try ImportText(request.text, sessionId: importing.sessionId)
        } catch {
            abandon(id)
            throw error
        }
        open[id]?.textBytes += request.text.utf8.count
        open[id]?.partCount += 1
        guard !text.items.isEmpty else { return stored(text, request, id, identity, finish) }
        let append = WriteRequest.Operation.append(
            sid: lease.sid, epoch: lease.epoch, after: importing.head, items: text.items)
        registry.log.write(append) { [self] answer in
            guard case .appended(let head, _) = answer else {
                abandon(id)
                return finish(.failure(Self.rejection(answer)))
            }
            open[id]?.head = head
            stored(text, request, id, identity, finish)
        }
    }

    private func stored(
        _ text: ImportText, _ request: ImportRequest, _ id: String, _ identity: Identity,
        _ finish: @escaping CompletionHandler
    ) {
        guard var importing = open[id], let lease = importing.lease else { return }
        importing.updateCount += text.updateCount
        importing.entryCount += text.entryCount
        importing.isBusy = request.isLast
        let prompt = importing.hasPrompt ? nil : text.firstPrompt
        importing.hasPrompt = importing.hasPrompt || prompt != nil
        open[id] = importing
        let end = request.isLast ? SessionEnd.closed.storedText : nil
        let facts = SessionFacts(
            firstPrompt: prompt, state: request.isLast ? .ended : nil, exit: end, lastTs: text.lastTs)
        registry.log.write(.describe(sid: lease.sid, facts: facts)) { [self] answer in
            guard case .described = answer else {
                abandon(id)
                return finish(.failure(Self.rejection(answer)))
            }
            if request.isLast {
                open[id] = nil
                let name = AuditEvent.SessionName(agent: importing.agent, sessionId: importing.sessionId)
                audit.record(.called(function: ActionName.sessionsImport.rawValue, name), by: identity)
                changed()
            } else {
                expire(id, after: importing.partCount)
            }
            finish(.success(FunctionResponse(result: Self.json(importing, id))))
        }
    }

    /// `{"import":"9f03…","sessionId":"imported-9f03…","agent":"codex","updates":12,"entries":17}`
    private static func json(_ importing: Import, _ id: String) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("import", id)
            writer.member("sessionId", importing.sessionId)
            writer.member("agent", importing.agent)
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
        guard let sid = open.removeValue(forKey: id)?.lease?.sid else { return }
        let facts = SessionFacts(state: .ended, exit: SessionEnd.interrupted.storedText)
        registry.log.write(.describe(sid: sid, facts: facts)) { [self] _ in
            registry.known(sid: sid)?.deleted()
            // If the log fails here, the part that was stored stays as an interrupted session, which a user can delete.
            registry.log.write(.delete(sid: sid)) { [self] _ in changed() }
        }
    }

    private static func rejection(_ answer: Answer) -> Rejection {
        guard case .failed(let error) = answer else {
            return Rejection(.mutationFailed, "the import was stopped", rpcCode: .internalError)
        }
        return Rejection(.mutationFailed, "the log could not be written: \(error)", rpcCode: .internalError)
    }
}
