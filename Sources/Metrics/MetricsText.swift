/// Writes samples in Prometheus' text format. Pure. Source: the text-based exposition format, version 0.0.4.
package struct MetricsText: Sendable {
    package enum Kind: String, Sendable { case counter, gauge }

    /// The names and values of a sample's labels, in their order.
    package typealias Labels = KeyValuePairs<String, String>

    package private(set) var text = ""

    package init() {}

    /// Writes a metric with one sample and no labels.
    package mutating func write(_ name: String, _ kind: Kind, _ help: String, _ value: Int64) {
        begin(name, kind.rawValue, help)
        text += "\(name) \(value)\n"
    }

    /// Writes a metric in seconds.
    package mutating func write(_ name: String, _ kind: Kind, _ help: String, nanoseconds: Int64) {
        begin(name, kind.rawValue, help)
        text += "\(name) \(Self.seconds(nanoseconds))\n"
    }

    /// Writes a metric with one sample for each set of labels. The sets must differ.
    package mutating func write(
        _ name: String, _ kind: Kind, _ help: String, _ samples: [(labels: Labels, value: Int64)]
    ) {
        begin(name, kind.rawValue, help)
        for sample in samples { text += "\(name)\(Self.labels(sample.labels)) \(sample.value)\n" }
    }

    /// Writes a metric with one sample for each set of labels. The sets must differ.
    package mutating func write(
        _ name: String, _ kind: Kind, _ help: String, amounts samples: [(labels: Labels, value: Double)]
    ) {
        begin(name, kind.rawValue, help)
        for sample in samples { text += "\(name)\(Self.labels(sample.labels)) \(sample.value)\n" }
    }

    /// Writes a histogram in seconds: `NAME_bucket{le="0.001"}` for each bound, `NAME_sum` and `NAME_count`.
    package mutating func write(_ name: String, _ help: String, _ histogram: Histogram) {
        begin(name, "histogram", help)
        var total: UInt64 = 0
        for (bound, count) in zip(histogram.bounds, histogram.counts) {
            total += count
            text += "\(name)_bucket{le=\"\(Self.seconds(bound))\"} \(total)\n"
        }
        text += "\(name)_bucket{le=\"+Inf\"} \(histogram.count)\n"
        text += "\(name)_sum \(Self.seconds(histogram.sum))\n\(name)_count \(histogram.count)\n"
    }

    private mutating func begin(_ name: String, _ kind: String, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
    }

    private static func labels(_ labels: Labels) -> String {
        let pairs = labels.map { name, value in "\(name)=\"\(escaped(value))\"" }
        return pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}"
    }

    /// The format escapes the backslash, the quote and the line feed. Other control characters are replaced, because a
    /// reader that splits lines at them would fail.
    private static func escaped(_ value: String) -> String {
        var escaped = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            case _ where scalar.properties.generalCategory == .control, "\u{2028}", "\u{2029}": escaped += "\u{fffd}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// The exact number, without an exponent: `0.00025`, `10`.
    private static func seconds(_ nanoseconds: Int64) -> String {
        let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        guard rest != 0 else { return String(whole) }
        let digits = String(rest.magnitude)
        var fraction = String(repeating: "0", count: 9 - digits.count) + digits
        while fraction.hasSuffix("0") { fraction.removeLast() }
        return "\(nanoseconds < 0 && whole == 0 ? "-" : "")\(whole).\(fraction)"
    }
}
