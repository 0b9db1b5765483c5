import PushCrypto
import Testing

@testable import Notifications

@Suite struct NotificationMachineTests {
    private static let day = 86_400_000
    private let start = NotificationTime(ts: 1_700_000_000_000, minuteOfDay: 720)

    private func machine(_ targets: String, delaySeconds: Int = 3) throws -> NotificationMachine {
        let json = #"{"delaySeconds":\#(delaySeconds),"targets":[\#(targets)]}"#
        return NotificationMachine(try NotificationSettings(json: Array(json.utf8)), newId: Ids().next)
    }

    private static let webhook = #"{"name":"hook","type":"webhook","url":"https://h.example"}"#

    private func permission(_ id: String = "1", session: String = "s1", tenant: String? = nil) -> NotificationEvent {
        NotificationEvent(.permission, agent: "codex", sessionId: session, tenant: tenant, requestId: id)
    }

    private func place(
        agent: String = "codex", tenant: String? = nil, incarnation: String? = nil
    ) -> NotifiedPlace {
        NotifiedPlace(agent: agent, sessionId: "s1", tenant: tenant, incarnation: incarnation)
    }

    private func later(_ milliseconds: Int64, minuteOfDay: Int = 720) -> NotificationTime {
        NotificationTime(ts: start.ts + milliseconds, minuteOfDay: minuteOfDay)
    }

    private func messages(_ actions: [NotificationMachine.Action]) -> [NotificationMessage] {
        actions.compactMap { if case .deliver(let message) = $0 { message } else { nil } }
    }

    // MARK: The need

    @Test func aRequestCausesANotificationAfterTheDelay() throws {
        var machine = try machine(Self.webhook)
        #expect(machine.occurred(permission(), at: start) == [.store])
        #expect(machine.nextDueTs == start.ts + 3000)
        #expect(machine.due(at: later(2999)).isEmpty)
        let sent = messages(machine.due(at: later(3000)))
        #expect(sent.map(\.sessionId) == ["s1"] && sent.first?.count == 1)
        #expect(machine.due(at: later(3001)).isEmpty, "it is sent once")
        #expect(machine.finished(try #require(sent.first).id, .delivered, at: later(3100)) == [.store])
        #expect(machine.waitingCount == 0 && machine.nextDueTs == nil)
    }

    @Test func anAnsweredRequestCausesNoNotification() throws {
        var machine = try machine(Self.webhook)
        _ = machine.occurred(permission("1"), at: start)
        _ = machine.occurred(permission("2"), at: start)
        let answered = machine.answered(place(), requestId: "1", at: later(1))
        #expect(answered == [.store] && machine.waitingCount == 1)
        #expect(machine.answered(place(), requestId: "7", at: later(1)).isEmpty)
        #expect(machine.answered(place(agent: "other"), requestId: "2", at: later(1)).isEmpty)
        let sent = messages(machine.due(at: later(3000)))
        #expect(sent.first?.count == 1 && sent.first?.requestIds == ["2"])
    }

    @Test func theLastAnswerRemovesTheNotification() throws {
        var machine = try machine(Self.webhook)
        _ = machine.occurred(permission("1"), at: start)
        _ = machine.answered(place(), requestId: "1", at: later(1))
        #expect(machine.waitingCount == 0)
    }

    @Test func aNewPromptDropsTheNotificationOfTheTurnsEnd() throws {
        var machine = try machine(Self.webhook)
        _ = machine.occurred(NotificationEvent(.turnEnd, agent: "codex", sessionId: "s1"), at: start)
        _ = machine.occurred(permission(), at: start)
        #expect(machine.prompted(place(), at: later(1)) == [.store])
        #expect(messages(machine.due(at: later(3000))).map(\.kind) == [.permission])
    }

    @Test func noNotificationIsSentWhileAPersonViewsTheSession() throws {
        var machine = try machine(Self.webhook)
        _ = machine.viewed(place(tenant: "acme"), at: start)
        let end = NotificationEvent(.turnEnd, agent: "codex", sessionId: "s1", tenant: "acme")
        #expect(machine.occurred(end, at: later(29_999)).isEmpty)
        #expect(machine.occurred(end, at: later(30_000)) == [.store], "30 s of silence is away")
    }

