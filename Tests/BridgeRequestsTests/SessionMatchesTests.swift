import CommandContext
import JSONScan
import Testing
import TinyvexSync

@testable import BridgeRequests

@Suite struct SessionMatchesTests {
    private func session(
        _ agent: String, _ id: String, state: String, journal: String, _ more: String = ""
    ) throws -> ListedSession {
        let json = #"{"sessionId":"\#(id)","agent":"\#(agent)","state":"\#(state)","journal":"\#(journal)"\#(more)}"#
        return try #require(ListedSession(JSONValue(validating: Array(json.utf8))))
    }

    @Test func withoutAMatchNoSessionIsSelected() throws { #expect(try SessionMatches().only("x") == nil) }

    @Test func theRunningIncarnationIsSelectedAmongSeveral() throws {
        var matches = SessionMatches()
        matches.add(try session("a", "x", state: "ended", journal: "newer"))
        matches.add(try session("a", "x", state: "idle", journal: "older"))
        #expect(try matches.only("x")?.journal == "older")
    }

    @Test func withoutARunningIncarnationTheNewestIsSelected() throws {
        var matches = SessionMatches()
        matches.add(try session("a", "x", state: "ended", journal: "newer"))
        matches.add(try session("a", "x", state: "ended", journal: "older"))
        #expect(try matches.only("x")?.journal == "newer")
    }

    @Test func theTableOfMatchesHasTheStatesOfTheListOfSessions() throws {
        var matches = SessionMatches()
        matches.add(try session("a", "x", state: "running", journal: "1"))
        matches.add(try session("b", "x", state: "running", journal: "2"))
        let request = try JSONValue(validating: Array(#"{"agent":"a","sessionId":"x"}"#.utf8))
        let failure = #expect(throws: Failure.self) { try matches.only("x", PendingCounts(rows: [request])) }
        let lines = try #require(failure?.message.text.split(separator: "\n"))
        #expect(lines.contains { $0.contains("a:x") && $0.contains("waiting") })
        #expect(lines.contains { $0.contains("b:x") && $0.contains("running") })
    }

    @Test(arguments: [
        (#","journal":"9f03c2aa-1-1""#, [1, 0, 0]), (#","journal":"9f03c2aa-1-2""#, [1, 0, 0]),
        (#","journal":"7b03c2aa-1-1","bridge":"north""#, [0, 1, 0]), (#","journal":"""#, [1, 0, 1]),
    ])
    func aRequestCountsForItsOwnSessionAlone(request: String, counts: [Int]) throws {
        let sessions = try [
            session("a", "x", state: "running", journal: "9f03c2aa-1-1"),
            session("a", "x", state: "running", journal: "7b03c2aa-1-1", #","bridge":"north""#),
            session("a", "x", state: "running", journal: "9f03c2aa-2-1"),
        ]
        let row = try JSONValue(validating: Array(#"{"agent":"a","sessionId":"x"\#(request)}"#.utf8))
        let pending = PendingCounts(rows: [row])
        #expect(sessions.map { pending[$0] } == counts)
    }

    /// An earlier fault: a session that was chosen in a list was named by its id, and the bridge refused that.
    @Test func onlySessionsThatShareAnIdAreNamedByTheirJournals() throws {
        let sessions = try [
            session("a", "x", state: "running", journal: "9f03c2aa-1-1"),
            session("a", "x", state: "running", journal: "9f03c2aa-2-1"),
            session("b", "x", state: "running", journal: "9f03c2aa-3-1"),
        ].namingIncarnations
        #expect(
            sessions.map { String(decoding: $0.arguments(), as: UTF8.self) } == [
                #"{"agent":"a","journal":"9f03c2aa-1-1","sessionId":"x"}"#,
                #"{"agent":"a","journal":"9f03c2aa-2-1","sessionId":"x"}"#, #"{"agent":"b","sessionId":"x"}"#,
            ])
    }

    @Test func sessionsOfSeveralAgentsAreListedWithTheirAgents() throws {
        var matches = SessionMatches()
        matches.add(try session("a", "x", state: "idle", journal: "1"))
        matches.add(try session("b", "x", state: "idle", journal: "2"))
        let failure = #expect(throws: Failure.self) { try matches.only("x") }
        let text = try #require(failure?.message.text)
        #expect(
            text.hasPrefix(
                "'x' matches 2 sessions; give a name of the first column in place of 'x', for example 'a:x':\n"))
        #expect(text.contains("a:x") && text.contains("b:x"))
        #expect(failure?.status == Failure.unknownSession)
    }

    @Test func incarnationsOfOneIdAreToldApartByFolderAndTime() throws {
        var matches = SessionMatches()
        matches.add(
            try session(
                "a", "x", state: "idle", journal: "9f03c2aa-2-1", #","cwd":"/w/new","createdTs":60000,"lastTs":110000"#)
        )
        matches.add(
            try session(
                "a", "x", state: "running", journal: "9f03c2aa-1-1", #","cwd":"/w/old","createdTs":0,"lastTs":119000"#))
        let failure = #expect(throws: Failure.self) { try matches.only("x", now: 120_000) }
        let lines = try #require(failure?.message.text.split(separator: "\n").map(String.init))
        #expect(lines.first?.hasSuffix("for example '9f03c2aa-2-1':") == true)
        #expect(
            lines.dropFirst().first?.split(separator: " ") == [
                "NAME", "AGENT", "STATE", "BEGAN", "WHEN", "FOLDER", "TITLE",
            ])
        #expect(
            lines.dropFirst(2).map { $0.split(separator: " ").joined(separator: " ") } == [
                "9f03c2aa-2-1 a idle 1m ago 10s ago /w/new", "9f03c2aa-1-1 a running 2m ago 1s ago /w/old",
            ])
    }

    @Test func candidatesOfSeveralBridgesHaveTheirBridges() throws {
        var matches = SessionMatches()
        matches.add(try session("a", "x", state: "idle", journal: "1-1-1"))
        matches.add(try session("a", "x", state: "idle", journal: "2-1-1", #","bridge":"north""#))
        let failure = #expect(throws: Failure.self) { try matches.only("x") }
        let text = try #require(failure?.message.text)
        #expect(text.contains("BRIDGE") && text.contains("this one") && text.contains("north"))
    }

    @Test func theListOfSeveralSessionsIsAligned() throws {
        var matches = SessionMatches()
        matches.add(try session("a", "x", state: "idle", journal: "1"))
        matches.add(try session("longer", "x", state: "idle", journal: "2"))
        let failure = #expect(throws: Failure.self) { try matches.only("x") }
        let lines = try #require(failure?.message.text).split(separator: "\n").dropFirst()
        let columns = lines.compactMap { $0.firstRange(of: "idle")?.lowerBound.utf16Offset(in: $0) }
        #expect(columns.count == 2 && Set(columns).count == 1)
    }
}

@Suite struct BridgeFailureTests {
    @Test(arguments: [
        (true, "the bridge rejected the token"), (false, "the bridge requires a token: use --token-file FILE"),
    ])
    func anUnauthorizedErrorNamesTheTokenToUse(showsToken: Bool, text: String) {
        let failure = BridgeFailure(error: .unauthorized, endpoint: .unix(path: "/b"), showsToken: showsToken)
        #expect(failure.description.hasPrefix(text))
    }
}
