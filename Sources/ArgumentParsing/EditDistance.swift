/// Returns the name that `text` most likely means: a name that begins with `text`, or else the name with the
/// smallest edit distance. At most one edit for every three bytes of the name is allowed. Of two names with the
/// same distance, the one with the same first letter wins. Returns nil if no name is close enough.
package func nearest(to text: String, among names: [String]) -> String? {
    let stem = text.drop { $0 == "-" }
    if stem.utf8.count >= 2, let longer = names.first(where: { $0.hasPrefix(text) }) { return longer }
    var best: (name: String, rank: Int)?
    for name in names {
        let bareName = name.drop { $0 == "-" }
        let limit = max(1, bareName.utf8.count / 3)
        // Compare the lengths first, so that a long argument costs nothing.
        guard stem.utf8.count >= 2, abs(name.utf8.count - text.utf8.count) <= limit else { continue }
        let distance = editDistance(Array(text.utf8), Array(name.utf8))
        let rank = 2 * distance + (stem.first == bareName.first ? 0 : 1)
        if distance <= limit, rank < best?.rank ?? .max { best = (name, rank) }
    }
    return best?.name
}

/// The number of insertions, deletions, replacements and transpositions of adjacent bytes that turn one text into
/// the other (the Damerau-Levenshtein distance in its variant "optimal string alignment", which edits no part
/// twice).
func editDistance(_ from: [UInt8], _ to: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...to.count)
    for (row, byte) in from.enumerated() {
        var current = [row + 1]
        for (column, other) in to.enumerated() {
            var cost = min(last[column + 1] + 1, current[column] + 1, last[column] + (byte == other ? 0 : 1))
            if row > 0, column > 0, byte == to[column - 1], from[row - 1] == other {
                cost = min(cost, beforeLast[column - 1] + 1)
            }
            current.append(cost)
        }
        (beforeLast, last) = (last, current)
    }
    return last[to.count]
}
