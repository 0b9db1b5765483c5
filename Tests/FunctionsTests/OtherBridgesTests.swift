import JSONRPC
import JSONScan
import LiveQueries
import Testing
import Tinyvex

@testable import Functions

@Suite struct OtherBridgesTests {
    private func repeated(_ outcome: QueryOutcome, limitBytes: Int = 1_000) -> QueryOutcome? {
        ForwardedOutcome(text: ForwardedOutcome(outcome).text(limitBytes: limitBytes))?.outcome
    }

    @Test func aResultArrivesWithItsOwnBytes() throws {
        let value = Array(#"{"stopReason" : "end_turn","n":1.50}"#.utf8)
        #expect(try repeated(.success(value))?.get() == value)
    }

    @Test(arguments: [
        Rejection(.sessionNotFound, "no session \"s\""), Rejection(ErrorCode(rawValue: -32_000), "log in\nfirst"),
        Rejection(.readOnly, "no", rpcCode: .invalidRequest),
    ])
    func anErrorArrivesWithItsCodes(rejection: Rejection) {
        #expect(repeated(.failure(rejection)) == .failure(rejection))
    }

    @Test func aResultThatIsTooLongBecomesAnErrorThatFits() {
        let value = Array("\"\(String(repeating: "x", count: 300))\"".utf8)
        let text = ForwardedOutcome(.success(value)).text(limitBytes: 300)
        #expect(text.count <= 300)
        guard case .failure(let rejection) = ForwardedOutcome(text: text)?.outcome else {
            return #expect(Bool(false), "it is no error")
        }
        #expect(rejection.code == .mutationFailed)
    }

    @Test(arguments: ["", "[]", "{}", #"{"error":{}}"#, #"{"error":{"rpcCode":"x","message":"m"}}"#, #"{"value":"#])
    func otherTextsAreNoOutcome(text: String) { #expect(ForwardedOutcome(text: Array(text.utf8)) == nil) }

    @Test func linksFilesAndTheBridgeItselfAreNotForwarded() {
        let forwarded = Catalogue.functions.filter { ForwardedCall.isForwardable($0.kind, $0.name) }.map(\.name)
        #expect(
            forwarded.sorted() == [
                "agents:stop", "elicitations:answer", "permissions:answer", "sessions:archive", "sessions:cancel",
                "sessions:close", "sessions:delete", "sessions:prompt", "sessions:resume", "sessions:setTags",
                "sessions:setTitle",
                "sessions:unqueue",
            ])
        #expect(!ForwardedCall.isForwardable(.action, "sessions:delete"))
    }

    // MARK: Open requests

    private func rows(_ body: String, _ kind: PendingList = .permissions) -> [PendingRow] {
        RequestsOfOthers(sid: 1 << 62, sessionId: "s", bridge: "b", body: Array(body.utf8)).rows(kind)
    }

    @Test func aRowOfAnotherBridgeNamesIt() throws {
        let row = #"{"sessionId":"s","agent":"a","journal":"j","requestId":7,"askedTs":5,"params":{"x":1}}"#
        let found = rows(#"{"permissions":[\#(row)],"elicitations":[]}"#)
        let only = try #require(found.first)
        #expect(found.count == 1 && only.agent == "a" && only.journal == "j")
        let text = String(decoding: only.json(), as: UTF8.self)
        #expect(text == String(row.dropLast()) + #","bridge":"b"}"#)
        #expect(rows(#"{"permissions":[\#(row)],"elicitations":[]}"#, .elicitations).isEmpty)
    }

    @Test(arguments: [
        #"{"sessionId":"other","agent":"a","requestId":7,"askedTs":5}"#, #"{"agent":"a","requestId":7,"askedTs":5}"#,
        #"{"sessionId":"s","agent":"a","requestId":7}"#, #"{"sessionId":"s","requestId":7,"askedTs":5}"#, "7",
    ])
    func aRowOfAnotherSessionOrWithoutItsMembersIsLeftOut(row: String) {
        #expect(rows(#"{"permissions":[\#(row)]}"#).isEmpty)
    }

    @Test(arguments: ["", "[]", #"{"permissions":7}"#])
    func otherBodiesHaveNoRows(body: String) { #expect(rows(body).isEmpty) }

    @Test func anotherBridgeCannotNameABridgeOrGiveACursor() {
        let row = #"{"sessionId":"s","agent":"a","requestId":7,"askedTs":5,"bridge":"x","nextCursor":"1.2.3"}"#
        let text = rows(#"{"permissions":[\#(row)]}"#).first.map { String(decoding: $0.json(), as: UTF8.self) }
        #expect(text == #"{"sessionId":"s","agent":"a","requestId":7,"askedTs":5,"bridge":"b"}"#)
    }
}
