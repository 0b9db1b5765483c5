import Posix
import Testing

@testable import DaemonCommands

@Suite struct ProcessProgressTests {
    private let start = Instant.now

    @Test func aProcessThatWorksIsWaitedForWithoutALimit() {
        var progress = ProcessProgress(at: start)
        for second in 0..<3_600 {
            let work = Array("\(second / 19)".utf8)
            #expect(progress.noted(work, at: start + .seconds(second)) == true)
        }
    }

    @Test func aProcessWithoutProgressIsGivenUp() {
        var progress = ProcessProgress(at: start)
        #expect(progress.noted([1], at: start + .seconds(19)) == true)
        #expect(progress.noted([1], at: start + .seconds(38)) == true)
        #expect(progress.noted([1], at: start + .seconds(39)) == false, "20 s after the last change")
    }

    @Test func aProcessThatCannotBeReadIsGivenUp() {
        var progress = ProcessProgress(at: start)
        #expect(progress.noted([], at: start) == true)
        #expect(progress.noted([], at: start + .seconds(20)) == false)
    }
}
