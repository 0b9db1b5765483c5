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
                registry.log.read(.timeline(sid: sid, after: request.cursor.after)) { [self] answer in
                    guard case .timeline(let page) = answer else {
                        return finish(.failure(SessionRegistry.unreadable))
                    }
                    exports.run([PageExport(page, request, title: session.title, finish)])
                }
            }
        }
    }

    /// Exports take turns by the entry: a page of a recording takes several milliseconds, and each client may ask for one.
    func exportNext(_ export: PageExport) {
        if export.takeNext() { exports.add(export) } else { export.complete() }
    }
}

/// One page of the log on its way to becoming text.
@LoopActor final class PageExport {
    private let page: TimelinePage
    private let title: String?
    private let format: ExportRequest.Format
    private let finish: Completing
    private var text: ExportText
    private var next = 0

    init(_ page: TimelinePage, _ request: ExportRequest, title: String?, _ finish: @escaping Completing) {
        self.page = page
        self.title = title
        self.finish = finish
        format = request.format
        text = ExportText(format: request.format, cursor: request.cursor)
    }

    /// Adds one entry to the text. False when there is none left.
    func takeNext() -> Bool {
        guard next < page.items.count else { return false }
        text.take(page.items[next], title: title)
        next += 1
        return true
    }

    /// `{"format":"ndjson","text":"…","nextCursor":null}`
    func complete() {
        let result = JSONWriter.object { writer in
            writer.member("format", format.rawValue)
            writer.member("text", String(decoding: text.bytes, as: UTF8.self))
            if page.isAtEnd {
                writer.memberNull("nextCursor")
            } else {
                writer.member("nextCursor", text.cursor.text)
            }
        }
        finish(.success(Completion(result: result)))
    }
}
