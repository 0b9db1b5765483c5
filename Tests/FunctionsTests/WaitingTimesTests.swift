import Testing

@testable import Functions

@Suite struct WaitingTimesTests {
    @Test func theOldestRequestCountsAndTheLongestWaitingSessionIsFirst() {
        var times = WaitingTimes()
        times.add("9f03c2aa-2-1", at: 30)
        times.add("9f03c2aa-1-1", at: 20)
        times.add("9f03c2aa-2-3", at: 10)
        times.add("9f03c2aa-2-3", at: 40)
        times.add("9f03c2aa-4-1", at: 20)
        #expect(times.sids == [2, 1, 4])
        #expect(times[2] == 10 && times[1] == 20 && times[3] == nil)
    }

    @Test func aRequestWithoutASessionIsLeftOut() {
        var times = WaitingTimes()
        times.add(nil, at: 1)
        times.add("", at: 1)
        #expect(times.sids.isEmpty)
    }
}
