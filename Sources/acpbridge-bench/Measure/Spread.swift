/// The results of several runs of one measurement.
struct Spread: Equatable {
    let median: Double
    let least: Double
    let greatest: Double

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
