import JSONCoding
import JSONRPC
import JSONScan
import Testing

@testable import ACPRouting

/// Child sessions: their parents, their requests, and what clients can send them.
@Suite struct ChildSessionsTests {
    private static func announce(_ child: String, _ rest: String = "") -> String {
        #""sessionUpdate":"subagent_update","sessionId":"\#(child)"\#(rest)"#
    }

    @Test(arguments: [1, 2])
    func aChildIsAnnouncedOnce(version: Int) throws {
        var rig = try RouterRig(version: version)
        #expect(try rig.update("s", Self.announce("c")) == [.fact(.childAnnounced(id: "c", parent: "s"))])
        #expect(
            try rig.update("s", Self.announce("c", #","title":"x""#)) == [.fact(.childNamed(id: "c", title: "x"))])
        #expect(
            try rig.update("s", Self.announce("c", #","title":null"#)) == [.fact(.childNamed(id: "c", title: ""))])
        #expect(rig.router.activity(of: "c").parentId == "s" && rig.router.activity(of: "s").parentId == nil)
    }

    /// The child's updates are history until the answer, too.
    @Test(arguments: [(1, "result"), (2, "result"), (1, "error")])
    func aChildAnnouncedInARepeatedHistoryIsRepeatedAsWell(version: Int, answer: String) throws {
        var rig = try RouterRig(version: version)
        let method = version == 1 ? "session/load" : "session/resume"
        rig.editor(
            #"{"id":1,"method":"\#(method)","params":{"sessionId":"s","cwd":"/","replayFrom":{"type":"start"}}}"#)
        #expect(
            try rig.update("s", Self.announce("c")) == [
                .fact(.sessionContinued(id: "c", cwd: nil, replays: true)),
                .fact(.childAnnounced(id: "c", parent: "s")),
            ])
        #expect(
            try rig.update("s", Self.announce("c", #","title":"x""#)) == [.fact(.childNamed(id: "c", title: "x"))])
        #expect(rig.router.isReplaying("c"))
        let events = try rig.agent(#"{"id":1,"\#(answer)":{}}"#)
        #expect(events.contains(.fact(.continuationEnded(id: "c", succeeded: answer == "result"))))
        #expect(!rig.router.isReplaying("c") && !rig.router.updateInterest.contains(.replays))
    }

    @Test func aChildKeepsItsParentAndCannotBeItsOwnAncestor() throws {
        var rig = try RouterRig(version: 2)
        try rig.update("s", Self.announce("c"))
        try rig.update("c", Self.announce("d"))
        #expect(try rig.update("t", Self.announce("c")) == [])
        #expect(try rig.update("d", Self.announce("s")) == [])
        #expect(try rig.update("e", Self.announce("e")) == [])
        #expect(rig.router.children.ancestors(of: "d") == ["c", "s"])
        #expect(Set(rig.router.children.descendants(of: "s")) == ["c", "d"])
    }

    @Test func aClientOfAnAncestorGetsTheChildsUpdates() throws {
        var rig = try RouterRig(version: 2)
        for client in 1...2 { rig.router.clientAttached(client, name: "c\(client)") }
        _ = rig.router.clientJoined(1, session: "s")
        #expect(
            try rig.update("s", Self.announce("c")) == [
                .fact(.childAnnounced(id: "c", parent: "s")),
                .delivery(.childToClient(1, child: "c", parent: "s", isNew: true)),
            ])
        try rig.update("c", Self.announce("b"))
        #expect(
            rig.router.clientJoined(2, session: "s") == [
                .delivery(.childToClient(2, child: "c", parent: "s", isNew: false)),
                .delivery(.childToClient(2, child: "b", parent: "c", isNew: false)),
            ])
    }

    @Test func aBusyChildKeepsTheAgentInBothVersions() throws {
        var rig = try RouterRig(version: 1)
        try rig.update("s", Self.announce("c", #","state":{"state":"running"}"#))
        #expect(rig.router.hasRunningTurn && rig.router.activity(of: "s").isBusy)
        try rig.update("s", Self.announce("c", #","state":{"state":"idle","stopReason":"error"}"#))
        #expect(!rig.router.hasRunningTurn && !rig.router.activity(of: "s").isBusy)
        rig = try RouterRig(version: 2)
        try rig.update("s", Self.announce("c"))
        let events = try rig.state("c", "running")
        #expect(events.contains(.fact(.activityChanged(id: "s"))), "the parent's activity includes its children")
        #expect(rig.router.hasRunningTurn && rig.router.isReady("s"))
    }

    /// With thousands of children, the work of each one must not be looked up again for each of their updates.
    @Test func onlyTheFirstAndTheLastBusyDescendantChangeAnAncestor() throws {
        var rig = try RouterRig(version: 2)
        func changed(_ events: [RequestRouter.Event]) -> Set<String> {
            Set(events.compactMap { if case .fact(.activityChanged(let id)) = $0 { id } else { nil } })
        }
        for (child, parent) in [("a", "s"), ("b", "s"), ("c", "a")] { try rig.update(parent, Self.announce(child)) }
        #expect(changed(try rig.state("c", "running")) == ["c", "a", "s"])
        #expect(changed(try rig.state("b", "running")) == ["b"])
        #expect(changed(try rig.state("c", "idle")) == ["c", "a"])
        #expect(!rig.router.activity(of: "a").isBusy && rig.router.activity(of: "s").isBusy)
        #expect(changed(try rig.state("b", "idle")) == ["b", "s"])
        #expect(!rig.router.activity(of: "s").isBusy)
    }

    @Test func theTurnOfAChildKeepsItsParentBusyUntilItsEnd() throws {
        var rig = try RouterRig(version: 1)
        try rig.update("s", Self.announce("c"))
        rig.editor(#"{"id":1,"method":"session/prompt","params":{"sessionId":"c","prompt":[]}}"#)
        #expect(rig.router.activity(of: "s").isBusy)
        try rig.agent(#"{"id":1,"result":{"stopReason":"end_turn"}}"#)
        #expect(!rig.router.activity(of: "s").isBusy)
    }

    @Test func aBusyChildThatIsAnnouncedLateCountsForAllAncestors() throws {
        var rig = try RouterRig(version: 2)
        try rig.update("a", Self.announce("b"))
        try rig.state("b", "running")
        let events = try rig.update("s", Self.announce("a"))
        #expect(events.contains(.fact(.activityChanged(id: "s"))) && rig.router.activity(of: "s").isBusy)
        try rig.state("b", "idle")
        #expect(!rig.router.activity(of: "s").isBusy)
    }

    @Test func theWorkOfChildrenIsHandedOver() throws {
        var rig = try RouterRig(version: 2)
        for (child, parent) in [("a", "s"), ("b", "a")] { try rig.update(parent, Self.announce(child)) }
        try rig.state("b", "running")
        let text = try JSONTextEncoder().encode(rig.router)
        rig.router = try JSONTextDecoder().decode(RequestRouter.self, from: text)
        #expect(rig.router.activity(of: "s").isBusy)
        try rig.state("b", "idle")
        #expect(!rig.router.activity(of: "s").isBusy && rig.router.children.descendants(of: "s").count == 2)
    }

    @Test func aClosedSessionClosesItsDescendantsOnce() throws {
        var rig = try RouterRig(version: 2)
        for (child, parent) in [("a", "s"), ("b", "a"), ("c", "b")] { try rig.update(parent, Self.announce(child)) }
        rig.editor(#"{"id":1,"method":"session/close","params":{"sessionId":"s"}}"#)
        let events = try rig.agent(#"{"id":1,"result":{}}"#)
        let closed = events.compactMap { if case .fact(.sessionClosed(let id)) = $0 { id } else { nil as String? } }
        #expect(closed == ["c", "b", "a", "s"])
        #expect(rig.router.children.isEmpty)
    }

    @Test func aChildsOwnStateCountsMoreThanItsParentsCopy() throws {
        var rig = try RouterRig(version: 2)
        try rig.update("s", Self.announce("c", #","state":{"state":"running"}"#))
        #expect(rig.router.hasRunningTurn)
        try rig.state("c", "idle", #","stopReason":"end_turn""#)
        try rig.update("s", Self.announce("c", #","state":{"state":"running"}"#))
        #expect(!rig.router.hasRunningTurn)
    }

    /// A client that takes the session over gets it.
    @Test func theStateThatAParentReportsIsKeptUntilTheParentIsLoadedAgain() throws {
        var rig = try RouterRig(version: 1)
        try rig.update("s", Self.announce("c", #","state":{"state":"idle","stopReason":"error"}"#))
        try rig.update("s", Self.announce("c", #","title":"Explorer""#))
        let state = rig.router.reportedState(ofChild: "c").map { String(decoding: $0, as: UTF8.self) }
        #expect(state == #"{"state":"idle","stopReason":"error"}"#)
        rig.editor(#"{"id":1,"method":"session/load","params":{"sessionId":"s","cwd":"/","mcpServers":[]}}"#)
        #expect(rig.router.reportedState(ofChild: "c") == nil)
    }

    @Test func aChildsRequestReachesTheClientsOfEachAncestor() throws {
        var rig = try RouterRig(version: 2, hasEditor: false)
        for client in 1...3 { rig.router.clientAttached(client, name: "c\(client)") }
        _ = rig.router.clientJoined(1, session: "s")
        _ = rig.router.clientJoined(2, session: "t")
        try rig.update("s", Self.announce("c"))
        try rig.update("c", Self.announce("d"))
        let line =
            #"{"id":1,"method":"session/request_permission","params":{"sessionId":"d","title":"x","options":[]}}"#
        let asked = try rig.agent(line)
        #expect(asked.last == .delivery(.toClient(1, Array(line.utf8), session: "d")))
        #expect(asked.count == 2, "the fact and one delivery")
        #expect(
            rig.router.clientJoined(3, session: "s").last == .delivery(.toClient(3, Array(line.utf8), session: "d")))
        let reply = Reply(result: Array(#"{"outcome":{"outcome":"cancelled"}}"#.utf8))
        #expect(try rig.router.clientAnswered(3, RequestID(1), reply).toAgent.count == 1)
    }

    @Test func aChildTakesNoRequests() throws {
        var rig = try RouterRig(version: 2)
        rig.router.clientAttached(1, name: "ann")
        try rig.update("s", Self.announce("c"))
        let params = try JSONValue(validating: Array(#"{"sessionId":"c"}"#.utf8))
        for method in ["session/prompt", "session/set_config_option", "session/close", "session/resume"] {
            #expect(throws: ClientRefusal.self) {
                try rig.router.clientRequested(1, RequestID(1), method, params, at: 0)
            }
        }
        #expect(throws: ClientRefusal.self) {
            try rig.router.bridgePrompts(1, "c", params, by: "ann", queues: true, at: 0)
        }
    }

    @Test func aChildIsCancelledOnlyWithAGrant() throws {
        var rig = try RouterRig(version: 2)
        rig.router.clientAttached(1, name: "ann")
        let params = try JSONValue(validating: Array(#"{"sessionId":"c"}"#.utf8))
        try rig.update("s", Self.announce("c"))
        #expect(rig.router.clientNotified(1, "session/cancel", params, at: 0) == [])
        try rig.update("s", Self.announce("c", #","capabilities":{"cancel":{}}"#))
        #expect(try rig.router.cancel("c", by: "ann", at: 0).toAgent.count == 1)
        rig.editor(#"{"id":4,"method":"session/resume","params":{"sessionId":"s","cwd":"/"}}"#)
        #expect(throws: ClientRefusal.self) { try rig.router.cancel("c", by: "ann", at: 0) }
        try rig.update("s", Self.announce("c", #","capabilities":{"cancel":{}}"#))
        try rig.update("s", Self.announce("c", #","capabilities":null"#))
        #expect(throws: ClientRefusal.self) { try rig.router.cancel("c", by: "ann", at: 0) }
    }

    @Test func aChildEndsWithItsRoot() throws {
        var rig = try RouterRig(version: 2)
        try rig.update("s", Self.announce("c"))
        try rig.update("c", Self.announce("d"))
        try rig.state("d", "running")
        rig.editor(#"{"id":4,"method":"session/close","params":{"sessionId":"s"}}"#)
        let events = try rig.agent(#"{"id":4,"result":{}}"#)
        for id in ["s", "c", "d"] { #expect(events.contains(.fact(.sessionClosed(id: id)))) }
        #expect(rig.router.children.isEmpty && !rig.router.hasRunningTurn)
    }

    @Test func theNumberOfChildrenIsLimited() throws {
        var rig = try RouterRig(version: 1)
        for number in 0..<ChildSessions.limit { try rig.update("s", Self.announce("c\(number)")) }
        #expect(try rig.update("s", Self.announce("more")) == [])
        rig = try RouterRig(version: 1)
        for depth in 0..<ChildSessions.depthLimit { try rig.update("c\(depth)", Self.announce("c\(depth + 1)")) }
        #expect(
            rig.router.children.ancestors(of: "c\(ChildSessions.depthLimit - 1)").count == ChildSessions.depthLimit - 1)
        #expect(!rig.router.children.isChild("c\(ChildSessions.depthLimit)"))
    }
}
