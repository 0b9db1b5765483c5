import JSONRPC
import JSONScan
import LiveQueries
import SessionRecords
import Testing
import Tinyvex

@testable import ACPRouting
@testable import Agents
@testable import FieldLimits
@testable import Functions
@testable import SessionFolding
@testable import SessionStreams

/// The amount of data that agents, editors and clients can make a bridge keep and list, with hostile sizes.
@Suite struct FieldLimitTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func agent(_ router: inout RequestRouter, _ line: String) throws -> [RequestRouter.Event] {
        try router.agentWrote(bytes(line).span, scanEnvelope(bytes(line).span))
    }

    private func isWithheld(_ line: String, _ isWithheld: (Span<UInt8>, Envelope) -> Bool) -> Bool {
        MessageArray.verdict(on: bytes(line).span, withholding: isWithheld) == .withheld
    }

    private let giant = String(repeating: "x", count: 1 << 20)
    /// One `Character` with a million scalars.
    private let giantCharacter = "e" + String(repeating: "\u{301}", count: 1 << 20)

    @Test func theLimitsOfProtocolAndLogAgree() {
        #expect(SessionReference.sessionIdLimitBytes == FieldLimit.sessionIdBytes)
        #expect(SessionReference.agentLimitBytes >= 4 * FieldLimit.agentCharacters)
    }

    // MARK: Sessions

    @Test func aTitleIsTruncatedByScalars() {
        var description = SessionDescription()
        for text in [giant, giantCharacter] {
            description.describe(title: text, cwd: "/" + text)
            #expect(description.title?.unicodeScalars.count == 1_000)
            #expect(description.cwd == nil, "a truncated path would name another folder")
        }
    }

    @Test func aTitleFromTheFirstPromptIsTruncated() throws {
        for text in [giant, giantCharacter] {
            var description = SessionDescription()
            let params = JSONWriter.object { writer in
                writer.memberArray("prompt") { $0.object { $0.member("text", text) } }
            }
            let prompt = try #require(PromptTitle.text(params: params))
            _ = description.prompted(prompt)
            #expect(description.firstPrompt?.unicodeScalars.count == 1_000)
            #expect(try #require(description.title).utf8.count < 1_000)
        }
    }

    @Test func aHandedOverTitleIsTruncated() {
        #expect(PromptTitle.title(agents: giant, firstPrompt: nil)?.count == 1_000)
    }

    @Test(arguments: [(1_024, true), (1_025, false), (1 << 20, false)])
    func sessionIdsUpToOneKibibyteArePublished(count: Int, isPublished: Bool) throws {
        for scalar in ["x", #"\u0078"#] {
            let id = String(repeating: scalar, count: count)
            let line = bytes(
                #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"\#(id)","update":{}}}"#)
            let envelope = try scanEnvelope(line.span)
            let found = envelope.publishedSessionId(in: line.span)
            #expect(found == (isPublished ? String(repeating: "x", count: count) : nil))
        }
    }

    /// Their ids are equal after decoding, and the agent would not know the decoded id.
    @Test func sessionsWhoseIdsHaveLoneSurrogatesAreNotOpened() throws {
        var router = RequestRouter()
        for (number, id) in [#"\ud800"#, #"\ud801"#].enumerated() {
            _ = router.editorWrote(bytes(#"{"id":\#(number),"method":"session/new","params":{"cwd":"/w"}}"#).span)
            #expect(try agent(&router, #"{"id":\#(number),"result":{"sessionId":"\#(id)"}}"#) == [])
            let line = bytes(#"{"method":"session/update","params":{"sessionId":"\#(id)","update":{}}}"#)
            #expect(try scanEnvelope(line.span).publishedSessionId(in: line.span) == nil)
        }
        #expect(router.isIdle)
    }

    @Test func aSessionWithAnOversizedIdIsNotOpened() throws {
        var router = RequestRouter()
        _ = router.editorWrote(bytes(#"{"id":1,"method":"session/new","params":{"cwd":"/\#(giant)"}}"#).span)
        #expect(try agent(&router, #"{"id":1,"result":{"sessionId":"\#(giant)"}}"#) == [])
        _ = router.editorWrote(bytes(#"{"id":2,"method":"session/new","params":{"cwd":"/\#(giant)"}}"#).span)
        let opened = try agent(&router, #"{"id":2,"result":{"sessionId":"s"}}"#)
        #expect(opened.first == .fact(.sessionOpened(id: "s", cwd: nil)))
        let prompt = #"{"id":3,"method":"session/prompt","params":{"sessionId":"\#(giant)","prompt":[]}}"#
        #expect(router.editorWrote(bytes(prompt).span) == [])
        #expect(!router.hasRunningTurn && !router.isIdle, "the agent still has an open request")
    }

    // MARK: Requests

    private func permission(_ id: String, _ options: String = "[]", _ title: String = "") -> String {
        let call = #"{"toolCallId":"t1","title":"\#(title)"}"#
        let params = #"{"sessionId":"s","toolCall":\#(call),"options":\#(options)}"#
        return #"{"id":\#(id),"method":"session/request_permission","params":\#(params)}"#
    }

    @Test func requestsWithOversizedIdsPassUntracked() throws {
        var router = RequestRouter()
        let line = permission("\"\(giant)\"")
        #expect(try agent(&router, line) == [])
        #expect(router.pending.isEmpty)
        #expect(!isWithheld(line) { router.withholdsFromEditor($0, $1) })
        let prompt = #"{"id":"\#(giant)","method":"session/prompt","params":{"sessionId":"s"}}"#
        #expect(router.editorWrote(bytes(prompt).span) == [])
        let answer = #"{"id":"\#(giant)","result":{}}"#
        #expect(try agent(&router, answer) == [])
        #expect(router.isIdle)
        #expect(!isWithheld(answer) { router.withholdsFromEditor($0, $1) })
        #expect(!isWithheld(answer) { router.withholdsFromAgent($0, $1) })
    }

    @Test func withoutAnEditorARequestWithAnOversizedIdIsRefused() throws {
        var router = RequestRouter(hasEditor: false)
        let events = try agent(&router, permission("\"\(giant)\""))
        guard case .delivery(.toAgent(let answer))? = events.first else {
            Issue.record("the agent has received no answer")
            return
        }
        #expect(try JSONValue(validating: answer)["error"]?["code"]?.int64Value == -32600)
        #expect(router.pending.isEmpty)
    }

    @Test func aClientsRequestWithAnOversizedIdIsRefused() throws {
        var router = RequestRouter(hasEditor: false)
        router.clientAttached(1, name: "ann")
        do throws(ClientRefusal) {
            _ = try router.clientRequested(1, RequestID(giant), "session/prompt", nil, at: 0)
            Issue.record("the request was passed on")
        } catch {
            #expect(error.reason == .idTooLong && error.message.utf8.count < 200)
        }
    }

    @Test func anOversizedPermissionRequestIsListedWithItsAnswerableOptions() throws {
        var router = RequestRouter()
        let options = #"[{"optionId":"yes","name":"Yes","kind":"allow_once"},{"optionId":"\#(giant)","name":"No"}]"#
        let events = try agent(&router, permission("5", options, giant))
        let asked = try #require(router.pendingPermissions.first)
        #expect(asked.params.count < PermissionParams.limitBytes && asked.options == ["yes"])
        let params = try JSONValue(validating: asked.params)
        #expect(params["toolCall"]?["toolCallId"]?.stringValue == "t1" && params["options"]?.elements.isEmpty == true)
        #expect(params["omittedBytes"]?.int64Value ?? 0 > 2 << 20)
        guard case .fact(.permissionAsked("s", let request))? = events.first else {
            Issue.record("the request is not on the timeline")
            return
        }
        #expect(request.count > 2 << 20, "the timeline contains the whole request")
    }

    @Test func smallOptionsOfAnOversizedRequestAreKept() throws {
        var router = RequestRouter()
        let options = #"[{"optionId":"yes","name":"Yes","kind":"allow_once"}]"#
        _ = try agent(&router, permission("5", options, giant))
        let params = try JSONValue(validating: try #require(router.pendingPermissions.first).params)
        #expect(params["options"]?.rawString == options)
    }

    // MARK: Modes, options and folds

    @Test func oversizedModesAndOptionsAreNotKept() throws {
        var setup = SessionSetup(result: bytes(#"{"modes":{"currentModeId":"ask","availableModes":[]}}"#))
        setup.select(mode: giant)
        setup.set(options: bytes("[\"\(giant)\"]"))
        let current = setup.current(version: 1)
        #expect(String(decoding: current, as: UTF8.self).contains(#""currentModeId":"ask""#))
        #expect(current.count < 100)
    }

    @Test func aFoldOmitsOversizedIds() {
        var fold = SessionFold()
        func update(_ n: Int64, _ update: String) -> TimelineItem {
            let line = #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":\#(update)}}"#
            return .update(n: n, seq: n, ts: 0, line: bytes(line))
        }
        fold.apply(update(1, #"{"sessionUpdate":"tool_call","toolCallId":"\#(giant)","title":"Read"}"#))
        fold.apply(update(2, #"{"sessionUpdate":"current_mode_update","currentModeId":"\#(giant)"}"#))
        let request = #"{"requestId":"\#(giant)","params":{"sessionId":"s","options":[]}}"#
        fold.apply(.entry(n: 3, seq: 2, ts: 0, kind: "permission_request", body: bytes(request)))
        fold.apply(.entry(n: 4, seq: 2, ts: 0, kind: "turn_end", body: bytes(#"{"stopReason":"\#(giant)"}"#)))
        let json = JSONWriter.object { writer in
            writer.member("currentModeId", ifPresent: fold.currentModeId)
            writer.memberObject("turn") { fold.turn.write(to: &$0) }
            writer.memberArray("toolCalls") { fold.toolCalls.write(to: &$0) }
            writer.memberArray("permissions") { fold.writePermissions(to: &$0) }
        }
        #expect(json.count < 200 && fold.byteCount < 200)
        #expect(fold.toolCalls.omittedCount == 1)
    }

    @Test func aQueuedPromptIsTruncatedToAThousandScalars() {
        let params = JSONWriter.object { writer in
            writer.memberArray("prompt") { $0.object { $0.member("text", giantCharacter) } }
        }
        let prompt = QueuedPrompt(asker: .nobody, params: params, by: "", since: 0)
        #expect(JSONWriter.array { prompt.write(to: &$0) }.count < 3_000)
    }

    // MARK: Names

    @Test func anAgentsNameIsTruncated() {
        let request = LaunchRequest(
            agent: giant, command: ["a"], directory: "/", environment: [], fileModeMask: 0, openFilesLimit: 0)
        #expect(AgentPool.name(of: request).count == 256)
    }

    @Test func quotedTextIsTruncatedByScalars() {
        #expect(quoted(giantCharacter).utf8.count < 200)
        #expect(quoted("s1") == "\"s1\"" && quoted(giant).hasSuffix("x…\""))
    }

    // MARK: Pages

    @Test func aPageIsLimitedInBytesAndRowsButHasAtLeastOneRow() {
        var page = ListPage()
        let hasFirst = page.add([UInt8](repeating: 0x20, count: 5 << 20))
        let hasSecond = page.add([])
        #expect(hasFirst && !hasSecond)
        var other = ListPage()
        let row = [UInt8](repeating: 0x20, count: (1 << 20) - 1)
        var small = ListPage(rowLimit: 3)
        for _ in 0..<6 { (_, _) = (other.add(row), small.add(row)) }
        #expect(other.rows.count == 4 && small.rows.count == 3)
    }

    @Test func listPositionsAreOrderedAndRoundTrip() {
        #expect(ListPosition(1, 2) < ListPosition(1, 3) && ListPosition(1, 9) < ListPosition(2, 0))
        #expect(ListPosition("1.-2", count: 2) == ListPosition(1, -2) && ListPosition(1, -2).description == "1.-2")
        for text in ["", "1", "1.2.3", "1.x", "1.99999999999999999999"] {
            #expect(ListPosition(text, count: 2) == nil)
        }
    }

    @Test func theParamsOfAQueryAreLimited() throws {
        let params = Parameters(try JSONValue(validating: bytes(#"{"x":"\#(giant)"}"#)))
        #expect(throws: Rejection.self) { try QueryKey(.sessionsList, params, tenant: nil) }
    }

    @Test func anOversizedSessionIdIsReportedAsNotFound() throws {
        for name in ["sessionId", "session_id"] {
            let params = Parameters(try JSONValue(validating: bytes(#"{"\#(name)":"\#(giant)"}"#)))
            let error = #expect(throws: Rejection.self) { try SessionReference(params) }
            #expect(error?.code == .sessionNotFound && error?.message.utf8.count ?? 0 < 200)
        }
    }
}
