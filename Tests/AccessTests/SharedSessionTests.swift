import JSONScan
import Testing
import Tinyvex

@testable import Access

@Suite struct SharedSessionTests {
    private let session = SharedSession(agent: "codex", sessionId: "s1", journal: "9f03c2aa-16-1")

    private func identity(_ role: Role = .control) -> Identity {
        Identity(who: "token tk_1", role: role, tokenId: "tk_1", session: session)
    }

    private func params(_ text: String) throws -> Parameters { Parameters(try JSONValue(validating: Array(text.utf8))) }

    private func narrowed(_ name: String, _ text: String) throws -> String {
        String(decoding: try identity().narrowed(name, params(text)).canonicalText, as: UTF8.self)
    }

    private static let own = #"{"agent":"codex","journal":"9f03c2aa-16-1","sessionId":"s1"}"#

    /// A new function is closed until someone decides otherwise.
    @Test func onlyFunctionsOfOneSessionAreOpen() throws {
        let open = Catalogue.functions.map(\.name).filter { (try? narrowed($0, "{}")) != nil }
        #expect(
            Set(open) == [
                "sessions:list", "sessions:get", "sessions:search", "permissions:pending", "elicitations:pending",
                "permissions:answer", "elicitations:answer", "sessions:prompt", "sessions:cancel", "sessions:export",
                "sessions:view", "sessions:unqueue",
            ])
    }

    @Test(arguments: [
        "{}", #"{"sessionId":"s1"}"#, #"{"session_id":"s1"}"#, #"{"sessionId":"s1","agent":"codex"}"#,
        #"{"journal":"9f03c2aa-99-1"}"#, #"{"agent":"claude"}"#, #"{"pid":4711}"#, #"{"requests":true}"#,
        #"{"sessionId":null}"#, #"{"sessionId":"s2","sessionId":"s1"}"#, #"{"sessionId":"s1","session_id":"s2"}"#,
    ])
    func everyCallNamesTheTokensSession(text: String) throws {
        #expect(try narrowed("sessions:get", text) == Self.own)
    }

    @Test func otherMembersAreKept() throws {
        let text = try narrowed("sessions:search", #"{"query":"a","limit":3}"#)
        #expect(text == #"{"agent":"codex","journal":"9f03c2aa-16-1","limit":3,"query":"a","sessionId":"s1"}"#)
    }

    @Test(arguments: [
        #"{"sessionId":"s2"}"#, #"{"session_id":"s2"}"#, #"{"sessionId":"s1","agent":"claude"}"#,
        #"{"sessionId":"s1","sessionId":"s2"}"#, #"{"sessionId":1}"#,
    ])
    func anotherSessionIsRefused(text: String) throws {
        #expect((try? narrowed("sessions:get", text)) == nil)
    }

    @Test func aReferenceIsCompletedOrRefused() throws {
        let own = try identity().narrowed(SessionReference(sessionId: "s1"))
        #expect(own == SessionReference(sessionId: "s1", agent: "codex", journal: "9f03c2aa-16-1"))
        #expect((try? identity().narrowed(SessionReference(sessionId: "s2"))) == nil)
        #expect((try? identity().narrowed(SessionReference(sessionId: "s1", agent: "claude"))) == nil)
        let other = SessionReference(sessionId: "s2")
        #expect(try Identity(who: "uid 1", role: .observe).narrowed(other) == other)
    }

    @Test func aTokenForOneSessionIsNoAdmin() {
        #expect(identity(.admin).role == .control)
        #expect((try? TokenOrder(role: .admin, name: nil, lifeSeconds: nil, session: session)) == nil)
    }

    @Test func theFileKeepsTheSession() throws {
        var table = TokenTable()
        let order = try TokenOrder(role: .observe, name: nil, lifeSeconds: 60, session: session)
        let token = try table.issue(order, name: "3f9a01c2", secret: String(repeating: "5f", count: 32), at: 1000)
        let file = table.fileBytes()
        let record = try #require(TokenTable(file: file).record(showing: token.text, at: 2000))
        #expect(record.session == session && record.role == .observe)
        // A bridge that does not know the member must not know the role.
        #expect(String(decoding: file, as: UTF8.self).contains(#""role":"session-observe""#))
    }

    @Test(arguments: [
        (#""role":"session-observe""#, #""role":"observe""#), (#""session":{"#, #""other":{"#),
        (#""agent":"codex""#, #""agent":1"#), (#""role":"session-observe""#, #""role":"session-admin""#),
    ])
    func aDamagedLineAdmitsNoOne(part: String, damage: String) throws {
        var table = TokenTable()
        let order = try TokenOrder(role: .observe, name: nil, lifeSeconds: 60, session: session)
        _ = try table.issue(order, name: "3f9a01c2", secret: String(repeating: "5f", count: 32), at: 1000)
        let text = String(decoding: table.fileBytes(), as: UTF8.self)
        #expect(text.contains(part))
        #expect(TokenTable(file: Array(text.replacing(part, with: damage).utf8)).records.isEmpty)
    }
}
