import Glibc
import TestSupport
import Testing

@testable import EventLoop
@testable import Posix

@Suite struct LatestFileTests {
    init() { LoopThread.start }

    /// Content whose writing waits until the test lets it continue.
    private final class HeldContent: Sendable {
        let begun = Semaphore()
        let mayEnd = Semaphore()

        func make() -> [UInt8] {
            begun.post()
            mayEnd.wait()
            return [1]
        }
    }

    @LoopActor private final class Rig {
        let loop = ManualLoop()
        let folder = TemporaryFolder()
        var failures = 0
        private(set) lazy var path = folder.path + "/file"

        func file() throws -> LatestFile {
            LatestFile(path, jobs: try BackgroundJobs("t", loop.services)) { [weak self] _ in self?.failures += 1 }
        }

        func content() throws -> [UInt8]? { try PrivateFile.read(path, limitBytes: 100) }

        /// Passes results of threads to the loop until the condition holds.
        func run(until condition: @LoopActor () throws -> Bool) throws {
            while try !condition() {
                for fd in loop.watched {
                    var request = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
                    if poll(&request, 1, 5) == 1 { loop.report(.readable, of: fd) }
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) @LoopActor func changesDuringAWriteAreInTheNextOne() throws {
        let (rig, held) = (Rig(), HeldContent())
        let file = try rig.file()
        file.replace { held.make() }
        held.begun.wait()
        file.replace { [2] }
        file.replace { [3] }
        held.mayEnd.post()
        try rig.run { try rig.content() == [3] }
        #expect(rig.failures == 0)
    }

    @Test(.timeLimit(.minutes(1))) @LoopActor func aFlushWritesTheNewestContentAndNoOlderOneFollows() throws {
        let (rig, held) = (Rig(), HeldContent())
        let file = try rig.file()
        file.replace { held.make() }
        held.begun.wait()
        file.replace { [2] }
        held.mayEnd.post()
        file.flush()
        #expect(try rig.content() == [2])
        file.replace { [4] }
        try rig.run { try rig.content() == [4] }
    }

    @Test(.timeLimit(.minutes(1))) @LoopActor func aFailureIsReportedAndTheNextChangeIsWritten() throws {
        let rig = Rig()
        let file = try rig.file()
        #expect(mkdir(rig.path, 0o700) == 0)
        file.replace { [1] }
        try rig.run { rig.failures == 1 }
        #expect(rmdir(rig.path) == 0)
        file.replace { [2] }
        try rig.run { try rig.content() == [2] }
    }
}
