import ACP
import Testing

#if TINYVEX_PORTABLE
    @testable import TinyvexClientPortable
#else
    @testable import TinyvexClient
#endif

/// The typed arguments of functions, and the rows that they are made from.
@Suite struct ArgumentTests {
    private func text(_ arguments: some Encodable) throws -> String {
        String(decoding: try ModelCoding.text(arguments), as: UTF8.self)
    }

    private func row<Row: Decodable>(_ type: Row.Type, _ text: String) throws -> Row {
        try ModelCoding.value(type, from: Array(text.utf8)[...])
    }

    private func permission(journal: String, bridge: String? = nil) throws -> PermissionRow {
        let bridge = bridge.map { #","bridge":"\#($0)""# } ?? ""
        return try row(
            PermissionRow.self,
            #"{"sessionId":"s","agent":"demo","journal":"\#(journal)","requestId":0,"askedTs":1,"params":{}\#(bridge)}"#
        )
    }

    @Test func anAnswerNamesTheIncarnationThatAsked() throws {
        let row = try permission(journal: "9f03c2aa-1-1", bridge: "laptop")
        #expect(
            try text(PermissionAnswer(to: row, optionId: "a"))
                == #"{"agent":"demo","journal":"9f03c2aa-1-1","outcome":{"optionId":"a","outcome":"selected"},"requestId":0,"#
                + #""sessionId":"s"}"#)
    }

    @Test func anAnswerToASessionThatIsNotStoredHasNoJournal() throws {
        #expect(try PermissionAnswer(to: permission(journal: ""), .cancelled).journal == nil)
    }

    @Test func requestsOfTwoBridgesOrIncarnationsAreDifferentRows() throws {
        let rows = [
            try permission(journal: "a-1-1"), try permission(journal: "b-1-1"),
            try permission(journal: "a-1-1", bridge: "laptop"),
        ]
        #expect(Set(rows.map(\.id)).count == 3)
    }

    private func elicitation(_ asker: String) throws -> ElicitationRow {
        try row(ElicitationRow.self, #"{\#(asker),"agent":"demo","requestId":"e","createdTs":1}"#)
    }

    @Test func anElicitationIsAnsweredWithTheFieldsOfItsForm() throws {
        let row = try elicitation(#""sessionId":"s","journal":"j-1-1""#)
        #expect(
            try text(ElicitationAnswer(to: row, .accept, content: ["branch": .string("main")]))
                == #"{"action":"accept","agent":"demo","content":{"branch":"main"},"journal":"j-1-1","requestId":"e","#
                + #""sessionId":"s"}"#)
    }

    @Test func anElicitationWithoutASessionIsNamedByItsProcess() throws {
        let row = try elicitation(#""pid":7"#)
        #expect(try text(ElicitationAnswer(to: row, .decline)) == #"{"action":"decline","pid":7,"requestId":"e"}"#)
        #expect(try row.id != elicitation(#""pid":8"#).id)
    }

    @Test func aWaitingPromptIsNamedByItsTimeInMilliseconds() throws {
        let details = try row(SessionDetails.self, Self.details(queuedTs: "1763697600123"))
        let prompt = try #require(details.queue.first)
        #expect(
            try text(SessionUnqueue(prompt, of: details))
                == #"{"agent":"a","journal":"j-1-1","queuedTs":1763697600123,"sessionId":"s"}"#)
    }

    @Test func aTimeBeyondAllClocksIsSent() throws {
        let details = try row(SessionDetails.self, Self.details(queuedTs: "1e300"))
        let prompt = try #require(details.queue.first)
        #expect(SessionUnqueue(prompt, of: details).queuedTs == .max)
    }

    @Test func aPromptForARowReachesThatIncarnation() throws {
        let session = try row(
            SessionRow.self,
            #"""
            {"sessionId":"s","agent":"a","tags":[],"archived":false,"createdTs":1,"lastTs":2,"updateCount":0,"live":true,
            "state":"idle","journal":"j-1-1","bridge":"laptop"}
            """#)
        #expect(
            try text(SessionPrompt(to: session, [.text("x")]))
                == #"{"agent":"a","journal":"j-1-1","prompt":[{"text":"x","type":"text"}],"sessionId":"s"}"#)
    }

    private static func details(queuedTs: String) -> String {
        #"""
        {"sessionId":"s","agent":"a","tags":[],"archived":false,"createdTs":1,"lastTs":2,"updateCount":0,"live":true,
        "state":"idle","journal":"j-1-1","lastSeq":0,"turn":{"state":"idle"},"toolCalls":[],"pendingPermissions":[],
        "pendingElicitations":[],"queue":[{"by":"me","queuedTs":\#(queuedTs)}],"omitted":{"toolCalls":0,"contents":0}}
        """#
    }
}
