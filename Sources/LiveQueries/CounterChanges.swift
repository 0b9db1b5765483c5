import JSONScan
import Tinyvex

extension QueryName {
    /// The members that change with almost every update of an agent. A value that differs from the last one only in them
    /// can be sent later.
    private var counters: Set<String> {
        switch self {
        case .sessionsList: Self.countersOfList
        case .sessionsGet: Self.countersOfSession
        default: []
        }
    }

    private static let countersOfList: Set = ["lastTs", "updateCount", "usage", "tokens", "rateLimit"]
    private static let countersOfSession = countersOfList.union(["lastSeq", "costs", "omitted"])

    /// Returns true if two values differ in nothing but counters, times of activity, and the order of a list by these times.
    func differOnlyInCounters(_ old: [UInt8], _ new: [UInt8]) -> Bool {
        guard !counters.isEmpty, let old = try? JSONValue(validating: old), let new = try? JSONValue(validating: new)
        else { return false }
        guard self == .sessionsList else { return constants(of: old) == constants(of: new) }
        return rows(of: old) == rows(of: new) && old["total"]?.rawText == new["total"]?.rawText
    }

    /// The rows of a list, in no order: that of `recent` follows the times, and that of `waiting` the `waitingTs` of the rows.
    private func rows(of list: JSONValue) -> Set<[[UInt8]]> { Set(list["data"]?.elements.map(constants) ?? []) }

    /// The members of an object that are not counters.
    private func constants(of object: JSONValue) -> [[UInt8]] {
        let counters = counters
        return object.members.flatMap {
            counters.contains($0.name) ? [] : [Array($0.name.utf8), Array($0.value.rawText)]
        }
    }
}
