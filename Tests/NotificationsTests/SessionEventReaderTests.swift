import JSONScan
import PushCrypto
import Testing

@testable import Notifications

@Suite struct SessionEventReaderTests {
    private let session = NotifiedSession(agent: "codex", id: "s1", tenant: "acme", title: "t", folder: "/work")

    private func finding(_ entries: [(kind: String, body: String)], every pause: Int64 = 1000) -> [String] {
        var reader = SessionEventReader()
        return entries.enumerated().compactMap { index, entry in
            let finding = reader.read(entry.kind, Array(entry.body.utf8), of: session, at: Int64(index) * pause)
            return switch finding {
            case .occurred(let event): "\(event.kind) \(event.requestId ?? "-") \(event.turnMilliseconds ?? -1)"
            case .answered(let id): "answered \(id)"
            case .prompted: "prompted"
            case nil: nil
            }
        }
    }

    @Test func aTurnIsReportedWithItsDuration() {
        #expect(
            finding([("prompt", "{}"), ("update", "{}"), ("turn_end", #"{"stopReason":"end_turn"}"#)])
                == ["prompted", "turnEnd - 2000"])
        #expect(finding([("turn_end", #"{"stopReason":"end_turn"}"#)]) == ["turnEnd - -1"], "its start is not known")
    }

    @Test func theTurnsOfSessionsWithEqualNamesAreKeptApart() {
        func session(_ incarnation: String?) -> NotifiedSession {
            NotifiedSession(
                agent: "codex", id: "s1", tenant: nil, title: nil, folder: nil, incarnation: incarnation)
        }
        func duration(_ incarnation: String, at now: Int64) -> Int64? {
            guard case .occurred(let event)? = reader.read("turn_end", [], of: session(incarnation), at: now) else {
                return nil
            }
            return event.turnMilliseconds
        }
        var reader = SessionEventReader()
        _ = reader.read("prompt", [], of: session(nil), at: 0)
        #expect(duration("l-1", at: 100) == 100, "the claim was answered during the turn")
        _ = reader.read("prompt", [], of: session("l-1"), at: 1000)
        _ = reader.read("prompt", [], of: session("l-2"), at: 5000)
        #expect(duration("l-2", at: 5500) == 500)
        #expect(duration("l-1", at: 6000) == 5000)
    }

    @Test func aCancelledTurnCausesNoNotification() {
        #expect(finding([("prompt", "{}"), ("turn_end", #"{"stopReason":"cancelled"}"#)]) == ["prompted"])
    }

    @Test func anErrorIsAFailure() {
        #expect(finding([("turn_end", #"{"error":{"code":-1,"message":"quota"}}"#)]) == ["failed - -1"])
    }

    @Test func requestsAndAnswersHaveTheSameId() {
        #expect(
            finding([
                ("permission_request", #"{"requestId":"a\u0062","params":{"toolCall":{"title":"ls"}}}"#),
                ("permission_answer", #"{"requestId":"a\u0062","result":{}}"#),
                ("elicitation_request", #"{"requestId":5,"params":{"message":"?"}}"#),
                ("elicitation_answer", #"{"requestId":5,"result":{}}"#),
            ]) == [
                #"permission "a\u0062" -1"#, #"answered "a\u0062""#, "elicitation 5 -1", "answered 5",
            ])
    }

    @Test(arguments: [
        (#"{"reason":"exited","exitCode":0}"#, false), (#"{"reason":"exited","exitCode":1}"#, true),
        (#"{"reason":"signaled","signal":15}"#, false), (#"{"reason":"signaled","signal":9}"#, true),
    ])
    func anAgentThatEndsInATurnIsNews(body: String, isNews: Bool) {
        let end = isNews ? "agentExit - -1" : "sessionEnd - -1"
        #expect(finding([("prompt", "{}"), ("agent_exit", body)]) == ["prompted", end])
        #expect(finding([("agent_exit", body)]) == ["sessionEnd - -1"], "an idle agent")
    }

    @Test func wrongDataIsPassedOver() {
        for kind in ["permission_request", "permission_answer"] {
            for body in ["", "[]", "{}", #"{"omittedBytes":2000000}"#] { #expect(finding([(kind, body)]).isEmpty) }
        }
        #expect(finding([("agent_start", "{}"), ("unknown", "x")]).isEmpty)
    }

    @Test func textsAreCut() {
        var reader = SessionEventReader()
        let title = String(repeating: "x", count: 5000)
        let body = #"{"requestId":1,"params":{"toolCall":{"title":"\#(title)"}}}"#
        guard case .occurred(let event)? = reader.read("permission_request", Array(body.utf8), of: session, at: 0)
        else {
            Issue.record("no event")
            return
        }
        #expect(event.text?.count == 200 && event.tenant == "acme" && event.folder == "/work")
    }
}

@Suite struct PushDestinationTests {
    private let now = NotificationTime(ts: 1_700_000_000_000, minuteOfDay: 0)

    private func subscription(_ endpoint: String, tenant: String? = nil) throws -> PushSubscription {
        let keys = try #require(
            PushKeys(
                p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
                auth: "BTBZMqHH6r4Tts7J_aSIgg"))
        return PushSubscription(.browser(endpoint: endpoint, keys), tokenId: nil, tenant: tenant)
    }

    private func machine(_ subscriptions: [PushSubscription]) throws -> NotificationMachine {
        let json = #"{"delaySeconds":0,"targets":[{"name":"p","type":"push","subject":"mailto:a@b"}]}"#
        return NotificationMachine(
            try NotificationSettings(json: Array(json.utf8)), subscriptions: subscriptions,
            newId: { "m\(UInt64.random(in: 1 ... .max))" })
    }

    private func deliveries(_ actions: [NotificationMachine.Action]) -> [NotificationMessage] {
        actions.compactMap { if case .deliver(let message) = $0 { message } else { nil } }
    }

    private func event(tenant: String?) -> NotificationEvent {
        NotificationEvent(.permission, agent: "codex", sessionId: "s1", tenant: tenant, requestId: "1")
    }

    @Test func aTenantsBrowserGetsItsOwnSessionsOnly() throws {
        let (all, acme) = (try subscription("https://a/"), try subscription("https://b/", tenant: "acme"))
        var machine = try machine([all, acme])
        #expect(deliveries(machine.occurred(event(tenant: "other"), at: now)).map(\.subscription) == [all.id])
        var other = try self.machine([all, acme])
        #expect(deliveries(other.occurred(event(tenant: "acme"), at: now)).map(\.subscription) == [all.id, acme.id])
        var own = try self.machine([all, acme])
        #expect(deliveries(own.occurred(event(tenant: nil), at: now)).map(\.subscription) == [all.id])
    }

    @Test func aBrowserThatIsGoneIsForgotten() throws {
        let gone = try subscription("https://a/")
        var machine = try machine([gone, try subscription("https://b/")])
        let sent = deliveries(machine.occurred(event(tenant: nil), at: now))
        #expect(sent.count == 2)
        let actions = machine.finished(sent[0].id, .gone, at: now)
        #expect(actions == [.forget(subscription: gone.id), .store])
        #expect(machine.subscriptions == [try subscription("https://b/")])
    }

    @Test func aSubscriptionEndsWithItsMessages() throws {
        let ended = try subscription("https://a/")
        var machine = try machine([ended])
        let sent = try #require(deliveries(machine.occurred(event(tenant: nil), at: now)).first)
        _ = machine.finished(sent.id, .failed, at: now)
        #expect(machine.ended(subscription: ended.id) == [.store])
        #expect(machine.waitingCount == 0 && machine.subscriptions.isEmpty)
    }
}
