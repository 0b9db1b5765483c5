import BenchMeasuring
import JSONScan

/// `{"benchmark":"fanout","system":"acpbridge","subscribers":10,…,"measurements":5,
/// "updatesPerSecond":{"median":412000.5,"min":…,"max":…,"to":{"c":0.91}},…}`
enum JSONReport {
    /// - Parameter outcomes: The outcomes that this one can be compared with.
    static func line(_ outcome: Outcome, among outcomes: [Outcome] = []) -> String {
        let text = JSONWriter.object { writer in
            writer.member("benchmark", outcome.subject.benchmark)
            writer.member("system", outcome.subject.system.rawValue)
            for setting in outcome.subject.settings { writer.member(setting.name, setting.value) }
            writer.member("measurements", outcome.measurements)
            for (quantity, spread) in outcome.spreads {
                writer.memberObject(quantity.rawValue) { writer in
                    writer.member("median", spread.median)
                    writer.member("min", spread.least)
                    writer.member("max", spread.greatest)
                    writeRatios(of: quantity, outcome, outcomes, to: &writer)
                }
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func writeRatios(
        of quantity: Quantity, _ outcome: Outcome, _ outcomes: [Outcome], to writer: inout JSONWriter
    ) {
        let ratios = System.allCases.compactMap { system in
            outcome.ratio(of: quantity, to: system, among: outcomes).map { (system, $0) }
        }.filter { $0.0 != .acpbridge }
        guard !ratios.isEmpty else { return }
        writer.memberObject("to") { writer in
            for (system, ratio) in ratios { writer.member(system.rawValue, ratio) }
        }
    }
}
