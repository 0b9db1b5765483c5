import Glibc
import TestSupport
import Testing

@testable import EventLoop
@testable import Posix

@Suite(.serialized) struct FolderWatchTests {
    init() { LoopThread.start }

    /// Reports the events that the kernel has queued for all watched descriptors.
    @LoopActor private func deliverEvents(of loop: ManualLoop) {
        for fd in loop.watched {
            var request = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
            if poll(&request, 1, 0) == 1 { loop.report(.readable, of: fd) }
        }
    }

    private func createFile(_ path: String) { fclose(fopen(path, "w")) }

    @Test @LoopActor func aDeletedNameIsReportedAndANewOneIsNot() throws {
        let (folder, loop, losses) = (TemporaryFolder(), ManualLoop(), Box(0))
        let watch = try FolderWatch(folder.path, poller: loop) { losses.value += 1 }
        createFile(folder.path + "/a")
        deliverEvents(of: loop)
        #expect(losses.value == 0)
        unlink(folder.path + "/a")
        deliverEvents(of: loop)
        #expect(losses.value == 1)
        watch.close()
    }

    @Test @LoopActor func namesThatDisappearTogetherCauseOneCall() throws {
        let (folder, loop, losses) = (TemporaryFolder(), ManualLoop(), Box(0))
        for name in ["/a", "/b", "/c"] { createFile(folder.path + name) }
        let watch = try FolderWatch(folder.path, poller: loop) { losses.value += 1 }
        for name in ["/a", "/b"] { unlink(folder.path + name) }
        rename(folder.path + "/c", folder.path + ".c")
        deliverEvents(of: loop)
        #expect(losses.value == 1)
        deliverEvents(of: loop)
        #expect(losses.value == 1)
        unlink(folder.path + ".c")
        watch.close()
    }

    @Test @LoopActor func aClosedWatchIsNotPolled() throws {
        let (folder, loop) = (TemporaryFolder(), ManualLoop())
        let watch = try FolderWatch(folder.path, poller: loop) {}
        #expect(loop.watched.count == 1)
        watch.close()
        #expect(loop.watched.isEmpty)
    }

    @Test @LoopActor func aMissingFolderCannotBeWatched() {
        #expect(throws: SystemError.self) { try FolderWatch("/nonexistent/folder", poller: ManualLoop()) {} }
    }
}
