import Access
import EventLoop
import JSONScan
import LiveQueries
import SessionRecords
import SessionStarts
import SessionStreams
import Tinyvex

/// Performs each mutation: changes of the bridge's own record of a session, answers to the agent, files and push registrations.
@LoopActor package struct SessionMutations {
    let registry: SessionRegistry
    let agents: AgentFunctions
    let folds: SessionFolds
    let audit: AuditLog
    /// Called after a session's record has changed, before the answer.
    let changed: @LoopActor (Session, SessionRegistry.SessionChange) -> Void
    /// Called after a session was deleted, with its place in the log.
    let forgotten: @LoopActor (_ sid: Int64) -> Void
    let mute: @LoopActor (Session, Bool, Identity) throws(Rejection) -> Void
    /// Performs `push:register` or `push:unregister`.
    let changePush: @LoopActor (MutationName, Parameters, Identity) throws(Rejection) -> [UInt8]

    func perform(
        _ mutation: MutationName, _ arguments: Parameters, for identity: Identity,
        then finish: @escaping @LoopActor (QueryOutcome) -> Void
    ) {
        do throws(Rejection) {
            switch mutation {
            case .sessionsSetTitle:
                let title = try SessionChange.title(arguments)
                let value = JSONWriter.object { writer in
                    if let title { writer.member("title", title) } else { writer.memberNull("title") }
                }
                label(try SessionReference(arguments), .title(title), value, mutation, identity, finish)
            case .sessionsSetTags:
                let tags = try SessionChange.tags(arguments)
                let value = JSONWriter.object { $0.memberArray("tags") { for tag in tags { $0.element(tag) } } }
                label(try SessionReference(arguments), .tags(tags), value, mutation, identity, finish)
            case .sessionsArchive:
                let isArchived = try SessionChange.archived(arguments)
                let value = JSONWriter.object { $0.member("archived", isArchived) }
                label(try SessionReference(arguments), .archived(isArchived), value, mutation, identity, finish)
            case .sessionsMute:
                mute(try SessionReference(arguments), try SessionChange.muted(arguments), identity, finish)
            case .sessionsDelete: delete(try SessionReference(arguments), identity, finish)
            case .permissionsAnswer: finish(.success(try agents.answerPermission(arguments, by: identity)))
            case .elicitationsAnswer: finish(.success(try agents.answerElicitation(arguments, by: identity)))
            case .filesGenerateUploadUrl:
                finish(.success(try agents.files.generateUploadURL(arguments, by: identity)))
            case .filesSaveFile: agents.files.save(arguments, by: identity, then: finish)
            case .filesDelete: agents.files.delete(arguments, by: identity, then: finish)
            case .pushRegister, .pushUnregister:
                let value = try changePush(mutation, arguments, identity)
                audit.record(.called(function: mutation.rawValue, nil), by: identity)
                finish(.success(value))
            }
        } catch {
            finish(.failure(error))
        }
    }

    private func label(
        _ reference: SessionReference, _ change: SessionLabel.Change, _ value: [UInt8], _ mutation: MutationName,
        _ identity: Identity, _ finish: @escaping @LoopActor (QueryOutcome) -> Void
    ) {
        withSession(reference, identity, finish) { session, sid in
            registry.log.write(.label(sid: sid, change)) { answer in
                guard case .described = answer else { return finish(.failure(Self.rejection(for: answer, reference))) }
                record(session, mutation, identity)
                finish(.success(value))
            }
        }
    }

    private func mute(
        _ reference: SessionReference, _ isMuted: Bool, _ identity: Identity,
        _ finish: @escaping @LoopActor (QueryOutcome) -> Void
    ) {
        withSession(reference, identity, finish) { session, _ in
            do throws(Rejection) { try mute(session, isMuted, identity) } catch { return finish(.failure(error)) }
            record(session, .sessionsMute, identity)
            finish(.success(JSONWriter.object { $0.member("muted", isMuted) }))
        }
    }

    private func delete(
        _ reference: SessionReference, _ identity: Identity, _ finish: @escaping @LoopActor (QueryOutcome) -> Void
    ) {
        withSession(reference, identity, finish) { session, sid in
            registry.whenCompleted(session) {
                guard session.isComplete else { return finish(.failure(Self.isLive(reference))) }
                delete(session, sid, reference, identity, finish)
            }
        }
    }

    private func delete(
        _ session: Session, _ sid: Int64, _ reference: SessionReference, _ identity: Identity,
        _ finish: @escaping @LoopActor (QueryOutcome) -> Void
    ) {
        registry.log.write(.delete(sid: sid)) { answer in
            guard case .deleted = answer else { return finish(.failure(Self.rejection(for: answer, reference))) }
            session.deleted()
            folds.forget(sid)
            record(session, .sessionsDelete, identity, .deleted)
            forgotten(sid)
            finish(.success(JSONWriter.object { $0.member("deleted", true) }))
        }
    }

    private func withSession(
        _ reference: SessionReference, _ identity: Identity,
        _ finish: @escaping @LoopActor (QueryOutcome) -> Void,
        _ body: @escaping @LoopActor (Session, _ sid: Int64) -> Void
    ) {
        registry.find(reference, of: identity.tenant) { found in
            switch found {
            case .failure(let rejection): finish(.failure(rejection))
            case .success(let session):
                guard let sid = session.sid else { return finish(.failure(SessionRegistry.unreadable)) }
                if let rejection = session.otherBridge { return finish(.failure(rejection)) }
                body(session, sid)
            }
        }
    }

    private func record(
        _ session: Session, _ mutation: MutationName, _ identity: Identity,
        _ change: SessionRegistry.SessionChange = .facts
    ) {
        let name = AuditEvent.SessionName(agent: session.agent, sessionId: session.id)
        audit.record(.called(function: mutation.rawValue, name), by: identity)
        changed(session, change)
    }

    private static func rejection(for answer: Answer, _ reference: SessionReference) -> Rejection {
        switch answer {
        case .failed(.unknownSession): SessionRegistry.unknown(reference)
        case .failed(.sessionIsLive): isLive(reference)
        case .failed(let error):
            Rejection(.mutationFailed, "the log could not be written: \(error)", rpcCode: .internalError)
        default: Rejection(.mutationFailed, "the log could not be written", rpcCode: .internalError)
        }
    }

    private static func isLive(_ reference: SessionReference) -> Rejection {
        Rejection(
            .mutationFailed,
            "session \(quoted(reference.sessionId)) is live; it can be deleted after its agent has ended and all data is stored"
        )
    }
}
