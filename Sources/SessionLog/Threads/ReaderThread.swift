import SessionRecords
import SessionStore

/// The reader's thread.
enum ReaderThread {
    enum Job: Sendable {
        case request(ReadRequest)
        /// Close the file, signal `closed`, wait for `reopen`, and open the file again. If `reopen` gives an error, all
        /// requests fail with that error.
        case closeFile(closed: Handoff<Void>, reopen: Handoff<LogError?>)
    }

    /// Opens the file at the first request. If the file cannot be opened, every request tries again. Returns when the
    /// inbox is closed and all its requests are answered.
    static func run(
        _ file: LogFile, _ lines: LinesFile, _ lock: LogLock, _ inbox: Inbox<Job>, replyBox: ReplyBox
    ) {
        var reader: Reader?
        var failure: LogError?
        while let jobs = inbox.drain() {
            for job in jobs {
                switch job {
                case .request(let request):
                    let answer = failure.map { .failed($0) } ?? answer(request.query, &reader, file, lines, lock)
                    replyBox.add([LogReply(ticket: request.ticket, answer: answer)])
                case .closeFile(let closed, let reopen):
                    reader = nil
                    closed.give(())
                    failure = reopen.wait()
                }
            }
        }
    }

    private static func answer(
        _ query: ReadRequest.Query, _ reader: inout Reader?, _ file: LogFile, _ lines: LinesFile, _ lock: LogLock
    ) -> Answer {
        do throws(LogError) {
            let open = if let reader { reader } else { try Reader(file, lines) }
            // The name can belong to another file, and the writer's thread has not noticed that yet.
            guard reader != nil || FileIdentity(path: file.path) == lock.database else {
                throw .filesLost(path: file.path, reason: "it is being restored")
            }
            reader = open
            return open.answer(query)
        } catch {
            return .failed(error)
        }
    }
}
