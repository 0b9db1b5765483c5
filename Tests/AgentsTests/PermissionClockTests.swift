import EventLoop
import JSONRPC
import TestSupport
import Testing

@testable import ACPRouting
@testable import Agents

@Suite struct PermissionClockTests {
    init() { LoopThread.start }

    private func request(_ id: Int, since: Int64 = 0) -> AgentRequest {
        AgentRequest(
            id: RequestID(id), method: "session/request_permission", session: "s", line: [], params: [], since: since,
            options: [])
    }

    @Test @LoopActor func eachRequestHasItsOwnDeadline() {
        let loop = ManualLoop()
        let clock = PermissionClock(limit: .seconds(5), scheduler: loop)
        var lapsed: [PermissionClock.Key] = []
        clock.run(for: [request(1)]) { lapsed.append($0) }
        loop.advance(by: .seconds(3))
        clock.run(for: [request(1), request(2)]) { lapsed.append($0) }
        loop.advance(by: .seconds(2))
        #expect(lapsed.map(\.id) == [RequestID(1)])
        loop.advance(by: .seconds(3))
        #expect(lapsed.map(\.id) == [RequestID(1), RequestID(2)])
    }

    @Test @LoopActor func anAnsweredRequestDoesNotExpire() {
        let loop = ManualLoop()
        let clock = PermissionClock(limit: .seconds(5), scheduler: loop)
        var lapsed: [PermissionClock.Key] = []
        clock.run(for: [request(1)]) { lapsed.append($0) }
        clock.run(for: [request(1, since: 1)]) { lapsed.append($0) }
        loop.advance(by: .seconds(5))
        #expect(lapsed.map(\.since) == [1], "the id was reused")
    }

    @Test @LoopActor func requestsDoNotExpireWithoutALimit() {
        let loop = ManualLoop()
        var lapsed = 0
        PermissionClock(limit: nil, scheduler: loop).run(for: [request(1)]) { _ in lapsed += 1 }
        loop.advance(by: .seconds(100_000))
        #expect(lapsed == 0)
    }
}
