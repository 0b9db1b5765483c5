import Testing

@testable import Metrics

@Suite struct HistogramTests {
    @Test func aBoundBelongsToItsOwnBucket() {
        var histogram = Histogram(bounds: [10, 20])
        for duration: Int64 in [0, 10, 11, 20, 21, .max] { histogram.observe(nanoseconds: duration) }
        #expect(histogram.counts == [2, 2, 2])
        #expect(histogram.count == 6)
    }

    @Test func aNegativeDurationCountsAsZeroAndTheSumStopsAtItsLargestValue() {
        var histogram = Histogram(bounds: [10])
        histogram.observe(nanoseconds: -5)
        #expect(histogram.counts == [1, 0] && histogram.sum == 0)
        histogram.observe(nanoseconds: .max)
        histogram.observe(nanoseconds: 1)
        #expect(histogram.sum == .max)
    }

    @Test(arguments: [Histogram.ofLatencies, .ofWaits])
    func theBoundsRise(histogram: Histogram) {
        #expect(zip(histogram.bounds, histogram.bounds.dropFirst()).allSatisfy { $0 < $1 })
        #expect(histogram.bounds.count <= 16)
    }
}

@Suite struct MetricsTextTests {
    @Test func theBucketsOfAHistogramAreCumulated() {
        var histogram = Histogram(bounds: [250_000, 1_000_000_000])
        for duration: Int64 in [1, 250_001, 3_000_000_000] { histogram.observe(nanoseconds: duration) }
        var text = MetricsText()
        text.write("a_seconds", "Help.", histogram)
        #expect(
            text.text == """
                # HELP a_seconds Help.
                # TYPE a_seconds histogram
                a_seconds_bucket{le="0.00025"} 1
                a_seconds_bucket{le="1"} 2
                a_seconds_bucket{le="+Inf"} 3
                a_seconds_sum 3.000250002
                a_seconds_count 3

                """)
    }

    @Test func labelsAreEscaped() {
        var text = MetricsText()
        text.write("a", .gauge, "Help.", [(["agent": "a\"b\\c\nd\re\u{2028}"], 1)])
        #expect(text.text.hasSuffix("\na{agent=\"a\\\"b\\\\c\\nd\u{fffd}e\u{fffd}\"} 1\n"))
    }

    @Test func secondsAreExact() {
        var text = MetricsText()
        text.write("a", .gauge, "Help.", nanoseconds: 1_000_000_001)
        text.write("b", .gauge, "Help.", nanoseconds: -500_000_000)
        #expect(text.text.contains("\na 1.000000001\n"))
        #expect(text.text.contains("\nb -0.5\n"))
    }
}
