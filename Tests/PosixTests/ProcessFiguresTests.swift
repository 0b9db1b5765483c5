import Glibc
import Posix
import Testing

@Suite struct ProcessFiguresTests {
    @Test func eachFigureIsRead() throws {
        let figures = ProcessFigures.read()
        #expect(try #require(figures.processorTime) > 0)
        #expect(try #require(figures.residentBytes) > 1 << 20)
        #expect(try #require(figures.virtualBytes) >= #require(figures.residentBytes))
        #expect(try #require(figures.openDescriptors) >= 3)
        #expect(try #require(figures.descriptorLimit) > 3)
        #expect(try #require(figures.threads) >= 1)
    }

    @Test func theStartIsBeforeNowAndDoesNotChange() throws {
        let start = try #require(ProcessFigures.read().startTime)
        let now = wallClockMilliseconds() * 1_000_000
        #expect(start <= now && start > now - 86_400_000_000_000)
    }

    @Test func anOpenDescriptorIsCounted() throws {
        // Other tests of this process open descriptors, too, so many are opened here.
        let before = try #require(ProcessFigures.read().openDescriptors)
        let opened = (0..<200).map { _ in open("/dev/null", O_RDONLY | O_CLOEXEC) }
        defer { for fd in opened where fd >= 0 { close(fd) } }
        #expect(try #require(ProcessFigures.read().openDescriptors) > before + 100)
    }
}
