import Posix
import Synchronization

/// A private file that gets its newest content. A thread of its own writes and syncs it, one write at a time. Changes
/// during a write are in the next one.
@LoopActor package final class LatestFile {
    package typealias Content = @Sendable () -> [UInt8]

    private let file: NumberedFile
    private let jobs: BackgroundJobs
    private let report: @LoopActor (SystemError) -> Void
    /// The newest content. Nil if it was written.
    private var content: Content?
    /// Grows with each change.
    private var number: UInt64 = 0
    private var isWriting = false

    /// A file that an older content does not replace. Only one thread writes at a time.
    private final class NumberedFile: Sendable {
        private let path: String
        private let written = Mutex<UInt64>(0)

        init(path: String) { self.path = path }

        func write(_ content: Content, number: UInt64) throws(SystemError) {
            try written.withLock { (written) throws(SystemError) in
                guard number > written else { return }
                try PrivateFile.replace(path, with: content())
                written = number
            }
        }
    }

    /// - Parameter report: called with each failure. The content is then written at the next change or flush.
    package init(_ path: String, jobs: BackgroundJobs, onFailure report: @escaping @LoopActor (SystemError) -> Void) {
        file = NumberedFile(path: path)
        self.jobs = jobs
        self.report = report
    }

    /// - Parameter content: called on the thread that writes.
    package func replace(with content: @escaping Content) {
        self.content = content
        number += 1
        write()
    }

    private func write() {
        guard !isWriting, let content else { return }
        let (file, number) = (file, number)
        do throws(SystemError) {
            try jobs.run {
                Result { () throws(SystemError) in try file.write(content, number: number) }
            } then: { [weak self] result in
                self?.wrote(number, result)
            }
            isWriting = true
        } catch {
            report(error)
        }
    }

    private func wrote(_ number: UInt64, _ result: Result<Void, SystemError>) {
        isWriting = false
        let isNewest = number == self.number
        switch result {
        case .success: if isNewest { content = nil }
        case .failure(let error): report(error)
        }
        if !isNewest { write() }
    }

    /// Writes the newest content before the process ends or runs another program. Waits for a write that runs.
    package func flush() {
        guard let content else { return }
        do throws(SystemError) {
            try file.write(content, number: number)
            self.content = nil
        } catch {
            report(error)
        }
    }
}
