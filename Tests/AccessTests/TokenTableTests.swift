import Hashing
import Testing
import Tinyvex

@testable import Access
@testable import Posix

@Suite struct TokenTableTests {
    private static let secret = String(repeating: "5f", count: 32)

    private func issue(
        _ table: inout TokenTable, _ name: String = "3f9a01c2", role: Role = .observe, life: Int64? = nil,
        at now: Int64 = 1000
    ) throws -> IssuedToken {
        try table.issue(
            TokenOrder(role: role, name: "phone", lifeSeconds: life), name: name, secret: Self.secret, at: now)
    }

    @Test func aTokenIsAcceptedOnlyByItsWholeText() throws {
        var table = TokenTable()
        let token = try issue(&table, role: .control)
        #expect(token.text == "tk_3f9a01c2_" + Self.secret)
        #expect(table.record(showing: token.text, at: 2000) == token.record)
        let others = [
            "", "tk_3f9a01c2", "tk_3f9a01c2_", String(token.text.dropLast()), token.text + "0",
            "tk_3f9a01c3_" + Self.secret, token.record.id + "_" + Self.secret.uppercased(),
        ]
        for other in others { #expect(table.record(showing: other, at: 2000) == nil, "\(other)") }
    }

    @Test func aTokenIsAcceptedUntilItExpires() throws {
        var table = TokenTable()
        let token = try issue(&table, life: 10, at: 1000)
        #expect(table.record(showing: token.text, at: 10_999) != nil)
        #expect(table.record(showing: token.text, at: 11_000) == nil)
        _ = try issue(&table, "00000001", at: 11_000)
        #expect(table.records.map(\.id) == ["tk_00000001"], "the expired token is removed")
    }

    @Test func aRevokedTokenIsRefused() throws {
        var table = TokenTable()
        let token = try issue(&table)
        try table.revoke(token.record.id)
        #expect(table.record(showing: token.text, at: 1000) == nil)
        #expect(throws: Rejection.self) { try table.revoke(token.record.id) }
    }

    @Test func theFileRestoresATokenWithoutContainingItsText() throws {
        var table = TokenTable()
        let token = try issue(&table, role: .admin, life: 60)
        let file = table.fileBytes()
        let text = String(decoding: file, as: UTF8.self)
        #expect(!text.contains(Self.secret))
        #expect(TokenTable(file: file).record(showing: token.text, at: 1000) == token.record)
    }

    @Test(arguments: [
        "no json", "{}", #"{"id":"tk_1","hash":"00","role":"admin","createdTs":1}"#,
        #"{"id":"tk_1","hash":"HASH","role":"root","createdTs":1}"#,
        #"{"id":"tk_1","hash":"HASH","role":"admin","createdTs":1,"expiresTs":"soon"}"#,
    ])
    func anInvalidLineAdmitsNobodyAndIsPreserved(line: String) throws {
        let line = line.replacing("HASH", with: Hexadecimal.text(of: SHA256.digest(of: "tk_1_x".utf8)))
        var table = TokenTable(file: Array((line + "\n").utf8))
        #expect(table.records.isEmpty)
        #expect(table.record(showing: "tk_1_x", at: 0) == nil)
        let token = try issue(&table)
        let again = TokenTable(file: table.fileBytes())
        #expect(again.records == [token.record])
        #expect(again.otherLines == [Array(line.utf8)])
    }

    @Test func theNumberOfTokensIsLimited() throws {
        var table = TokenTable()
        for number in 0..<TokenTable.limit { _ = try issue(&table, String(number)) }
        do throws(Rejection) {
            _ = try table.issue(
                TokenOrder(role: .observe, name: nil, lifeSeconds: nil), name: "x", secret: "y", at: 0)
            Issue.record("the token was issued")
        } catch {
            #expect(error.code == .limitExceeded)
        }
    }

    @Test(arguments: ["", String(repeating: "n", count: 101), "a\nb", "a\u{7f}", "\u{9b}1m"])
    func aNameThatDoesNotFitALineIsRefused(name: String) {
        #expect(throws: Rejection.self) { try TokenOrder(role: .observe, name: name, lifeSeconds: nil) }
    }

    @Test(arguments: [0, -1, Int64.max, TokenOrder.longestLifeSeconds + 1])
    func anInvalidLifetimeIsRefused(life: Int64) {
        #expect(throws: Rejection.self) { try TokenOrder(role: .observe, name: nil, lifeSeconds: life) }
    }
}
