/// All outcomes for a person: one figure a row, medians first.
struct TableReport {
    private var outcomes: [Outcome] = []

    private static let header = ["benchmark", "system", "with", "figure", "median", "min", "max", "to direct"]

    mutating func add(_ outcome: Outcome) { outcomes.append(outcome) }

    func text() -> String {
        let rows = [Self.header] + outcomes.flatMap(rows)
        let widths = Self.header.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let line = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }

    private func rows(_ outcome: Outcome) -> [[String]] {
        let subject = outcome.subject
        let settings = subject.settings.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
        return outcome.spreads.map { quantity, spread in
            let (words, divisor) = quantity.label
            let numbers = [spread.median, spread.least, spread.greatest].map { NumberText.of($0 / divisor) }
            return [subject.benchmark, subject.system.rawValue, settings, words] + numbers
                + [ratio(subject, quantity, spread)]
        }
    }

    /// How the median compares with that of the direct way, where both were measured.
    private func ratio(_ subject: Subject, _ quantity: Quantity, _ spread: Spread) -> String {
        guard subject.system != .direct else { return "" }
        var direct = subject
        direct.system = .direct
        let other = outcomes.first { $0.subject == direct }?.spreads.first { $0.quantity == quantity }?.spread
        guard let other, other.median > 0 else { return "" }
        return NumberText.of(spread.median / other.median) + "x"
    }
}
