import JSONScan

/// Numbers of tokens that an agent has consumed. Pure.
package struct TokenCount: Sendable, Equatable {
    package private(set) var total: Int64 = 0
    package private(set) var input: Int64 = 0
    package private(set) var output: Int64 = 0
    package private(set) var cachedRead: Int64 = 0
    package private(set) var cachedWrite: Int64 = 0

    package init() {}

    /// Reads ACP's `Usage`: `{"totalTokens":60,"inputTokens":3,"outputTokens":7,"cachedReadTokens":40,"cachedWriteTokens":10}`.
    /// A number that is missing or below 0 counts as 0. Returns nil if none is above 0.
    package init?(report: JSONValue?) {
        func number(_ name: String) -> Int64 { max(0, report?[name]?.int64Value ?? 0) }
        (input, output) = (number("inputTokens"), number("outputTokens"))
        (cachedRead, cachedWrite) = (number("cachedReadTokens"), number("cachedWriteTokens"))
        total = number("totalTokens")
        if total == 0 {
            for part in [input, output, cachedRead, cachedWrite] { total = Self.sum(total, part) }
        }
        if total == 0 { return nil }
    }

    /// Reads what ``write(to:)`` writes.
    package init?(stored: JSONValue?) {
        func number(_ name: String) -> Int64 { max(0, stored?[name]?.int64Value ?? 0) }
        (total, input, output) = (number("total"), number("input"), number("output"))
        (cachedRead, cachedWrite) = (number("cachedRead"), number("cachedWrite"))
        if total == 0 { return nil }
    }

    /// Writes `"total":60,"input":3,"output":7,"cachedRead":40,"cachedWrite":10`.
    package func write(to writer: inout JSONWriter) {
        writer.member("total", total)
        writer.member("input", input)
        writer.member("output", output)
        writer.member("cachedRead", cachedRead)
        writer.member("cachedWrite", cachedWrite)
    }

    package var json: [UInt8] { JSONWriter.object { write(to: &$0) } }

    /// The numbers that are above those of `other`, less these.
    package func growth(since other: TokenCount) -> TokenCount { combined(with: other) { max(0, $0 - $1) } }

    package static func + (one: TokenCount, other: TokenCount) -> TokenCount { one.combined(with: other, sum) }

    /// True if no number is below that of `other`.
    fileprivate func isAtLeast(_ other: TokenCount) -> Bool {
        total >= other.total && input >= other.input && output >= other.output && cachedRead >= other.cachedRead
            && cachedWrite >= other.cachedWrite
    }

    private func combined(with other: TokenCount, _ operation: (Int64, Int64) -> Int64) -> TokenCount {
        var result = TokenCount()
        result.total = operation(total, other.total)
        result.input = operation(input, other.input)
        result.output = operation(output, other.output)
        result.cachedRead = operation(cachedRead, other.cachedRead)
        result.cachedWrite = operation(cachedWrite, other.cachedWrite)
        return result
    }

    /// An agent can report any number.
    private static func sum(_ one: Int64, _ other: Int64) -> Int64 {
        let (sum, overflows) = one.addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}

/// The tokens of one run of an agent in one session, from its reports at the ends of turns. Pure.
///
/// ACP has not decided whether such a report is of the turn or of the session, and agents differ. A report of a turn is added
/// to the earlier ones. If no number falls in three reports or more, they are sums, and the last one counts: the parts of
/// turns vary. After eight such reports a fall begins a new sum, for example because the conversation was cleared.
struct TokenReports: Sendable, Equatable {
    /// The sums that a later fall has ended.
    private var base = TokenCount()
    private var sum = TokenCount()
    private var last = TokenCount()
    private var count = 0
    private var areGrowing = true

    /// Fewer reports can grow by chance.
    private static let evidence = 3
    private static let certainty = 8

    var tokens: TokenCount { base + (areGrowing && count >= Self.evidence ? last : sum) }
    var isEmpty: Bool { count == 0 }

    mutating func add(_ report: TokenCount) {
        if areGrowing, count == Self.certainty, !report.isAtLeast(last) {
            base = base + last
        } else {
            areGrowing = areGrowing && report.isAtLeast(last)
        }
        sum = sum + report
        last = report
        count = min(count + 1, Self.certainty)
    }

    init() {}

    // MARK: The hand-over

    init?(_ value: JSONValue) {
        guard let count = value["count"]?.int64Value, (1...Int64(Self.certainty)).contains(count),
            let sum = TokenCount(stored: value["sum"]), let last = TokenCount(stored: value["last"])
        else { return nil }
        (self.sum, self.last, self.count) = (sum, last, Int(count))
        areGrowing = value["growing"]?.boolValue == true
        base = TokenCount(stored: value["base"]) ?? TokenCount()
    }

    func write(to writer: inout JSONWriter) {
        writer.member("count", count)
        writer.member("growing", areGrowing)
        writer.memberObject("sum") { sum.write(to: &$0) }
        writer.memberObject("last") { last.write(to: &$0) }
        writer.memberObject("base") { base.write(to: &$0) }
    }
}
