import BenchMeasuring

/// All outcomes as a table for a person: one figure per row, medians first, with a comparison with the other systems.
struct TableReport {
    private var outcomes: [Outcome] = []

    mutating func add(_ outcomes: [Outcome]) { self.outcomes += outcomes }

    func text() -> String {
        let rows = [header] + outcomes.flatMap(rows)
        let widths = header.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let line = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }

    private var header: [String] {
        ["benchmark", "system", "with", "figure", "median", "min", "max"] + others.map { "to \($0.rawValue)" }
    }

    private var others: [System] {
        System.allCases.filter { system in system != .acpbridge && outcomes.contains { $0.subject.system == system } }
    }

    private func rows(_ outcome: Outcome) -> [[String]] {
        let subject = outcome.subject
        let settings = subject.settings.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
        return outcome.spreads.map { quantity, spread in
            let (words, divisor) = quantity.label
            let numbers = [spread.median, spread.least, spread.greatest].map { NumberText.of($0 / divisor) }
            let ratios = others.map { outcome.ratio(of: quantity, to: $0, among: outcomes) }
            return [subject.benchmark, subject.system.rawValue, settings, words] + numbers
                + ratios.map { $0.map { NumberText.of($0) + "x" } ?? "" }
        }
    }
}
