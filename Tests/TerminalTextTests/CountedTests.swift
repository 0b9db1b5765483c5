import TerminalText
import Testing

@Suite struct CountedTests {
    @Test func aCountHasItsNounInTheRightNumber() {
        #expect([0, 1, 2].map { counted($0, "session") } == ["0 sessions", "1 session", "2 sessions"])
        #expect([1, 2].map { counted($0, "process", plural: "processes") } == ["1 process", "2 processes"])
    }
}
