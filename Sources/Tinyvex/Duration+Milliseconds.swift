extension Duration {
    /// The whole milliseconds, rounded towards zero. A duration of more than 292 million years counts as that long, and a negative one as
    /// none.
    package var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (milliseconds, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000)
        if isTooLong { return seconds < 0 ? 0 : .max }
        let (sum, isTooLarge) = milliseconds.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return isTooLarge ? .max : max(0, sum)
    }
}
