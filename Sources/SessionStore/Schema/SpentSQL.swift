import SQLite

/// The SQL of the table `spent`: the usage of each session in each quarter of an hour. Pure.
///
/// Agents report sums, and `session.usage` has the newest ones. A trigger notes by how much they grow whenever they are stored,
/// which is at the end of a turn. So a turn counts as a whole when it ends, and no sum is counted twice. The days of all time
/// zones begin with a quarter of an hour.
///
/// Numbers are floating-point numbers: an agent can report any integer, and a sum of integers that overflows would be an error.
/// The log would then refuse the session's end.
enum SpentSQL {
    /// In milliseconds.
    static let quarterHour = 900_000

    static let objects: [SchemaObject] = [
        .table(
            "spent", isClustered: true,
            """
            quarter INTEGER NOT NULL,
            sid INTEGER NOT NULL,
            currency TEXT NOT NULL,
            amount REAL NOT NULL,
            total REAL NOT NULL,
            input REAL NOT NULL,
            output REAL NOT NULL,
            cached_read REAL NOT NULL,
            cached_write REAL NOT NULL,
            PRIMARY KEY(quarter, sid, currency)
            """),
        .index("spent_sid", on: "spent", "(sid)"),
        .trigger(
            "session_spent", "AFTER UPDATE OF usage", on: "session",
            """
            WHEN new.usage IS NOT old.usage AND json_valid(new.usage) BEGIN
                INSERT INTO spent(quarter, sid, currency, amount, \(list(tokens.map(\.column))))
                VALUES(new.last_ts / \(quarterHour), new.sid, \(currency("new")), \(growthOfCost), \(growthOfTokens))
                ON CONFLICT(quarter, sid, currency) DO UPDATE SET
                    \(list((["amount"] + tokens.map(\.column)).map { "\($0) = coalesce(\($0) + excluded.\($0), 0)" }));
            END
            """),
        .trigger(
            "session_unspent", "AFTER DELETE", on: "session",
            """
            BEGIN
                DELETE FROM spent WHERE sid = old.sid;
            END
            """),
    ]

    /// Counts what the session `?` has used until now at its last activity.
    static let fillOne = fill + " AND sid = ?"

    /// Counts what existing sessions have used until now at their last activity.
    static let fill = """
        INSERT INTO spent
        SELECT last_ts / \(quarterHour), sid, \(currency("s")), \(number("s", "cost.amount")),
            \(tokens.map { number("s", "tokens.\($0.member)") }.joined(separator: ", "))
        FROM session s WHERE gone = 0 AND json_valid(usage)
        """

    /// The columns of tokens, and the members of `tokens` in `session.usage`.
    private static let tokens: [(column: String, member: String)] = [
        ("total", "total"), ("input", "input"), ("output", "output"), ("cached_read", "cachedRead"),
        ("cached_write", "cachedWrite"),
    ]

    /// A loop, because `joined` first searches all conformances of the program, and a new log waits for it.
    private static func list(_ parts: [String]) -> String {
        var text = ""
        for part in parts { text += text.isEmpty ? part : ", \(part)" }
        return text
    }

    private static func currency(_ row: String) -> String {
        "CAST(coalesce(\(row).usage ->> '$.cost.currency', '') AS TEXT)"
    }

    /// 0 for a missing number.
    private static func number(_ row: String, _ path: String) -> String {
        "coalesce(CAST(\(row).usage ->> '$.\(path)' AS REAL), 0.0)"
    }

    /// What the table has of this currency is counted already, also if reports without a cost or in another currency came
    /// between.
    private static let growthOfCost = """
        coalesce(\(number("new", "cost.amount"))
            - coalesce((SELECT sum(amount) FROM spent WHERE sid = new.sid AND currency = \(currency("new"))), 0.0), 0.0)
        """

    private static let growthOfTokens = list(
        tokens.map {
            let earlier = "CASE WHEN json_valid(old.usage) THEN \(number("old", "tokens.\($0.member)")) ELSE 0.0 END"
            return "\(number("new", "tokens.\($0.member)")) - \(earlier)"
        })

    // MARK: Reading

    /// `?1`: the days' beginnings as a JSON array, `?2`: the tenant.
    private static let days = """
        WITH day(start, first, next) AS MATERIALIZED (
            SELECT value, value / \(quarterHour), lead(value / \(quarterHour), 1, 9223372036854775807) OVER (ORDER BY value)
            FROM json_each(?1))
        """
    private static let rows = """
        FROM day CROSS JOIN spent ON quarter >= first AND quarter < next JOIN session s ON s.sid = spent.sid
        WHERE s.gone = 0 AND s.parent IS NULL AND (?2 IS NULL OR s.tenant = ?2)
        """

    /// The day, the agent, the sessions and their tokens.
    static let sums = """
        \(days) SELECT start, s.agent, count(DISTINCT s.sid),
            \(tokens.map { "sum(\($0.column))" }.joined(separator: ", ")) \(rows)
        GROUP BY start, s.agent ORDER BY start DESC, s.agent LIMIT ?3
        """

    /// The day, the agent, the currency and the amount, in the order of ``sums``.
    static let costs = """
        \(days) SELECT start, s.agent, currency, sum(amount) \(rows) AND currency <> ''
        GROUP BY start, s.agent, currency ORDER BY start DESC, s.agent, currency
        """
}
