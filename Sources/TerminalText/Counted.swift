/// A count with its noun in the right number: `1 session`, `2 sessions`, `0 sessions`.
///
/// - Parameter plural: for a noun that needs more than an `s`.
package func counted(_ count: some BinaryInteger, _ noun: String, plural: String? = nil) -> String {
    "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
}
