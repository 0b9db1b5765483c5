/// The results of several runs of one measurement.
package struct Spread: Equatable {
    package let median: Double
    package let least: Double
    package let greatest: Double

    /// Nil without values.
    init?(of values: [Double]) {
        let sorted = values.sorted()
        guard let first = sorted.first, let last = sorted.last else { return nil }
        least = first
        greatest = last
        let middle = sorted.count / 2
        median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
