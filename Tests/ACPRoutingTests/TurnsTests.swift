import JSONRPC
import JSONScan
import Testing

@testable import ACPRouting

/// Turns of agents of ACP version 2: which reports begin and end them, and what keeps an agent or a prompt waiting.
@Suite struct TurnsTests {
    private static let idle = #","stopReason":"end_turn""#
    private static func answer(_ id: String, _ message: String) -> String {
        #"{"id":"\#(id)","result":{"messageId":"\#(message)"}}"#
    }
    private static func echo(_ message: String) -> String {
        #""sessionUpdate":"user_message","messageId":"\#(message)","content":[]"#
    }

    @Test func theAnswerToInitializeDecidesOnTheVersion() throws {
        var rig = RouterRig()
        rig.editor(#"{"id":1,"method":"initialize","params":{"protocolVersion":2}}"#)
        #expect(rig.router.version == 1)
        try rig.agent(#"{"id":1,"result":{"protocolVersion":1}}"#)
        #expect(rig.router.version == 1)
        rig.editor(#"{"id":2,"method":"initialize","params":{"protocolVersion":2}}"#)
        try rig.agent(#"{"id":2,"result":{"protocolVersion":2}}"#)
        rig.editor(#"{"id":3,"method":"initialize","params":{"protocolVersion":1}}"#)
        try rig.agent(#"{"id":3,"error":{"code":-32022,"message":"no"}}"#)
        #expect(rig.router.version == 2)
    }

    @Test func insertingAPromptDoesNotEndItsTurn() throws {
        var rig = try RouterRig(version: 2)
        rig.editor(#"{"id":7,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}"#)
        try rig.state("s", "running")
        try rig.agent(#"{"id":7,"result":{"messageId":"u"}}"#)
        #expect(rig.router.hasRunningTurn && !rig.router.isReady("s"))
        try rig.state("s", "idle", Self.idle)
        #expect(!rig.router.hasRunningTurn && !rig.router.hasRestingWork && rig.router.isReady("s"))
    }

    @Test(arguments: [
        (#""result":{"stopReason":"refusal"}"#, "refusal"), (#""error":{"code":-32603,"message":"no"}"#, "error"),
        (#""result":{"stopReason":"end_turn"}"#, nil), (#""result":{"stopReason":5}"#, nil), (#""result":[]"#, nil),
        (#""result":{"stopReason":"\#(String(repeating: "x", count: 65))"}"#, nil),
    ]) func theActivityHasTheReasonOfATurnThatDidNotEndWell(answer: String, reason: String?) throws {
        for version in [1, 2] {
            var rig = try RouterRig(version: version)
            rig.editor(#"{"id":7,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}"#)
            let events = try rig.agent(#"{"id":7,\#(answer)}"#)
            #expect(rig.router.activity(of: "s").stopReason == reason)
            #expect(events.contains(.fact(.activityChanged(id: "s"))) == (reason != nil) || version == 2)
            rig.router = try HandOverFormatTests.handedOver(rig.router)
            #expect(rig.router.activity(of: "s").stopReason == reason)
            rig.editor(#"{"id":8,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}"#)
            try rig.agent(#"{"id":8,"result":{"stopReason":"end_turn"}}"#)
            #expect(rig.router.activity(of: "s").stopReason == nil)
        }
    }

    @Test func aReportedTurnHasTheReasonOfItsEnd() throws {
        var rig = try RouterRig(version: 2)
        try rig.state("s", "running")
        let events = try rig.state("s", "idle", #","stopReason":"max_tokens""#)
        #expect(events.contains(.fact(.activityChanged(id: "s"))))
        #expect(rig.router.activity(of: "s").stopReason == "max_tokens")
        try rig.state("s", "idle")
        #expect(rig.router.activity(of: "s").stopReason == "max_tokens", "a repeated idle is a snapshot")
        try rig.state("s", "running")
        try rig.state("s", "idle", Self.idle)
        #expect(rig.router.activity(of: "s").stopReason == nil)
    }

    /// An earlier fault: the first of two prompts under one id was forgotten, so its turn never ended.
    @Test(arguments: [1, 2], [false, true]) func promptsUnderOneIdEachEnd(version: Int, isHandedOver: Bool) throws {
        var rig = try RouterRig(version: version)
        for session in ["s", "t"] {
            rig.editor(#"{"id":7,"method":"session/prompt","params":{"sessionId":"\#(session)","prompt":[]}}"#)
        }
        if isHandedOver {
            rig.router.editorGone()
            rig.router = try HandOverFormatTests.handedOver(rig.router)
        }
        #expect(rig.router.judgesAgent == isHandedOver)
        let answer = #"{"id":7,"result":{"stopReason":"end_turn"}}"#
        func ended(_ session: String) -> RequestRouter.Event {
            .fact(.turnEnded(id: session, outcome: Array(#"{"stopReason":"end_turn"}"#.utf8)))
        }
        #expect(try rig.agent(answer).first == ended("s"))
        #expect(rig.router.hasRunningTurn && !rig.router.isIdle)
        #expect(try rig.agent(answer).first == ended("t"))
        #expect(!rig.router.hasRunningTurn && rig.router.isIdle && !rig.router.judgesAgent)
        #expect(try rig.agent(answer).isEmpty)
    }

    @Test func requestsUnderOneIdFailTogetherWithTheAgent() throws {
        var rig = try RouterRig(version: 1)
        for _ in 1...3 {
            rig.editor(#"{"id":7,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}"#)
        }
        _ = rig.router.agentEnded("gone")
        #expect(rig.router.isIdle)
        #expect(try rig.agent(#"{"id":7,"result":{}}"#).isEmpty)
    }

    @Test func aTurnThatNoPromptCausedKeepsTheAgent() throws {
        var rig = try RouterRig(version: 2)
        try rig.state("s", "requires_action")
        #expect(rig.router.hasRunningTurn && rig.router.activity(of: "s").agentState == "requires_action")
        #expect(throws: ClientRefusal.self) {
            try rig.router.bridgePrompts(
                1, "s", JSONValue(validating: Array("{}".utf8)), by: "ann", queues: false, at: 0)
        }
        try rig.state("s", "idle")
        #expect(!rig.router.hasRunningTurn)
    }

    @Test func aVersion1AgentsStatesAreNotRead() throws {
        var rig = try RouterRig(version: 1)
        try rig.state("s", "running")
        #expect(!rig.router.hasRunningTurn)
    }

    @Test func aPromptEndsWithTheIdleAfterItsMessage() throws {
        var rig = try RouterRig(version: 2)
        let id = try #require(try rig.prompt(1, "s"))
        try rig.update("s", Self.echo("u"))
        try rig.state("s", "running")
        #expect(try rig.agent(Self.answer(id, "u")).answers == [:])
        #expect(
            try rig.state("s", "idle", Self.idle + #","usage":{"totalTokens":5}"#).answers == [
                1: #"{"messageId":"u","stopReason":"end_turn","usage":{"totalTokens":5}}"#
            ])
    }

    @Test func aTurnThatEndsBeforeItsPromptIsAnsweredCounts() throws {
        var rig = try RouterRig(version: 2)
        let id = try #require(try rig.prompt(1, "s"))
        try rig.update("s", Self.echo("u"))
        try rig.state("s", "running")
        try rig.state("s", "idle", Self.idle)
        #expect(rig.router.hasRunningTurn, "the prompt is not answered")
        #expect(try rig.agent(Self.answer(id, "u")).answers == [1: #"{"messageId":"u","stopReason":"end_turn"}"#])
        #expect(!rig.router.hasRunningTurn && rig.router.isReady("s"))
    }

    @Test(arguments: [1, 2])
    func aRemovedPromptIsAnsweredAndNotSent(version: Int) throws {
        var rig = try RouterRig(version: version)
        let id = try #require(try rig.prompt(1, "s"))
        for number in 2...3 { #expect(try rig.prompt(number, "s") == nil) }
        let waiting = try #require(rig.router.queues["s"]?.first)
        let removed = rig.router.unqueue(waiting, in: "s")
        #expect(removed.answers.keys.sorted() == [2])
        #expect(removed.answers[2]?.contains("-32800") == true)
        #expect(removed.promptsSent.isEmpty && rig.router.unqueue(waiting, in: "s").isEmpty)
        let next = try rig.agent(#"{"id":"\#(id)","error":{"code":-32603,"message":"full"}}"#)
        #expect(next.toAgent.count == 1 && next.toAgent.first?.contains(#""number":3"#) == true)
    }

    @Test func theEndOfAnEarlierTurnDoesNotEndAPrompt() throws {
        var rig = try RouterRig(version: 2)
        rig.editor(#"{"id":7,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}"#)
        let queued = try rig.prompt(1, "s")
        #expect(queued == nil)
        try rig.state("s", "running")
        #expect(try rig.agent(#"{"id":7,"result":{"messageId":"a"}}"#).promptsSent == [])
        let id = try #require(try rig.state("s", "idle", Self.idle).promptsSent.first)
        // The agent begins another turn of its own before it inserts the prompt.
        try rig.state("s", "running")
        try rig.agent(Self.answer(id, "b"))
        #expect(rig.router.works["s"].prompts.first?.isInTurn == true, "a turn that began after the prompt was sent")
        #expect(try rig.state("s", "idle", Self.idle).answers.keys.sorted() == [1])
    }

    @Test func aPromptInsertedIntoAnEarlierTurnWaitsForItsMessage() throws {
        var rig = try RouterRig(version: 2)
        // The editor's prompts are sent at once, also during a turn.
        try rig.state("s", "running")
        rig.editor(#"{"id":7,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}"#)
        try rig.agent(#"{"id":7,"result":{"messageId":"a"}}"#)
        try rig.state("s", "idle", Self.idle)
        #expect(!rig.router.isReady("s") && rig.router.hasRestingWork, "the turn of the message has not begun")
        try rig.update("s", Self.echo("a"))
        try rig.state("s", "running")
        try rig.state("s", "idle", Self.idle)
        #expect(rig.router.isReady("s") && !rig.router.hasRestingWork)
    }

    @Test func aRepeatedIdleEndsNothing() throws {
        var rig = try RouterRig(version: 2)
        let id = try #require(try rig.prompt(1, "s"))
        try rig.agent(Self.answer(id, "u"))
        #expect(try rig.state("s", "idle", #","stopReason":"cancelled""#).answers == [:])
        try rig.state("s", "running")
        #expect(try rig.state("s", "idle", Self.idle).answers[1] == #"{"messageId":"u","stopReason":"end_turn"}"#)
        #expect(try rig.state("s", "idle", Self.idle) == [])
    }

    @Test func aPromptThatIsNotInsertedEndsWithItsError() throws {
        var rig = try RouterRig(version: 2)
        let first = try #require(try rig.prompt(1, "s"))
        #expect(try rig.prompt(2, "s") == nil)
        let events = try rig.agent(#"{"id":"\#(first)","error":{"code":-32603,"message":"full"}}"#)
        #expect(events.answers == [1: #"{"code":-32603,"message":"full"}"#])
        #expect(events.promptsSent.count == 1, "the next prompt is sent")
    }

    @Test func anAgentWithoutStatesDoesNotHoldAPromptForEver() throws {
        var rig = try RouterRig(version: 2)
        let id = try #require(try rig.prompt(1, "s"))
        #expect(try rig.prompt(2, "s") == nil)
        try rig.agent(Self.answer(id, "u"))
        #expect(rig.router.hasRestingWork && rig.router.hasLimitsInTime)
        rig.now = 20_000
        try rig.update("s", #""sessionUpdate":"agent_message_chunk","messageId":"m","content":{}"#)
        #expect(rig.router.expire(at: 49_999) == [])
        let events = rig.router.expire(at: 50_000)
        #expect(events.answers == [1: #"{"messageId":"u"}"#])
        #expect(events.promptsSent.count == 1)
        #expect(events.contains(.fact(.turnExpired(id: "s"))))
    }

    @Test func aVersion1AnswerFromAnAgentWithoutStatesEndsThePrompt() throws {
        var rig = try RouterRig(version: 2)
        let id = try #require(try rig.prompt(1, "s"))
        let events = try rig.agent(#"{"id":"\#(id)","result":{"stopReason":"end_turn"}}"#)
        #expect(events.answers == [1: #"{"stopReason":"end_turn"}"#])
        #expect(rig.router.isReady("s") && !rig.router.hasRestingWork)
    }

    @Test func backgroundWorkKeepsTheAgentAndDoesNotHoldPrompts() throws {
        var rig = try RouterRig(version: 2)
        try rig.state("s", "running")
        try rig.state("s", "idle", #","background":[{"type":"terminal","terminalId":"t"}]"#)
        #expect(rig.router.hasRestingWork && !rig.router.hasRunningTurn && rig.router.isReady("s"))
        #expect(rig.router.activity(of: "s").backgroundCount == 1 && rig.router.activity(of: "s").isBusy)
        try rig.state("s", "idle")
        #expect(rig.router.hasRestingWork, "no list is not an empty list")
        try rig.state("s", "idle", #","background":[]"#)
        #expect(!rig.router.hasRestingWork)
    }

    @Test(arguments: [
        (
            #"{"type":"terminal","terminalId":"x"}"#,
            #""sessionUpdate":"terminal_update","terminalId":"x","exitStatus":{}"#
        ),
        (
            #"{"type":"tool_call","toolCallId":"x"}"#,
            #""sessionUpdate":"tool_call_update","toolCallId":"x","status":"failed""#
        ),
        (
            #"{"type":"subagent","sessionId":"x"}"#,
            #""sessionUpdate":"subagent_update","sessionId":"x","state":{"state":"idle"}"#
        ),
    ])
    func aBackgroundItemEndsByItsOwnReport(item: String, end: String) throws {
        var rig = try RouterRig(version: 2)
        try rig.state("s", "idle", #","background":[\#(item)]"#)
        #expect(rig.router.hasRestingWork)
        try rig.update("s", #""sessionUpdate":"terminal_update","terminalId":"x","exitStatus":null"#)
        try rig.update("s", #""sessionUpdate":"tool_call_update","toolCallId":"x","status":"in_progress""#)
        #expect(rig.router.hasRestingWork)
        try rig.update("s", end)
        #expect(!rig.router.hasRestingWork)
    }

    @Test func anUnknownBackgroundItemEndsWithTheNextList() throws {
        var rig = try RouterRig(version: 2)
        try rig.state("s", "idle", #","background":[{"type":"_cloud","job":1}]"#)
        #expect(rig.router.hasRestingWork)
        try rig.state("s", "idle", #","background":[]"#)
        #expect(!rig.router.hasRestingWork)
    }

    @Test(arguments: ["unknown", "_dreaming"])
    func anUnknownStateKeepsTheAgentAndEndsNoTurn(state: String) throws {
        var rig = try RouterRig(version: 2)
        try rig.state("s", state)
        #expect(rig.router.hasRestingWork && !rig.router.hasRunningTurn && rig.router.isReady("s"))
        try rig.state("s", "running")
        try rig.state("s", state)
        #expect(rig.router.hasRestingWork && !rig.router.hasRunningTurn && !rig.router.isReady("s"))
        try rig.state("s", "idle", Self.idle)
        #expect(!rig.router.hasRestingWork && rig.router.isReady("s"))
    }

    @Test func anOpenRequestKeepsTheAgent() throws {
        var rig = try RouterRig(version: 2)
        try rig.agent(
            #"{"id":1,"method":"session/request_permission","params":{"sessionId":"s","title":"x","options":[]}}"#)
        #expect(rig.router.hasRunningTurn && rig.router.isReady("s"))
        rig.editor(#"{"id":1,"result":{"outcome":{"outcome":"cancelled"}}}"#)
        #expect(!rig.router.hasRunningTurn)
    }

    @Test func aRepeatedHistoryEndsNoTurn() throws {
        var rig = try RouterRig(version: 2)
        rig.editor(#"{"id":1,"method":"session/load","params":{"sessionId":"s","cwd":"/"}}"#)
        try rig.state("s", "running")
        #expect(try rig.state("s", "idle", Self.idle).answers.isEmpty)
        try rig.state("s", "running")
        try rig.agent(#"{"id":1,"result":{}}"#)
        #expect(rig.router.hasRunningTurn, "the last state is the current one")
        try rig.state("s", "idle", Self.idle)
        #expect(!rig.router.hasRunningTurn)
    }

    @Test func promptsThatWaitForTheirTurnFailWithTheAgent() throws {
        var rig = try RouterRig(version: 2)
        let id = try #require(try rig.prompt(1, "s"))
        try rig.agent(Self.answer(id, "u"))
        try rig.state("s", "running")
        #expect(rig.router.agentEnded("it crashed").answers == [1: #"{"code":-32603,"message":"it crashed"}"#])
        #expect(!rig.router.hasRunningTurn && !rig.router.hasRestingWork)
    }

    @Test func onlyUpdatesOfInterestAreRead() throws {
        var rig = try RouterRig(version: 1)
        let kinds = [
            "subagent_update", "state_update", "user_message", "terminal_update", "tool_call_update",
            "agent_message_chunk",
        ]
        func read() -> [String] {
            kinds.filter { rig.router.updateInterest.includes(Array("\"\($0)\"".utf8).span) }
        }
        #expect(read() == ["subagent_update"])
        rig = try RouterRig(version: 2)
        #expect(read() == ["subagent_update", "state_update"])
        try rig.state("s", "idle", #","background":[{"type":"terminal","terminalId":"t"}]"#)
        #expect(read() == ["subagent_update", "state_update", "terminal_update", "tool_call_update"])
        let id = try #require(try rig.prompt(1, "s"))
        #expect(read() == ["subagent_update", "state_update", "user_message", "terminal_update", "tool_call_update"])
        try rig.agent(Self.answer(id, "u"))
        #expect(read() == kinds)
    }
}
