import AgentProcess
import Testing

@testable import LocalBridge

@Suite struct AgentProfileTests {
    private func fault(_ json: String) -> String? {
        do throws(AgentProfile.Fault) {
            _ = try AgentProfile(json: Array(json.utf8))
            return nil
        } catch {
            return error.description
        }
    }

    @Test(arguments: [
        ("{", "it is not valid JSON"), ("{}", #"it has no "name""#),
        (#"{"name":"a"}"#, #"its "command" is not a list of words like ["my-agent", "--acp"]"#),
        (#"{"name":"a","command":["a",1]}"#, #"its "command" is not a list of words like ["my-agent", "--acp"]"#),
        (#"{"name":"a","command":["a"],"env":{"K":1}}"#, #"in its "env", K is not a string"#),
        (
            #"{"name":"a","command":["a"],"passEnv":["K=V"]}"#,
            #"its "passEnv" is not a list of variable names like ["MY_KEY"]"#
        ),
    ])
    func anInvalidProfileIsRejectedWithItsReason(json: String, reason: String) { #expect(fault(json) == reason) }

    @Test func profileVariablesReplaceInheritedOnes() throws {
        let profile = try AgentProfile(json: Array(#"{"name":"a","command":["a"],"env":{"K":"new"}}"#.utf8))
        #expect(profile.title == "a")
        #expect(profile.environment(over: ["K=old", "OTHER=1"]) == ["OTHER=1", "K=new"])
    }
}
