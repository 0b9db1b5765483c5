/// The range of the numbers of updates and of timeline entries.
package enum UpdateNumber {
    /// Larger numbers of a client, a peer or a hub are refused: no session has so many updates, and the sum of two numbers
    /// below it always fits.
    package static let limit = Int64.max / 2

    /// The numbers that are accepted from outside. Zero is the one before the first.
    package static let range = 0..<limit

    /// The nearest number of the range, for a record in a damaged file.
    package static func clamped(_ number: Int64) -> Int64 { min(max(0, number), limit - 1) }
}
