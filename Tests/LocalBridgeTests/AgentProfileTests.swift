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
        (#"{"name":"a","command":["a"],"limits":[]}"#, #"its "limits" is not an object"#),
        (
            #"{"name":"a","command":["a"],"limits":{"memroy":"1GiB"}}"#,
            #"in its "limits", memroy is unknown; did you mean memory?"#
        ),
        (
            #"{"name":"a","command":["a"],"limits":{"cpu":"much"}}"#,
            #"in its "limits", cpu has the invalid value much"#
        ),
        (#"{"name":"a","command":["a"],"restart":"always"}"#, #"its "restart" is neither "on-failure" nor "no""#),
        (#"{"name":"a","command":["a"],"restart":true}"#, #"its "restart" is neither "on-failure" nor "no""#),
        (#"{"name":"a","command":["a"],"limits":{"files":0}}"#, #"in its "limits", files has the invalid value 0"#),
    ])
    func anInvalidProfileIsRejectedWithItsReason(json: String, reason: String) { #expect(fault(json) == reason) }

    @Test func limitsAreReadFromTextsAndNumbers() throws {
        let json = #"{"name":"a","command":["a"],"limits":{"memory":"1GiB","cpu":"2m","processes":9,"files":"8"}}"#
        let limits = try AgentProfile(json: Array(json.utf8)).limits
        #expect(limits == ProcessLimits(memoryBytes: 1 << 30, cpuSeconds: 120, processes: 9, openFiles: 8))
    }

    @Test(arguments: [(#","restart":"on-failure""#, true), (#","restart":"no""#, false), ("", false)])
    func onlyAProfileThatAsksForItIsRestarted(member: String, restarts: Bool) throws {
        let profile = try AgentProfile(json: Array(#"{"name":"a","command":["a"]\#(member)}"#.utf8))
        #expect(profile.restartsOnFailure == restarts)
    }

    @Test func profileVariablesReplaceInheritedOnes() throws {
        let profile = try AgentProfile(json: Array(#"{"name":"a","command":["a"],"env":{"K":"new"}}"#.utf8))
        #expect(profile.title == "a")
        #expect(profile.environment(over: ["K=old", "OTHER=1"]) == ["OTHER=1", "K=new"])
    }
}
