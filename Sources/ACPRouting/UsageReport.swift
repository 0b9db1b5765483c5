import FieldLimits
import JSONScan

/// The usage of one session as its agent has reported it, joined from its updates of the kind `usage_update`. Pure.
///
/// One update has the cost, and another one the rate limit. So each value counts until the next one. The cost is that of
/// the whole session, so it is never added up.
package struct UsageReport: Sendable, Equatable {
    package struct Cost: Sendable, Equatable {
        package let amount: Double
        /// Such as `USD`. At most ``UsageReport/currencyLimitBytes`` bytes.
        package let currency: String
    }

    /// Tokens in the context.
    package private(set) var used: Int64?
    /// The size of the context in tokens.
    package private(set) var size: Int64?
    package private(set) var cost: Cost?
    package private(set) var rateLimit: RateLimit?

    /// ISO 4217 has three letters, and some agents count in credits.
    private static let currencyLimitBytes = 16

    package init() {}

    /// Applies a `usage_update`. A value of a wrong type or outside of the limits counts as missing.
    package mutating func apply(_ update: JSONValue) {
        if let used = update["used"]?.int64Value, let size = update["size"]?.int64Value {
            (self.used, self.size) = (used, size)
        }
        if let value = update["cost"] { cost = Self.cost(value) }
        rateLimit = RateLimit(update) ?? rateLimit
    }

    private static func cost(_ value: JSONValue) -> Cost? {
        guard let amount = value["amount"]?.doubleValue, amount.isFinite,
            let currency = value["currency"]?.stringValue?.within(bytes: currencyLimitBytes)
        else { return nil }
        return Cost(amount: amount, currency: currency)
    }

    // MARK: JSON

    /// `{"used":12000,"size":200000,"cost":{"amount":0.42,"currency":"USD"}}`. Nil if nothing of it was reported.
    package var json: [UInt8]? {
        guard used != nil || cost != nil else { return nil }
        return JSONWriter.object { write(to: &$0) }
    }

    private func write(to writer: inout JSONWriter) {
        writer.member("used", ifPresent: used)
        writer.member("size", ifPresent: size)
        if let cost {
            writer.memberObject("cost") { writer in
                writer.member("amount", cost.amount)
                writer.member("currency", cost.currency)
            }
        }
    }

    /// The form in which the log stores the report: ``json`` with the member `rateLimit`.
    package var storedText: String {
        let text = JSONWriter.object { writer in
            write(to: &writer)
            if let rateLimit { writer.memberObject("rateLimit") { rateLimit.write(to: &$0) } }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads ``storedText``.
    package init(storedText: String) {
        guard let value = try? JSONValue(validating: Array(storedText.utf8)) else { return }
        apply(value)
        rateLimit = value["rateLimit"].flatMap(RateLimit.init(stored:))
    }
}
