import JSONRPC
import JSONScan
import SessionLog
import Testing
import Tinyvex

@testable import ACPRouting
@testable import Agents
@testable import Bridge
@testable import FieldLimits
@testable import Functions
@testable import SessionStreams

/// The amount of data that agents, editors and clients can make a bridge keep and list, with hostile sizes.
@Suite struct FieldLimitTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func agent(_ exchange: inout Exchange, _ line: String) throws -> [Exchange.Event] {
        try exchange.agentWrote(bytes(line).span, scanEnvelope(bytes(line).span))
    }

    private let giant = String(repeating: "x", count: 1 << 20)
    /// One `Character` with a million scalars.
    private let giantCharacter = "e" + String(repeating: "\u{301}", count: 1 << 20)

    @Test func theProtocolAndTheLogAgree() {
        #expect(SessionReference.sessionIdLimitBytes == FieldLimit.sessionIdBytes)
        #expect(SessionReference.agentLimitBytes >= 4 * FieldLimit.agentCharacters)
    }

    // MARK: Sessions

    @Test func aTitleIsCutByItsScalars() {
        var description = SessionDescription()
        for text in [giant, giantCharacter] {
            description.describe(title: text, cwd: "/" + text)
            #expect(description.title?.unicodeScalars.count == 1_000)
            #expect(description.cwd == nil, "a cut folder would be another one")
        }
    }

    @Test func aFirstPromptsTitleIsCutToo() throws {
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

    @Test func aTitleThatAnotherProgramHandedOverIsCut() {
        #expect(PromptTitle.title(agents: giant, firstPrompt: nil)?.count == 1_000)
    }

    @Test(arguments: [(1_024, true), (1_025, false), (1 << 20, false)])
    func anIdIsPublishedUpToOneKibibyte(count: Int, isPublished: Bool) throws {
        for scalar in ["x", #"\u0078"#] {
            let id = String(repeating: scalar, count: count)
            let line = bytes(
                #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"\#(id)","update":{}}}"#)
            let envelope = try scanEnvelope(line.span)
            let found = envelope.publishedSessionId(in: line.span)
            #expect(found == (isPublished ? String(repeating: "x", count: count) : nil))
        }
    }

    @Test func aSessionWithAGiantIdIsNotOpened() throws {
        var exchange = Exchange()
        _ = exchange.editorWrote(bytes(#"{"id":1,"method":"session/new","params":{"cwd":"/\#(giant)"}}"#).span)
        #expect(try agent(&exchange, #"{"id":1,"result":{"sessionId":"\#(giant)"}}"#) == [])
        _ = exchange.editorWrote(bytes(#"{"id":2,"method":"session/new","params":{"cwd":"/\#(giant)"}}"#).span)
        let opened = try agent(&exchange, #"{"id":2,"result":{"sessionId":"s"}}"#)
        #expect(opened.first == .sessionOpened(id: "s", cwd: nil))
        let prompt = #"{"id":3,"method":"session/prompt","params":{"sessionId":"\#(giant)","prompt":[]}}"#
        #expect(exchange.editorWrote(bytes(prompt).span) == [])
        #expect(exchange.turns.isEmpty && !exchange.isIdle, "the agent is at work all the same")
    }

    // MARK: Requests

    private func permission(_ id: String, _ options: String = "[]", _ title: String = "") -> String {
        let call = #"{"toolCallId":"t1","title":"\#(title)"}"#
        let params = #"{"sessionId":"s","toolCall":\#(call),"options":\#(options)}"#
        return #"{"id":\#(id),"method":"session/request_permission","params":\#(params)}"#
    }

    @Test func requestsWithGiantIdsPassUnnoticed() throws {
        var exchange = Exchange()
        let line = permission("\"\(giant)\"")
        #expect(try agent(&exchange, line) == [])
        #expect(exchange.asked.isEmpty && !exchange.withholdsFromEditor(bytes(line).span))
        let prompt = #"{"id":"\#(giant)","method":"session/prompt","params":{"sessionId":"s"}}"#
        #expect(exchange.editorWrote(bytes(prompt).span) == [])
        let answer = #"{"id":"\#(giant)","result":{}}"#
        #expect(try agent(&exchange, answer) == [])
        #expect(exchange.isIdle)
        #expect(!exchange.withholdsFromEditor(bytes(answer).span) && !exchange.withholdsFromAgent(bytes(answer).span))
    }

    @Test func withoutAnEditorTheAgentIsAnsweredThatItsIdIsTooLong() throws {
        var exchange = Exchange(hasEditor: false)
        let events = try agent(&exchange, permission("\"\(giant)\""))
        guard case .toAgent(let answer)? = events.first else {
            Issue.record("it is not answered")
            return
        }
        #expect(try JSONValue(validating: answer)["error"]?["code"]?.int64Value == -32600)
        #expect(exchange.asked.isEmpty)
    }

    @Test func aClientsRequestWithAGiantIdIsRefused() throws {
        var exchange = Exchange(hasEditor: false)
        exchange.guestCame(1, name: "ann")
        do throws(GuestRefusal) {
            _ = try exchange.guestAsked(1, RequestID(giant), "session/prompt", nil, at: 0)
            Issue.record("it is passed on")
        } catch {
            #expect(error.reason == .idTooLong && error.message.utf8.count < 200)
        }
    }

    @Test func ofAGiantPermissionRequestTheListHasWhatCanBeAnswered() throws {
        var exchange = Exchange()
        let options = #"[{"optionId":"yes","name":"Yes","kind":"allow_once"},{"optionId":"\#(giant)","name":"No"}]"#
        let events = try agent(&exchange, permission("5", options, giant))
        let asked = try #require(exchange.pendingPermissions.first)
        #expect(asked.params.count < PermissionParams.limitBytes && asked.options == ["yes"])
        let params = try JSONValue(validating: asked.params)
        #expect(params["toolCall"]?["toolCallId"]?.stringValue == "t1" && params["options"]?.elements.isEmpty == true)
        #expect(params["omittedBytes"]?.int64Value ?? 0 > 2 << 20)
        guard case .permissionAsked("s", let request)? = events.first else {
            Issue.record("it is not on the timeline")
            return
        }
        #expect(request.count > 2 << 20, "the timeline has all of it")
    }

    @Test func smallOptionsOfAGiantRequestAreKept() throws {
        var exchange = Exchange()
        let options = #"[{"optionId":"yes","name":"Yes","kind":"allow_once"}]"#
        _ = try agent(&exchange, permission("5", options, giant))
        let params = try JSONValue(validating: try #require(exchange.pendingPermissions.first).params)
        #expect(params["options"]?.rawString == options)
    }

    // MARK: Modes, options and folds

    @Test func giantModesAndOptionsAreNotKept() throws {
        var setup = SessionSetup(result: bytes(#"{"modes":{"currentModeId":"ask","availableModes":[]}}"#))
        setup.select(mode: giant)
        setup.take(options: bytes("[\"\(giant)\"]"))
        #expect(String(decoding: setup.current, as: UTF8.self).contains(#""currentModeId":"ask""#))
        #expect(setup.current.count < 100)
    }

    @Test func aFoldLeavesGiantIdsOut() {
        var fold = SessionFold()
        func update(_ n: Int64, _ update: String) -> TimelineItem {
            let line = #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":\#(update)}}"#
            return .update(n: n, seq: n, ts: 0, line: bytes(line))
        }
        fold.take(update(1, #"{"sessionUpdate":"tool_call","toolCallId":"\#(giant)","title":"Read"}"#))
        fold.take(update(2, #"{"sessionUpdate":"current_mode_update","currentModeId":"\#(giant)"}"#))
        let request = #"{"requestId":"\#(giant)","params":{"sessionId":"s","options":[]}}"#
        fold.take(.entry(n: 3, seq: 2, ts: 0, kind: "permission_request", body: bytes(request)))
        fold.take(.entry(n: 4, seq: 2, ts: 0, kind: "turn_end", body: bytes(#"{"stopReason":"\#(giant)"}"#)))
        let json = JSONWriter.object { writer in
            writer.member("currentModeId", ifPresent: fold.currentModeId)
            writer.memberObject("turn") { fold.turn.write(to: &$0) }
            writer.memberArray("toolCalls") { fold.toolCalls.write(to: &$0) }
            writer.memberArray("permissions") { fold.writePermissions(to: &$0) }
        }
        #expect(json.count < 200 && fold.byteCount < 200)
        #expect(fold.toolCalls.omittedCount == 1)
    }

    @Test func aQueuedPromptShowsAThousandScalars() {
        let params = JSONWriter.object { writer in
            writer.memberArray("prompt") { $0.object { $0.member("text", giantCharacter) } }
        }
        let prompt = QueuedPrompt(asker: .nobody, params: params, by: "", since: 0)
        #expect(JSONWriter.array { prompt.write(to: &$0) }.count < 3_000)
    }

    // MARK: Names

    @Test func anAgentsNameIsCut() {
        let request = LaunchRequest(
            agent: giant, command: ["a"], directory: "/", environment: [], fileModeMask: 0, openFilesLimit: 0)
        #expect(AgentPool.name(of: request).count == 256)
    }

    @Test func whatIsQuotedIsCutByItsScalars() {
        #expect(quoted(giantCharacter).utf8.count < 200)
        #expect(quoted("s1") == "\"s1\"" && quoted(giant).hasSuffix("x…\""))
    }

    // MARK: Pages

    @Test func aPageHasSoManyBytesAndAtLeastOneRow() {
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

    @Test func thePlacesOfAListAreOrderedAndReadAsTheyWereWritten() {
        #expect(ListPosition(1, 2) < ListPosition(1, 3) && ListPosition(1, 9) < ListPosition(2, 0))
        #expect(ListPosition("1.-2", count: 2) == ListPosition(1, -2) && ListPosition(1, -2).description == "1.-2")
        for text in ["", "1", "1.2.3", "1.x", "1.99999999999999999999"] {
            #expect(ListPosition(text, count: 2) == nil)
        }
    }

    @Test func paramsOfAValueAreBounded() throws {
        let params = Parameters(try JSONValue(validating: bytes(#"{"x":"\#(giant)"}"#)))
        #expect(throws: Rejection.self) { try QueryKey(.sessionsList, params, tenant: nil) }
    }

    @Test func aGiantSessionIdIsOneThatIsNotKnown() throws {
        for name in ["sessionId", "session_id"] {
            let params = Parameters(try JSONValue(validating: bytes(#"{"\#(name)":"\#(giant)"}"#)))
            let error = #expect(throws: Rejection.self) { try SessionReference(params) }
            #expect(error?.code == .sessionNotFound && error?.message.utf8.count ?? 0 < 200)
        }
    }
}
