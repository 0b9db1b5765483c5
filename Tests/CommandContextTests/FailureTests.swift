import CommandContext
import Testing

@Suite struct FailureTests {
    @Test func aFailureInsideAnotherMessageIsItsMessage() {
        #expect("\(Failure(message: "no session has ended yet", status: 3) as any Error)" == "no session has ended yet")
    }
}
