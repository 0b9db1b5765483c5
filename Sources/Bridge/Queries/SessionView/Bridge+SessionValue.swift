import EventLoop
import JSONScan
import SessionLog
import Tinyvex

/// What `sessions:get` says.
extension Bridge {
    func getSession(
        _ params: Parameters, tenant: String?, then finish: @escaping @LoopActor (QueryOutcome) -> Void
    ) {
        let reference: SessionReference
        do throws(Rejection) { reference = try SessionReference(params) } catch { return finish(.failure(error)) }
        registry.find(reference, of: tenant) { [self] found in
            switch found {
            case .failure(let rejection): finish(.failure(rejection))
            case .success(let session): describe(session, reference, finish)
            }
        }
    }

    private func describe(
        _ session: Session, _ reference: SessionReference, _ finish: @escaping @LoopActor (QueryOutcome) -> Void
    ) {
        guard let sid = session.sid else { return finish(.failure(SessionRegistry.unreadable)) }
        views.fold(of: session) { [self] fold in
            guard let fold else { return finish(.failure(SessionRegistry.unreadable)) }
            registry.log.read(.life(sid: sid)) { [self] answer in
                guard case .sessions(let records) = answer else { return finish(.failure(SessionRegistry.unreadable)) }
                guard let record = records.first else {
                    return finish(.failure(SessionRegistry.unknown(reference)))
                }
                finish(.success(json(session, record, fold)))
            }
        }
    }

    private func json(_ session: Session, _ record: SessionRecord, _ fold: SessionFold) -> [UInt8] {
        let run = runs.first { $0.sessions?.sessions[session.id] === session }
        let setup = run?.sessions?.setup(of: session.id).flatMap { try? JSONValue(validating: $0) }
        let modes = setup?["modes"].flatMap { Self.part($0, .object) }
            .flatMap { $0["currentModeId"] != nil && $0["availableModes"] != nil ? $0 : nil }
        let options = setup?["configOptions"].flatMap { Self.part($0, .array) }.map { Array($0.rawText) }
        return JSONWriter.object { writer in
            summary(of: record).write(to: &writer)
            writer.member("lastSeq", fold.lastSeq)
            writer.memberObject("turn") { fold.turn.write(to: &$0) }
            let mode = modes?["currentModeId"]?.stringValue ?? fold.currentModeId
            if let mode { writer.member("currentModeId", mode) } else { writer.memberNull("currentModeId") }
            writer.memberOrNull("modes", modes.map { Array($0.rawText) })
            writer.memberOrNull("configOptions", options ?? fold.part(.configOptions))
            writer.memberOrNull("commands", fold.part(.commands))
            writer.memberOrNull("plan", fold.part(.plan))
            writer.memberOrNull("usage", fold.part(.usage))
            writer.memberArray("toolCalls") { fold.toolCalls.write(to: &$0) }
            writer.memberArray("pendingPermissions") { fold.writePermissions(to: &$0) }
            writer.memberArray("queue") { writer in
                for prompt in run?.sessions?.exchange.queues[session.id] ?? [] { prompt.write(to: &writer) }
            }
            writer.memberObject("omitted") { writer in
                writer.member("toolCalls", fold.toolCalls.omittedCount)
                writer.member("contents", fold.toolCalls.strippedCount)
            }
        }
    }
}

extension Bridge {
    /// What an agent wrote, where it is what it should be, and not too long for a value.
    private static func part(_ value: JSONValue, _ kind: JSONValue.Kind) -> JSONValue? {
        value.kind == kind && value.rawText.count <= SessionFold.partLimitBytes ? value : nil
    }
}

extension JSONWriter {
    fileprivate mutating func memberOrNull(_ name: String, _ raw: [UInt8]?) {
        if let raw { member(name, raw: raw) } else { memberNull(name) }
    }
}
