import JSONScan

/// `{"benchmark":"fanout","system":"acpbridge","subscribers":10,…,"measurements":5,
/// "updatesPerSecond":{"median":412000.5,"min":…,"max":…},…}`
enum JSONReport {
    static func line(_ outcome: Outcome) -> String {
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
                }
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
