import Glibc
import Testing

/// Expects that work on four times as many elements takes about four times the processor time of this thread. A pass
/// over all elements for each element would take sixteen times as long.
///
/// - Parameter work: does all the work for the given number of elements. The shortest of three times counts.
func expectLinearCost(
    of count: Int = 4_000, sourceLocation: SourceLocation = #_sourceLocation, _ work: (Int) -> Void
) {
    func cost(_ count: Int) -> Int { (0..<3).map { _ in threadTime { work(count) } }.min() ?? 0 }
    let (few, many) = (cost(count), cost(4 * count))
    #expect(many < 9 * few, "\(few) ns for \(count), \(many) ns for four times as many", sourceLocation: sourceLocation)
}

/// Nanoseconds of this thread's processor time. Work of other threads does not count.
private func threadTime(_ work: () -> Void) -> Int {
    let before = threadNanoseconds
    work()
    return threadNanoseconds - before
}

private var threadNanoseconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}
