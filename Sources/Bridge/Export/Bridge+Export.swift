import EventLoop
import JSONScan
import SessionLog
import Tinyvex

/// `sessions:export`: a session's timeline as text, a page of the log at a time.
extension Bridge {
    func export(_ request: ExportRequest, for identity: Identity, then finish: @escaping Completing) {
        registry.find(request.session, of: identity.tenant) { [self] found in
            switch found {
            case .failure(let rejection): finish(.failure(rejection))
            case .success(let session):
                guard let sid = session.sid else { return finish(.failure(SessionRegistry.unreadable)) }
                registry.log.read(.timeline(sid: sid, after: request.cursor.after)) { answer in
                    guard case .timeline(let page) = answer else {
                        return finish(.failure(SessionRegistry.unreadable))
                    }
                    finish(.success(Completion(result: Self.json(page, request, title: session.title))))
                }
            }
        }
    }

    /// `{"format":"ndjson","text":"…","nextCursor":null}`
    private static func json(_ page: TimelinePage, _ request: ExportRequest, title: String?) -> [UInt8] {
        var exported = ExportText(format: request.format, cursor: request.cursor)
        exported.take(page.items, title: title)
        return JSONWriter.object { writer in
            writer.member("format", request.format.rawValue)
            writer.member("text", String(decoding: exported.bytes, as: UTF8.self))
            if page.isAtEnd {
                writer.memberNull("nextCursor")
            } else {
                writer.member("nextCursor", exported.cursor.text)
            }
        }
    }
}
