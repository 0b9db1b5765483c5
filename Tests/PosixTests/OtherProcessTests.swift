import Glibc
import Testing

@testable import Posix

@Suite struct OtherProcessTests {
    @Test func writingIsWork() throws {
        let process = OtherProcess(pid: getpid())
        let before = process.work
        #expect(!before.isEmpty)
        let file = Descriptor(owning: open("/dev/null", O_WRONLY | O_CLOEXEC))
        #expect(write(file.raw, "x", 1) == 1)
        #expect(process.work != before)
    }

    @Test func anUnknownProcessHasDoneNothing() {
        let process = OtherProcess(pid: -1)
        #expect(process.work.isEmpty && process.waitingForDisk == nil)
    }
}
