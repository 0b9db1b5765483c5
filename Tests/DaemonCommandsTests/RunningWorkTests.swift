import JSONScan
import TerminalText
import Testing

@testable import DaemonCommands

@Suite struct RunningWorkTests {
    private func work(_ status: String) throws -> RunningWork {
        RunningWork(try JSONValue(validating: Array(status.utf8)))
    }

    @Test func theQuestionCountsAgentsAndTheirTurns() throws {
        let several = try work(#"{"pid":7,"agents":3,"runningTurns":2}"#)
        #expect(
            several.question?.text
                == "3 agents run, with 2 running turns. End them all? Type y to end them, anything else to keep:")
        #expect(several.farewell.text == "The bridge (process 7) and 3 agents have ended.")
        #expect(
            try work(#"{"agents":1}"#).question?.text
                == "1 agent runs. End it? Type y to end it, anything else to keep:")
    }

    @Test func withoutAgentsThereIsNoQuestion() throws {
        let idle = try work(#"{"pid":7,"agents":0,"runningTurns":0}"#)
        #expect(idle.question == nil)
        #expect(idle.farewell.text == "The bridge (process 7) has ended; it ran no agents.")
    }
}
