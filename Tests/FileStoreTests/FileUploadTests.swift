import EventLoop
import Foundation
import TestSupport
import Testing
import Tinyvex

@testable import FileStore

/// A store whose results arrive only when the test takes them.
@LoopActor private final class Rig {
    let loop = ManualLoop()
    let store: FileStore
    private let folder = TemporaryFolder()

    init(_ limits: FileLimits = FileLimits()) {
        store = FileStore(path: folder.path + "/files", limits: limits, services: loop.services)
    }

    /// - Parameter byteCount: The declared length.
    func upload(_ byteCount: Int) throws -> FileUpload {
        try store.upload(UploadRequest(contentType: .unknown, byteCount: byteCount, tenant: nil))
    }

    /// Takes results of the files' thread until `isDone` returns true. Gives up after 10 s.
    func takeResults(until isDone: () -> Bool) {
        let deadline = ContinuousClock.now + .seconds(10)
        while !isDone(), ContinuousClock.now < deadline {
            for fd in loop.watched {
                var request = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
                if poll(&request, 1, 5) == 1 { loop.report(.readable, of: fd) }
            }
        }
        #expect(isDone())
    }

    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/files")) ?? [] }
}

@Suite(.serialized) struct FileUploadTests {
    init() { LoopThread.start }

    @LoopActor private static let part = [UInt8](repeating: 7, count: FileUpload.waitingLimitBytes / 4)

    @Test @LoopActor func anUploadIsFullUntilTheDiskHasTakenBytes() throws {
        let rig = Rig()
        defer { rig.store.close() }
        let upload = try rig.upload(5 * Self.part.count)
        var roomCount = 0
        upload.onRoom = { roomCount += 1 }
        for _ in 0..<3 {
            upload.append(Self.part)
            #expect(!upload.isFull)
        }
        upload.append(Self.part)
        #expect(upload.isFull)
        // The connection is not read meanwhile, so only bytes that were read before can follow.
        upload.append(Self.part)
        #expect(upload.isFull && roomCount == 0)
        rig.takeResults { roomCount == 1 }
        #expect(!upload.isFull)
        var stored: StoredFile?
        upload.finish { stored = try? $0.get() }
        rig.takeResults { stored != nil }
        #expect(stored?.byteCount == 5 * Self.part.count)
        #expect(roomCount == 1)
    }

    @Test @LoopActor func anUploadFillsAgainAfterItHadRoom() throws {
        let rig = Rig()
        defer { rig.store.close() }
        let upload = try rig.upload(8 * Self.part.count)
        var roomCount = 0
        upload.onRoom = { roomCount += 1 }
        for round in 1...2 {
            for _ in 0..<4 { upload.append(Self.part) }
            #expect(upload.isFull)
            rig.takeResults { roomCount == round }
        }
        upload.cancel()
        rig.takeResults { rig.names.isEmpty }
    }

    @Test @LoopActor func anUploadWithoutRoomFailsOnceAndTakesNoMoreBytes() throws {
        var limits = FileLimits()
        limits.fileBytes = 10
        let rig = Rig(limits)
        defer { rig.store.close() }
        let upload = try rig.upload(11)
        var failures: [Rejection] = []
        upload.onFailure = { failures.append($0) }
        rig.takeResults { !failures.isEmpty }
        for _ in 0..<8 { upload.append(Self.part) }
        #expect(!upload.isFull)
        var outcome: Result<StoredFile, Rejection>?
        upload.finish { outcome = $0 }
        rig.takeResults { outcome != nil }
        #expect(failures.map(\.code) == [.limitExceeded])
        #expect(throws: Rejection.self) { try outcome?.get() }
        #expect(rig.names.isEmpty)
    }
}
