/// The params of `usage:byDay`: `{"starts":[1763683200000,1763769600000]}`.
///
/// The client computes the beginnings of its days, so the bridge needs no time zones, and a day on which the clocks change has
/// 23 or 25 hours.
public struct UsageByDayRequest: Sendable {
    /// Milliseconds since 1970, in rising order. The last day has no end.
    public let starts: [Int64]

    /// A year.
    public static let dayLimit = 366

    public init(_ params: Parameters) throws(Rejection) {
        guard let elements = params.value("starts")?.elements(atMost: Self.dayLimit), !elements.isEmpty else {
            throw Self.invalid
        }
        let starts = elements.compactMap(\.int64Value)
        guard starts.count == elements.count, starts.allSatisfy((0...Self.lastTime).contains),
            zip(starts, starts.dropFirst()).allSatisfy({ $0 < $1 })
        else { throw Self.invalid }
        self.starts = starts
    }

    /// 2^53 - 1, which every JSON parser reads exactly.
    private static let lastTime: Int64 = 9_007_199_254_740_991

    private static let invalid = Rejection.invalidParams(
        "starts must be an array of 1 to \(dayLimit) times in milliseconds since 1970, each later than the one before")
}
