import EventLoop
import JSONScan
import SessionExport
import SessionRecords
import SessionStreams
import Tinyvex

/// Schedules exports one entry at a time in turn. A page of a recording takes several milliseconds, and each client can
/// request one.
@LoopActor final class ExportQueue {
    private let work: SlicedWork

    init(_ services: LoopServices) { work = SlicedWork(services) }

    func add(_ export: PageExport) { work.run([export]) { [unowned self] in addEntry(to: $0) } }

    private func addEntry(to export: PageExport) {
        guard export.addNextEntry() else { return export.complete() }
        work.add { [unowned self] in addEntry(to: export) }
    }
}

/// One page of the log that is being converted to text.
@LoopActor final class PageExport {
    private let page: TimelinePage
    private let title: String?
    private let format: ExportRequest.Format
    private let finish: CompletionHandler
    private var text: ExportText
    private var next = 0

    init(_ page: TimelinePage, _ request: ExportRequest, title: String?, _ finish: @escaping CompletionHandler) {
        self.page = page
        self.title = title
        self.finish = finish
        format = request.format
        text = ExportText(format: request.format, cursor: request.cursor)
    }

    /// Adds one entry to the text. Returns false if no entry is left.
    func addNextEntry() -> Bool {
        guard next < page.items.count else { return false }
        text.add(page.items[next], title: title)
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
        finish(.success(FunctionResponse(result: result)))
    }
}
