import JSONScan
import Testing

@testable import ACPRouting

/// Sessions that an agent can give up, because nothing happens in them.
@Suite struct IdleSessionTests {
    private static let permission =
        #"{"id":0,"method":"session/request_permission","params":{"sessionId":"s","options":[{"optionId":"y"}]}}"#

    @Test(arguments: [1, 2]) func anOpenRequestOfTheAgentKeepsItsSession(version: Int) throws {
        var rig = try RouterRig(version: version, hasEditor: false)
        #expect(rig.router.isIdle(in: "s"))
        try rig.agent(Self.permission)
        #expect(!rig.router.isIdle(in: "s") && rig.router.isIdle(in: "t"))
        try rig.agent(#"{"id":1,"method":"_x/ask","params":{}}"#)
        #expect(!rig.router.isIdle(in: "t"), "the request can concern any session")
    }

    @Test func aPromptKeepsItsSessionUntilItsTurnHasEnded() throws {
        var rig = try RouterRig(version: 2, hasEditor: false)
        let id = try #require(try rig.prompt(1, "s"))
        #expect(!rig.router.isIdle(in: "s") && rig.router.isIdle(in: "t"))
        try rig.agent(#"{"id":"\#(id)","result":{"messageId":"u"}}"#)
        #expect(!rig.router.isIdle(in: "s"), "the turn has not begun")
        try rig.update("s", #""sessionUpdate":"user_message","messageId":"u""#)
        try rig.state("s", "running")
        try rig.state("s", "idle")
        #expect(rig.router.isIdle(in: "s"))
    }

    @Test func backgroundWorkAndChildrenKeepASession() throws {
        var rig = try RouterRig(version: 2, hasEditor: false)
        try rig.state("s", "idle", #","background":[{"type":"terminal","terminalId":"t"}]"#)
        #expect(!rig.router.isIdle(in: "s"))
        try rig.state("s", "idle", #","background":[]"#)
        #expect(rig.router.isIdle(in: "s"))
        try rig.update("s", #""sessionUpdate":"subagent_update","sessionId":"c","title":"C""#)
        try rig.state("c", "running")
        #expect(!rig.router.isIdle(in: "s"))
        try rig.state("c", "idle")
        #expect(rig.router.isIdle(in: "s"))
    }

    @Test func aRequestWithoutAnAnswerKeepsItsSession() throws {
        var rig = try RouterRig(version: 1, hasEditor: false)
        let mode = try JSONValue(validating: Array(#"{"sessionId":"s","modeId":"m"}"#.utf8))
        _ = rig.router.bridgeRequests(1, "session/set_mode", mode, by: "ann", at: 0)
        #expect(!rig.router.isIdle(in: "s") && rig.router.isIdle(in: "t"))
        _ = rig.router.bridgeRequests(2, "session/list", nil, by: "ann", at: 0)
        #expect(!rig.router.isIdle(in: "t"))
    }

    @Test func aClientFollowsTheSessionsThatItHasJoined() throws {
        var rig = try RouterRig(version: 1, hasEditor: false)
        rig.router.clientAttached(1, name: "ann")
        #expect(!rig.router.isFollowed("s"))
        _ = rig.router.clientJoined(1, session: "s")
        #expect(rig.router.isFollowed("s") && !rig.router.isFollowed("t"))
        _ = rig.router.clientTookOver(1)
        #expect(rig.router.isFollowed("t"))
    }
}
