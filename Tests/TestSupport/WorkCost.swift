import Glibc

/// The processor time that a piece of work takes for a number of elements, and for four times as many.
package struct WorkCost: CustomStringConvertible {
    private let count: Int
    private let few: Int
    private let many: Int

    /// - Parameter work: does all the work for the given number of elements. The shortest of three times counts.
    package init(of count: Int = 4_000, _ work: (Int) -> Void) {
        self.count = count
        few = Self.leastTime { work(count) }
        many = Self.leastTime { work(4 * count) }
    }

    /// The shortest processor time, in nanoseconds, of three calls.
    package static func leastTime(of work: () -> Void) -> Int { (0..<3).map { _ in threadTime(work) }.min() ?? 0 }

    /// True if four times as many elements take about four times the time. A pass over all elements for each element
    /// would take sixteen times as long.
    package var isLinear: Bool { many < 9 * few }

    package var description: String { "\(few) ns for \(count), \(many) ns for four times as many" }

    /// Nanoseconds of this thread's processor time. Work of other threads does not count.
    private static func threadTime(_ work: () -> Void) -> Int {
        let before = threadNanoseconds
        work()
        return threadNanoseconds - before
    }

    private static var threadNanoseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
