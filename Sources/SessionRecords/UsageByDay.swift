/// The usage of the sessions of a log on some days, by agent. Subagents and imported sessions are left out. Pure.
package struct UsageByDay: Sendable, Equatable {
    /// The newest day first. Days without usage are left out.
    package var sums: [Sum]
    /// Older sums are missing, because there are more than ``limit``.
    package var isPart: Bool

    /// The most sums of one answer. A sum takes 1.5 KiB at most, and usually 200 bytes.
    package static let limit = 3_000

    package init(sums: [Sum] = [], isPart: Bool = false) { (self.sums, self.isPart) = (sums, isPart) }

    /// The usage of one agent's sessions on one day.
    package struct Sum: Sendable, Equatable {
        /// The beginning of the day as the request has it, in milliseconds since 1970.
        package let startTs: Int64
        package let agent: String
        /// The sessions whose usage has grown on this day.
        package let sessions: Int64
        package let tokens: Tokens
        /// One for each currency, by its name.
        package var costs: [Cost]

        package init(startTs: Int64, agent: String, sessions: Int64, tokens: Tokens, costs: [Cost] = []) {
            self.startTs = startTs
            self.agent = agent
            self.sessions = sessions
            self.tokens = tokens
            self.costs = costs
        }
    }

    /// Consumed tokens.
    package struct Tokens: Sendable, Equatable {
        package let total: Int64
        package let input: Int64
        package let output: Int64
        package let cachedRead: Int64
        package let cachedWrite: Int64

        package init(total: Int64, input: Int64, output: Int64, cachedRead: Int64, cachedWrite: Int64) {
            self.total = total
            self.input = input
            self.output = output
            self.cachedRead = cachedRead
            self.cachedWrite = cachedWrite
        }
    }

    package struct Cost: Sendable, Equatable {
        package let amount: Double
        package let currency: String

        package init(amount: Double, currency: String) { (self.amount, self.currency) = (amount, currency) }
    }
}
