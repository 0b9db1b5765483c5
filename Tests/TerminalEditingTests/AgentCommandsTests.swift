import JSONScan
import Testing

@testable import TerminalEditing

@Suite struct AgentCommandsTests {
    @Test func onlyNamesThatCanBeTypedAreOffered() throws {
        let list = try JSONValue(
            validating: Array(#"[{"name":"help"},{"name":"two words"},{"name":""},{"name":"a\u001bb"},{}]"#.utf8))
        #expect(AgentCommands.names(list) == ["help"])
        #expect(AgentCommands.names(nil).isEmpty)
    }
}