    @Test func aTenantsViewerSeesOnlyTheTenantsSessions() throws {
        var machine = try machine(Self.webhook)
        _ = machine.viewed(place(tenant: "acme"), at: start)
        let end = { NotificationEvent(.turnEnd, agent: "codex", sessionId: "s1", tenant: $0) }
        #expect(machine.occurred(end("acme"), at: start).isEmpty)
        #expect(machine.occurred(end("other"), at: start) == [.store])
    }

    @Test func aRequestThatAViewerLeavesUnansweredCausesANotification() throws {
        var machine = try machine(Self.webhook)
        _ = machine.viewed(place(), at: start)
        _ = machine.occurred(permission(), at: start)
        _ = machine.viewed(place(), at: later(15_000))
        #expect(machine.due(at: later(44_999)).isEmpty)
        #expect(messages(machine.due(at: later(45_000))).count == 1)
    }

    // MARK: Sessions with equal names

    /// Two sessions with the same agent name and id, both in a log.
    private func machine(with first: NotificationEvent, and second: NotificationEvent) throws -> NotificationMachine {
        var machine = try machine(Self.webhook)
        for (event, incarnation) in [(first, "l-1"), (second, "l-2")] {
            var event = event
            event.incarnation = incarnation
            _ = machine.occurred(event, at: start)
        }
        #expect(machine.waitingCount == 2, "they are not merged")
        return machine
    }

    @Test(arguments: [nil, "acme"])
    func anAnswerConcernsTheRequestOfItsOwnSession(tenant: String?) throws {
        var machine = try machine(with: permission("5"), and: permission("5", tenant: tenant))
        _ = machine.answered(place(tenant: tenant, incarnation: "l-2"), requestId: "5", at: later(1))
        #expect(machine.due(at: later(3000)).count == 1 && machine.waitingCount == 1)
        #expect(machine.answered(place(incarnation: "l-1"), requestId: "5", at: later(3001)).isEmpty, "it is in flight")
    }

    @Test(arguments: [nil, "acme"])
    func aPromptOrAViewerConcernsItsOwnSession(tenant: String?) throws {
        func end(_ tenant: String?) -> NotificationEvent {
            NotificationEvent(.turnEnd, agent: "codex", sessionId: "s1", tenant: tenant)
        }
        let other = place(tenant: tenant, incarnation: "l-2")
        var prompted = try machine(with: end(nil), and: end(tenant))
        #expect(prompted.prompted(other, at: later(1)) == [.store])
        #expect(messages(prompted.due(at: later(3000))).map(\.incarnation) == ["l-1"])
        var viewed = try machine(with: end(nil), and: end(tenant))
        #expect(viewed.viewed(other, at: later(1)) == [.store])
        #expect(messages(viewed.due(at: later(3000))).map(\.incarnation) == ["l-1"])
        var first = end(nil)
        first.incarnation = "l-1"
        #expect(viewed.occurred(first, at: later(4000)) == [.store], "nobody views this one")
    }

    @Test func anotherSessionsNotificationIsNotDelayed() throws {
        var machine = try machine(with: permission("5"), and: permission("5"))
        let first = try #require(messages(machine.due(at: later(3000))).first)
        #expect(messages(machine.finished(first.id, .delivered, at: later(3100))).map(\.incarnation) == ["l-2"])
    }

    @Test func aSessionStaysTheSameWhenTheLogHasAnsweredItsClaim() throws {
        var machine = try machine(Self.webhook)
        _ = machine.occurred(permission("5"), at: start)
        var second = permission("6")
        second.incarnation = "l-1"
        _ = machine.occurred(second, at: start)
        #expect(machine.waitingCount == 1)
        _ = machine.answered(place(incarnation: "l-1"), requestId: "5", at: later(1))
        _ = machine.answered(place(incarnation: "l-2"), requestId: "6", at: later(1))
        #expect(messages(machine.due(at: later(3000))).map(\.requestIds) == [["6"]])
    }

