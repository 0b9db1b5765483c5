import Glibc
import Testing

@testable import BenchMeasuring

@Suite struct SpreadTests {
    @Test(arguments: [
        ([5.0], 5.0, 5.0, 5.0), ([3, 1, 2], 2, 1, 3), ([4, 1, 3, 2], 2.5, 1, 4), ([7, 7, 1], 7, 1, 7),
    ])
    func theMedianIsTheMiddleValue(values: [Double], median: Double, least: Double, greatest: Double) throws {
        let spread = try #require(Spread(of: values))
        #expect(spread.median == median)
        #expect(spread.least == least)
        #expect(spread.greatest == greatest)
    }

    @Test func noValuesHaveNoSpread() { #expect(Spread(of: []) == nil) }
}

@Suite struct LatenciesTests {
    @Test(arguments: [(50.0, Int64(50)), (99, 99), (100, 100), (0, 1), (0.5, 1), (1.5, 2)])
    func aPercentileIsTheNearestRank(percent: Double, expected: Int64) {
        var latencies = Latencies()
        for sample in (1...100).reversed() { latencies.add(Int64(sample)) }
        #expect(latencies.percentile(percent) == expected)
    }

    @Test func aSingleSampleIsEveryPercentile() {
        var latencies = Latencies()
        latencies.add(7)
        #expect(latencies.percentile(1) == 7)
        #expect(latencies.percentile(99) == 7)
    }

    @Test func noSamplesHaveNoPercentile() { #expect(Latencies().percentile(50) == nil) }
}

@Suite struct ProcessStatisticsTests {
    @Test func aFieldIsReadInBytes() {
        let status = "Name:\tacpbridge\nVmRSSX:\t1 kB\nVmRSS:\t    8192 kB\nThreads:\t4\n"
        #expect(ProcessStatistics.bytes(of: "VmRSS", status: status) == 8_388_608)
        #expect(ProcessStatistics.bytes(of: "Threads", status: status) == nil)
        #expect(ProcessStatistics.bytes(of: "VmSwap", status: status) == nil)
    }
}

@Suite struct ProcessProbeTests {
    @Test func cpuTimeGrowsWithWork() throws {
        let probe = ProcessProbe(pid: getpid())
        let before = try probe.cpuTime()
        // Far less than a tick of 10 ms.
        var sum = 0
        for number in 0..<100_000 { sum &+= number.hashValue }
        #expect(try probe.cpuTime() > before, "\(sum)")
    }

    /// Linux never assigns a process id above 2²².
    @Test func aMissingProcessHasNoCPUTime() {
        #expect(throws: BenchFailure.self) { try ProcessProbe(pid: 4_194_305).cpuTime() }
    }
}
