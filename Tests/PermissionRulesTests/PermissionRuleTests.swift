import JSONScan
import Testing

@testable import PermissionRules

private let options =
    #"[{"optionId":"y","name":"Reject","kind":"allow_once"},{"optionId":"Y","name":"x","#
    + #""kind":"allow_always"},{"optionId":"n","name":"Allow","kind":"reject_once"}]"#

private func request(
    _ call: String, agent: String = "claude", folder: String? = "/src", options: String = options
) -> RuledRequest {
    RuledRequest(
        agent: agent, folder: folder,
        params: Array(#"{"sessionId":"s","toolCall":\#(call),"options":\#(options)}"#.utf8))
}

private func read(_ path: String, folder: String? = "/src") -> RuledRequest {
    request(#"{"toolCallId":"t","kind":"read","locations":[{"path":"\#(path)"}]}"#, folder: folder)
}

private func execute(_ command: String) -> RuledRequest {
    let text = String(decoding: JSONWriter.scalar(command), as: UTF8.self)
    return request(#"{"toolCallId":"t","kind":"execute","rawInput":{"command":\#(text)}}"#)
}

private func decide(_ rule: PermissionRule, _ request: RuledRequest, isUnattended: Bool = true) -> String? {
    PermissionRules([rule]).decide(request, isUnattended: isUnattended)?.option
}

private func globs(_ texts: String...) throws -> [PathGlob] { try texts.map { try #require(PathGlob($0)) } }

@Suite struct PermissionRuleTests {
    @Test func anOptionIsChosenByItsKindAndNotByItsName() {
        #expect(decide(PermissionRule(.allow), read("/src/a")) == "y")
        #expect(decide(PermissionRule(.reject), read("/src/a")) == "n")
        #expect(decide(PermissionRule(.ask), read("/src/a")) == nil)
    }

    @Test func withoutAnOptionOfTheKindTheRequestStays() {
        let always = #"[{"optionId":"Y","name":"Allow","kind":"allow_always"}]"#
        #expect(decide(PermissionRule(.allow), request("{}", options: always)) == nil)
        let never = #"[{"optionId":"N","name":"No","kind":"reject_always"},{"optionId":"a","kind":1},{}]"#
        #expect(decide(PermissionRule(.reject), request("{}", options: never)) == "N")
        #expect(decide(PermissionRule(.allow), request("{}", options: "7")) == nil)
    }

    @Test func theFirstMatchingRuleCounts() throws {
        let rules = PermissionRules([
            PermissionRule(.ask, paths: try globs("/src/secret/**")), PermissionRule(.allow, kinds: ["read"]),
            PermissionRule(.reject),
        ])
        #expect(rules.decide(read("/src/secret/a"), isUnattended: true) == nil)
        #expect(rules.decide(read("/src/a"), isUnattended: true)?.rule == 2)
        #expect(rules.decide(execute("ls"), isUnattended: true)?.rule == 3)
    }

    @Test func aRuleForUnattendedAgentsLeavesOtherRequests() {
        #expect(decide(PermissionRule(.allow), read("/a"), isUnattended: false) == nil)
        #expect(decide(PermissionRule(.allow, when: .always), read("/a"), isUnattended: false) == "y")
    }

    @Test func agentsAndKindsLimitARule() {
        #expect(decide(PermissionRule(.allow, agents: ["codex"]), read("/a")) == nil)
        #expect(decide(PermissionRule(.allow, agents: ["cla*"]), read("/a")) == "y")
        #expect(decide(PermissionRule(.allow, kinds: ["edit"]), read("/a")) == nil)
        #expect(decide(PermissionRule(.allow, kinds: ["read"]), request("{}")) == nil)
    }

    @Test func aRequestOfVersion2IsUnderstood() {
        let params =
            #"{"sessionId":"s","title":"?","subject":{"type":"command","command":"git status","cwd":"/src"},"#
            + #""options":\#(options)}"#
        let request = RuledRequest(agent: "a", folder: nil, params: Array(params.utf8))
        #expect(decide(PermissionRule(.allow, kinds: ["execute"], commands: [["git", "status"]]), request) == "y")
        let call =
            #"{"options":\#(options),"subject":{"type":"tool_call","toolCall":{"kind":"edit","content":["#
            + #"{"type":"diff","changes":[{"operation":"move","path":"/src/b","oldPath":"/etc/a"}]}]}}}"#
        #expect(RuledRequest(agent: "a", folder: nil, params: Array(call.utf8)).paths == ["/src/b", "/etc/a"])
    }

    @Test(arguments: ["", "x", "[]", #"{"toolCall":1}"#, #"{"omittedBytes":70000}"#])
    func aRequestWithoutFactsMatchesNoConditionOfAnAllowRule(params: String) throws {
        let request = RuledRequest(agent: "a", folder: "/src", params: Array(params.utf8))
        for rule in [
            PermissionRule(.allow, kinds: ["read"]), PermissionRule(.allow, paths: try globs("/**")),
            PermissionRule(.allow, commands: [["ls"]]),
        ] { #expect(!rule.matches(request, isUnattended: true)) }
    }
}

@Suite struct RuledPathTests {
    @Test(arguments: [
        ("/src/**", "/src/a/b.swift", true), ("/src/**", "/src", true), ("/src/**", "/srcs/a", false),
        ("/src/*", "/src/a/b", false), ("/src/*.swift", "/src/a.swift", true), ("/src/**/x", "/src/a/b/x", true),
        ("/src/**/x", "/src/x", true), ("./**", "/src/.git/config", true), ("./**", "a/b", true),
        ("./**", "../etc/passwd", false), ("/src/**", "/src/../etc/passwd", false), ("/src/**", "/src/a/../b", true),
        ("/src/**", "//src//./a", true), ("./a?c", "/src/abc", true), ("/**/**/**/**/y", "/a/a/a/a/a/a/a/x", false),
        ("/**", "file:///src/a", true), ("./**", "file:///src/%2e%2e/x", false), ("/**", "~/x", false),
        ("/**", "", false),
        ("/**", "/..", false),
    ])
    func anAllowRuleMatches(glob: String, path: String, isAllowed: Bool) throws {
        let rule = PermissionRule(.allow, paths: try globs(glob))
        #expect((decide(rule, read(path)) == "y") == isAllowed, "\(path)")
    }

    @Test func everyPathOfARequestMustBeAllowed() throws {
        let call = #"{"kind":"edit","locations":[{"path":"/src/a"}],"rawInput":{"file_path":"/etc/b"}}"#
        #expect(decide(PermissionRule(.allow, paths: try globs("/src/**")), request(call)) == nil)
        #expect(decide(PermissionRule(.reject, paths: try globs("/etc/**")), request(call)) == "n")
    }

    @Test func anUnclearPathIsRejectedAndNotAllowed() throws {
        for path in ["../../x", "~/x"] {
            #expect(decide(PermissionRule(.allow, paths: try globs("/**")), read(path, folder: nil)) == nil)
            #expect(decide(PermissionRule(.reject, paths: try globs("/etc/**")), read(path, folder: nil)) == "n")
        }
        #expect(decide(PermissionRule(.allow, paths: try globs("./**")), read("/src/a", folder: nil)) == nil)
        #expect(decide(PermissionRule(.reject, paths: try globs("./**")), read("/src/a", folder: nil)) == "n")
    }

    @Test func anAskRuleCountsIfOneOfThePathsHasItsPattern() throws {
        let rules = PermissionRules([
            PermissionRule(.ask, paths: try globs("./.env")), PermissionRule(.allow, kinds: ["read"]),
        ])
        let call = #"{"kind":"read","locations":[{"path":"/src/a"},{"path":"/src/.env"}]}"#
        #expect(rules.decide(request(call), isUnattended: true) == nil)
        #expect(rules.decide(read("~/.env"), isUnattended: true) == nil)
        #expect(rules.decide(read("/src/a"), isUnattended: true)?.rule == 2)
    }

    @Test(arguments: [
        (#"["/src/a","/src/b"]"#, "y"), (#"["/src/a","/etc/b"]"#, nil), (#"["/src/a",7]"#, nil),
        (#"{"uri":"/etc/b"}"#, nil), ("7", nil), ("null", "y"),
    ])
    func aPathCanBeAnArrayAndIsUnclearIfItIsNoText(value: String, option: String?) throws {
        for member in ["path", "paths"] {
            let call = #"{"kind":"read","locations":[{"path":"/src/a"}],"rawInput":{"\#(member)":\#(value)}}"#
            #expect(decide(PermissionRule(.allow, paths: try globs("/src/**")), request(call)) == option)
            let rejected = decide(PermissionRule(.reject, paths: try globs("/etc/**")), request(call))
            #expect((rejected == "n") == (option == nil))
        }
    }

    @Test func aRequestThatWasTooLongIsUnclear() throws {
        let long = RuledRequest(
            agent: "a", folder: "/src",
            params: Array(#"{"toolCall":{"toolCallId":"t"},"omittedBytes":70000,"options":\#(options)}"#.utf8))
        for rule in [
            PermissionRule(.reject, paths: try globs("/etc/**")), PermissionRule(.reject, kinds: ["execute"]),
            PermissionRule(.reject, commands: [["rm"]]),
        ] { #expect(decide(rule, long) == "n") }
        #expect(decide(PermissionRule(.reject, agents: ["b"]), long) == nil)
        let edit = RuledRequest(
            agent: "a", folder: "/src",
            params: Array(#"{"toolCall":{"kind":"edit"},"omittedBytes":70000,"options":\#(options)}"#.utf8))
        #expect(decide(PermissionRule(.reject, paths: try globs("/etc/**")), edit) == "n")
        #expect(decide(PermissionRule(.reject, kinds: ["fetch"]), edit) == nil)
        #expect(decide(PermissionRule(.reject, commands: [["rm"]]), edit) == nil)
        #expect(decide(PermissionRule(.allow, kinds: ["edit"]), edit) == "y")
        #expect(decide(PermissionRule(.allow, kinds: ["edit"], paths: try globs("/**")), edit) == nil)
        #expect(decide(PermissionRule(.allow, kinds: ["execute"]), long) == nil)
    }

    @Test func aLocationThatIsATextIsAPath() throws {
        let call = #"{"kind":"read","locations":["/src/a","/etc/b",7]}"#
        #expect(decide(PermissionRule(.allow, paths: try globs("/src/**")), request(call)) == nil)
        #expect(request(call).paths == ["/src/a", "/etc/b", nil])
    }

    @Test func aPathRuleAllowsNoTerminal() throws {
        let call = #"{"kind":"other","locations":[{"path":"/src/a"}],"content":[{"type":"terminal","terminalId":"t"}]}"#
        #expect(decide(PermissionRule(.allow, paths: try globs("/src/**")), request(call)) == nil)
    }

    @Test func aPathRuleAllowsNoCommand() throws {
        let call = #"{"kind":"execute","locations":[{"path":"/src"}],"rawInput":{"command":"ls"}}"#
        #expect(decide(PermissionRule(.allow, paths: try globs("/src/**")), request(call)) == nil)
        #expect(decide(PermissionRule(.allow, paths: try globs("/src/**"), commands: [["ls"]]), request(call)) == "y")
    }

    @Test(arguments: ["src/**", "", "/a/../b", "~/x", "/" + String(repeating: "a/", count: 65)])
    func aWrongGlobIsRefused(text: String) { #expect(PathGlob(text) == nil) }

    @Test func aFolderWithGlobCharactersIsLiteral() throws {
        let rule = PermissionRule(.allow, paths: try globs("./**"))
        #expect(decide(rule, read("/abc/x", folder: "/a*c")) == nil)
        #expect(decide(rule, read("/a*c/x", folder: "/a*c")) == "y")
    }
}

@Suite struct RuledCommandTests {
    private static let rule = PermissionRule(.allow, commands: [["git", "status"], ["ls"]])

    @Test(arguments: [
        ("git status", true), ("git  status --short", true), ("ls 'a b' \"c\"", true), ("git push", false),
        ("gitstatus", false), ("git statusx", false), ("git status; rm -rf /", false), ("ls && rm x", false),
        ("ls | sh", false), ("ls $(rm x)", false), ("ls `rm x`", false), ("ls > /etc/passwd", false),
        ("ls \"$(rm x)\"", false), ("ls\nrm x", false), ("ls 'unfinished", false), ("A=1 ls", false), ("", false),
        ("ls \\; rm", false), ("ls &", false), ("(ls)", false), ("ls *", false), ("'ls' x", true),
    ])
    func aCommandIsAllowedOnlyIfAShellRunsNothingElse(command: String, isAllowed: Bool) {
        #expect((decide(Self.rule, execute(command)) == "y") == isAllowed)
    }

    @Test func aRejectRuleFindsTheProgramsOfAShellInAnyFolder() {
        let call = request(#"{"kind":"execute","rawInput":{"command":["./sh","-c","ls; rm x"]}}"#)
        #expect(decide(PermissionRule(.reject, commands: [["rm"]]), call) == "n")
    }

    @Test(arguments: ["rm -rf x", "cd a && rm b", "ls; rm x", "true | rm", "\"rm\" x", "ls\nrm x"])
    func aRejectRuleFindsEachProgramOfACommand(command: String) {
        #expect(decide(PermissionRule(.reject, commands: [["rm"]]), execute(command)) == "n")
        #expect(decide(PermissionRule(.reject, commands: [["git", "push"]]), execute(command)) == nil)
    }

    @Test(arguments: [
        (#"["bash","-lc","git status"]"#, true), (#"["/bin/sh","-c","git status; rm x"]"#, false),
        (#"["git","status",";rm"]"#, true), (#"["bash","git status"]"#, false), (#"["bash","-c","ls","x"]"#, false),
        (#"["/usr/bin/bash","-c","git status"]"#, true), (#"["./bash","-c","git status"]"#, false),
        (#"["/tmp/sh","-c","git status"]"#, false),
        ("[]", false), (#"["ls",1]"#, false), ("7", false), ("null", false),
    ])
    func anArrayIsOneProgramOrAShell(command: String, isAllowed: Bool) {
        let call = request(#"{"kind":"execute","rawInput":{"command":\#(command)}}"#)
        #expect((decide(Self.rule, call) == "y") == isAllowed)
    }

    @Test func twoCommandsInOneRequestAreNotAllowed() {
        let call = request(#"{"kind":"execute","rawInput":{"command":"ls","cmd":"ls"}}"#)
        #expect(decide(Self.rule, call) == nil)
    }
}

@Suite struct WildcardTests {
    @Test(arguments: [
        ("*", "", true), ("a*b*c", "aXbYc", true), ("a*b", "aXc", false), ("?", "", false), ("?", "é", true),
        ("***a", "bba", true), ("", "", true), ("", "a", false),
    ])
    func aPatternMatches(pattern: String, text: String, isMatch: Bool) {
        #expect(wildcard(pattern, matches: text) == isMatch)
    }
}