    @Test func aTenantCannotDropAnothersNotificationBeforeTheClaims() throws {
        var machine = try machine(Self.webhook)
        _ = machine.occurred(permission("5", tenant: "acme"), at: start)
        #expect(machine.answered(place(tenant: "evil"), requestId: "5", at: later(1)).isEmpty)
        #expect(machine.answered(place(tenant: "evil", incarnation: "l-2"), requestId: "5", at: later(1)).isEmpty)
        #expect(machine.answered(place(tenant: "acme"), requestId: "5", at: later(1)) == [.store])
    }

    // MARK: Muted sessions

    private static let push = #"{"name":"pages","type":"push","subject":"mailto:me@example.org"}"#

    private func subscription(
        tenant: String? = nil, token: String? = nil, path: String = "x"
    ) throws -> PushSubscription {
        let keys = try #require(
            PushKeys(
                p256dh:
                    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
                auth: "BTBZMqHH6r4Tts7J_aSIgg"))
        return PushSubscription(
            .browser(endpoint: "https://fcm.googleapis.com/\(path)", keys), tokenId: token, tenant: tenant)
    }

    private func event(
        in incarnations: [String], session: String = "s1", tenant: String? = nil
    ) -> NotificationEvent {
        var event = permission(session: session, tenant: tenant)
        event.incarnations = incarnations
        return event
    }

    private func muted(_ incarnation: String, tenant: String? = nil) -> MutedSessions {
        var muted = MutedSessions()
        muted.set(true, incarnation, tenant: tenant)
        return muted
    }

    @Test func aMutedSessionCausesNoNotificationUntilTheMuteEnds() throws {
        var machine = try machine(Self.webhook)
        #expect(machine.muted(muted("l-1")).isEmpty)
        #expect(machine.occurred(event(in: ["l-1"]), at: start).isEmpty)
        #expect(machine.occurred(event(in: ["l-2", "l-1"]), at: start).isEmpty, "its child is muted, too")
        #expect(machine.occurred(event(in: ["l-11"]), at: start) == [.store], "another session is not")
        #expect(machine.muted(MutedSessions()).isEmpty)
        #expect(machine.occurred(event(in: ["l-1"], session: "s2"), at: start) == [.store])
    }

    @Test func mutingDropsTheNotificationsThatWait() throws {
        var machine = try machine(Self.webhook)
        _ = machine.occurred(event(in: ["l-1"]), at: start)
        _ = machine.occurred(NotificationEvent(.test, agent: "", sessionId: ""), at: start)
        let test = machine.waitingCount
        #expect(machine.muted(muted("l-1")) == [.store])
        #expect(machine.waitingCount == test - 1 && test == 2)
    }

    @Test func aMuteConcernsTheDestinationsOfThePersonsTenantOnly() throws {
        let settings = try NotificationSettings(json: Array(#"{"targets":[\#(Self.webhook),\#(Self.push)]}"#.utf8))
        let (own, acme) = (try subscription(tenant: nil), try subscription(tenant: "acme"))
        func destinations(_ muted: MutedSessions) throws -> [String?] {
            var machine = NotificationMachine(
                settings, subscriptions: [own, acme], muted: muted, newId: Ids().next)
            _ = machine.occurred(event(in: ["l-1"], tenant: "acme"), at: start)
            return messages(machine.due(at: later(3000))).map { $0.subscription ?? $0.target }
        }
        #expect(try destinations(MutedSessions()) == ["hook", own.id, acme.id])
        #expect(try destinations(muted("l-1")) == [acme.id])
        #expect(try destinations(muted("l-1", tenant: "acme")) == ["hook", own.id])
    }

    @Test func mutingDropsOnlyTheWaitingNotificationsOfThePersonsTenant() throws {
        let settings = try NotificationSettings(json: Array(#"{"targets":[\#(Self.webhook),\#(Self.push)]}"#.utf8))
        let acme = try subscription(tenant: "acme")
        var machine = NotificationMachine(settings, subscriptions: [acme], newId: Ids().next)
        _ = machine.occurred(event(in: ["l-1"], tenant: "acme"), at: start)
        #expect(machine.muted(muted("l-1", tenant: "acme")) == [.store])
        #expect(messages(machine.due(at: later(3000))).map(\.target) == ["hook"])
    }

    @Test func mutesAreBoundedByTenantAndSurviveARestart() throws {
        var muted = MutedSessions()
        muted.set(true, "l-1", tenant: "acme")
        for number in 0...MutedSessions.tenantLimit { muted.set(true, "l-\(number)", tenant: nil) }
        #expect(!muted.contains(["l-0"], tenant: nil) && muted.contains(["l-1"], tenant: nil))
        #expect(muted.contains(["l-1"], tenant: "acme"), "a tenant cannot end the mutes of another one")
        #expect(MutedSessions(stored: muted.stored + Array("no json\n{}\n".utf8)) == muted)
        muted.set(false, "l-1", tenant: nil)
        #expect(!muted.contains(["l-1"], tenant: nil) && muted.contains(["l-1"], tenant: "acme"))
        var many = MutedSessions()
        for number in 0...MutedSessions.limit { many.set(true, "l", tenant: "t\(number)") }
        #expect(!many.contains(["l"], tenant: "t0") && many.contains(["l"], tenant: "t1"))
    }

    // MARK: Merging

    @Test func requestsOfOneSessionAreOneNotification() throws {
        var machine = try machine(Self.webhook)
        for id in ["1", "2", "2", "3"] { _ = machine.occurred(permission(id), at: start) }
        _ = machine.occurred(permission("1", session: "s2"), at: start)
        #expect(machine.waitingCount == 2)
        let first = try #require(messages(machine.due(at: later(3000))).first)
        #expect(first.count == 3 && first.body == "3 permission requests wait.")
    }

    @Test func aSecondNotificationOfASessionWaits() throws {
        var machine = try machine(Self.webhook, delaySeconds: 0)
        let first = try #require(messages(machine.occurred(permission("1"), at: start)).first)
        _ = machine.finished(first.id, .delivered, at: later(100))
        #expect(messages(machine.occurred(permission("2"), at: later(200))).isEmpty)
        #expect(machine.nextDueTs == start.ts + 10_100)
        #expect(messages(machine.due(at: later(10_100))).count == 1)
    }

    // MARK: Rules

    @Test func theRulesOfATargetSelectItsEvents() throws {
        let target =
            #"{"name":"t","type":"command","command":["x"],"events":["turn_end"],"agents":["codex"],"#
            + #""folders":["/work"],"minTurnSeconds":30}"#
        let rows: [(agent: String, folder: String?, milliseconds: Int64?, isWanted: Bool)] = [
            ("codex", "/work", 30_000, true), ("codex", "/work/a", nil, true), ("codex", "/workshop", 30_000, false),
            ("codex", nil, 30_000, false), ("claude", "/work", 30_000, false), ("codex", "/work", 29_999, false),
        ]
        for row in rows {
            var machine = try machine(target)
            let event = NotificationEvent(
                .turnEnd, agent: row.agent, sessionId: "s", folder: row.folder, turnMilliseconds: row.milliseconds)
            #expect(machine.occurred(event, at: start).isEmpty != row.isWanted, "\(row)")
        }
        var other = try machine(target)
        #expect(other.occurred(permission(), at: start).isEmpty)
    }

    @Test(arguments: [("session_end", [true, true]), ("agent_exit", [false, true]), ("failed", [false, false])])
    func anEndWithAnErrorIsAlsoAnEndOfTheSession(events: String, isWanted: [Bool]) throws {
        let target = #"{"name":"t","type":"command","command":["x"],"events":["\#(events)"]}"#
        let wanted = try [NotificationEvent.Kind.sessionEnd, .agentExit].map { kind in
            var machine = try machine(target)
            return !machine.occurred(NotificationEvent(kind, agent: "codex", sessionId: "s1"), at: start).isEmpty
        }
        #expect(wanted == isWanted)
    }

    @Test func contentIsOnlySentIfPermitted() throws {
        let open = #"{"name":"b","type":"webhook","url":"https://h.example","content":true}"#
        var machine = try machine(Self.webhook + "," + open)
        var event = permission()
        (event.title, event.folder, event.text) = ("secret plan", "/home/me", "rm -rf")
        _ = machine.occurred(event, at: start)
        let sent = messages(machine.due(at: later(3000)))
        #expect(sent.map(\.title) == [nil, "secret plan"])
        #expect(sent.map(\.folder) == [nil, "/home/me"] && sent.map(\.text) == [nil, "rm -rf"])
    }

    @Test func aQuietTimePostponesToItsEnd() throws {
        let target = #"{"name":"t","type":"command","command":["x"],"quiet":"22:00-07:00"}"#
        var machine = try machine(target)
        _ = machine.occurred(permission(), at: NotificationTime(ts: start.ts, minuteOfDay: 23 * 60))
        #expect(machine.due(at: later(3000, minuteOfDay: 23 * 60)).isEmpty)
        #expect(machine.nextDueTs == start.ts + 3000 + 8 * 3_600_000)
        #expect(messages(machine.due(at: later(3000 + 8 * 3_600_000, minuteOfDay: 7 * 60))).count == 1)
    }

    @Test func aTestIsSentAtOnceToEveryTarget() throws {
        let target = #"{"name":"t","type":"command","command":["x"],"quiet":"00:00-23:59","events":["failed"]}"#
        var machine = try machine(Self.webhook + "," + target)
        let test = NotificationEvent(.test, agent: "", sessionId: "")
        #expect(messages(machine.occurred(test, at: start)).map(\.target) == ["hook", "t"])
    }

    @Test func aTestOfOneRegistrationReachesNoOther() throws {
        var machine = try machine(Self.webhook + "," + Self.push)
        machine.subscriptions = [try subscription(path: "a"), try subscription(tenant: "t", path: "b")]
        let own = machine.subscriptions[1]
        let test = NotificationEvent(.test, agent: "", sessionId: "", tenant: "t")
        #expect(messages(machine.occurred(test, only: own.id, at: start)).map(\.subscription) == [own.id])
        #expect(machine.tests.map(\.subscription) == [own.id])
    }

    // MARK: Failures

    @Test func aFailedDeliveryIsRepeatedWithGrowingDelays() throws {
        var machine = try machine(Self.webhook, delaySeconds: 0)
        let id = try #require(messages(machine.occurred(permission(), at: start)).first).id
        var now: Int64 = 0
        var delays: [Int64] = []
        for _ in 0..<7 {
            #expect(machine.finished(id, .failed, at: later(now)) == [.store])
            let due = try #require(machine.nextDueTs) - start.ts
            delays.append(due - now)
            now = due
            let repeated = messages(machine.due(at: later(now)))
            #expect(repeated.map(\.id) == [id], "the id stays the same")
        }
        #expect(delays == [5000, 20_000, 80_000, 320_000, 1_280_000, 3_600_000, 3_600_000])
    }

    @Test func anOldNotificationIsGivenUp() throws {
        var machine = try machine(Self.webhook, delaySeconds: 0)
        let message = try #require(messages(machine.occurred(permission(), at: start)).first)
        _ = machine.finished(message.id, .failed, at: later(1))
        let actions = machine.due(at: later(86_400_001))
        guard case .gaveUp(let given)? = actions.first else { throw Missing() }
        #expect(given.id == message.id && actions.dropFirst() == [.store] && machine.waitingCount == 0)
    }

    @Test func aDeadTargetDoesNotDelayAnother() throws {
        let other = #"{"name":"other","type":"webhook","url":"https://o.example"}"#
        var machine = try machine(Self.webhook + "," + other, delaySeconds: 0)
        let first = messages(machine.occurred(permission(), at: start))
        #expect(first.map(\.target) == ["hook", "other"])
        _ = machine.finished(first[0].id, .failed, at: later(1))
        _ = machine.finished(first[1].id, .delivered, at: later(1))
        let second = messages(machine.occurred(permission("9", session: "s2"), at: later(2)))
        #expect(second.map(\.target).contains("other"))
    }

    @Test func slowRegistrationsDelayNeitherTheTargetsNorOtherClients() throws {
        var machine = try machine(Self.push + "," + Self.webhook, delaySeconds: 0)
        machine.subscriptions = try (0..<9).map { try subscription(token: "tk_slow", path: "\($0)") }
        let other = try subscription(token: "tk_other", path: "other")
        machine.subscriptions.append(other)
        let first = messages(machine.occurred(permission(), at: start))
        #expect(first.map(\.target) == ["pages", "pages", "hook"])
        #expect(first.compactMap(\.subscription) == [machine.subscriptions[0].id, other.id])
        #expect(machine.nextDueTs == nil, "the others wait until the first has ended")
        let next = messages(machine.finished(first[0].id, .failed, at: later(10_000)))
        #expect(next.map(\.subscription) == [machine.subscriptions[1].id])
    }

    @Test func aClientWithManyRegistrationsDropsItsOwnNotificationsFirst() throws {
        let quiet = #"{"name":"hook","type":"webhook","url":"https://h.example","quiet":"00:00-23:59"}"#
        var machine = try machine(quiet + "," + Self.push, delaySeconds: 0)
        machine.subscriptions = try (0..<100).map { try subscription(token: "tk_many", path: "\($0)") }
        for number in 0..<10 { _ = machine.occurred(permission(session: "s\(number)"), at: start) }
        #expect(machine.waitingCount == NotificationMachine.messageLimit)
        let waiting = NotificationMachine.queue(stored: machine.storedQueue)
        #expect(waiting.filter { $0.target == "hook" }.map(\.sessionId) == (0..<10).map { "s\($0)" })
    }

    @Test func theTestsOfAllTargetsAreKnownAlsoOfThoseThatWait() throws {
        let targets = (0..<6).map { #"{"name":"t\#($0)","type":"webhook","url":"https://h.example"}"# }
        var machine = try machine(targets.joined(separator: ","), delaySeconds: 0)
        let test = NotificationEvent(.test, agent: "", sessionId: "")
        let sent = messages(machine.occurred(test, at: start))
        #expect(sent.count == DeliverySlots.limit)
        #expect(machine.tests.map(\.target) == (0..<6).map { "t\($0)" })
        _ = machine.occurred(test, at: start)
        #expect(
            machine.tests.count == 6 && !machine.tests.contains { $0.id == sent[0].id }, "the newest of each target")
        #expect(machine.holds(sent[0].id))
    }

    @Test func aDestinationGetsOneNotificationAtATime() throws {
        var machine = try machine(Self.webhook, delaySeconds: 0)
        let first = messages(machine.occurred(permission("1", session: "s1"), at: start))
        #expect(messages(machine.occurred(permission("2", session: "s2"), at: start)).isEmpty)
        #expect(messages(machine.finished(first[0].id, .delivered, at: later(1))).map(\.sessionId) == ["s2"])
    }

    @Test func theQueueIsBounded() throws {
        var machine = try machine(Self.webhook)
        for number in 0..<520 { _ = machine.occurred(permission("1", session: "s\(number)"), at: start) }
        #expect(machine.waitingCount == NotificationMachine.messageLimit)
        #expect(messages(machine.due(at: later(3000))).first?.sessionId == "s20", "the oldest are dropped")
        var large = try self.machine(Self.webhook)
        for number in 0..<300 {
            let id = "s\(number)" + String(repeating: "x", count: 2000)
            _ = large.occurred(permission("1", session: id), at: start)
        }
        #expect(large.storedQueue.count <= NotificationMachine.queueLimitBytes)
        #expect(large.waitingCount > 100)
    }

    // MARK: Restarts

    @Test func theQueueSurvivesARestart() throws {
        var machine = try machine(Self.webhook)
        _ = machine.occurred(permission(), at: start)
        let queue = NotificationMachine.queue(stored: machine.storedQueue + Array("no json\n{}\n".utf8))
        let settings = try NotificationSettings(json: Array(#"{"targets":[\#(Self.webhook)]}"#.utf8))
        var next = NotificationMachine(settings, queue: queue, newId: { nil })
        #expect(next.waitingCount == 1)
        let sent = messages(next.due(at: later(3000)))
        #expect(sent == queue, "the message and its id are the same")
        let without = NotificationMachine(NotificationSettings(), queue: queue, newId: { nil })
        #expect(without.waitingCount == 0, "its target does not exist any more")
    }

    private struct Missing: Error {}
}

/// Ids in their order.
final class Ids: Sendable {
    @Sendable func next() -> String? { "m\(UInt64.random(in: 1 ... .max))" }
}
