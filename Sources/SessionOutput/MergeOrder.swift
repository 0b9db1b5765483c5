/// Decides whose lines are printed next, if the histories of several streams are printed in the order of time. Pure.
///
/// A stream takes part until its history is over. The next line is the earliest one of all, so no line is printed while the
/// next line of a stream that takes part is unknown. Lines of other streams wait until they are the earliest, too.
struct MergeOrder {
    /// The place of a line in the output. Lines of the same time are in the order of the streams.
    struct Place: Comparable {
        /// Milliseconds since 1970.
        let time: Int64
        let stream: Int

        static func < (left: Place, right: Place) -> Bool { (left.time, left.stream) < (right.time, right.stream) }
    }

    /// The streams whose histories are not over. About 20 bytes for each, and as much in `heads`.
    private var members: Set<Int> = []
    /// The time of each stream's next line, if that is known.
    private var heads: [Int: Int64] = [:]

    /// No stream takes part any longer: lines are printed when they come.
    var isOver: Bool { members.isEmpty }

    mutating func join(_ stream: Int) { members.insert(stream) }

    /// Call when the stream's history is over.
    mutating func leave(_ stream: Int) { members.remove(stream) }

    /// - Parameter time: That of the stream's next line; nil if it is unknown.
    mutating func setNext(_ time: Int64?, of stream: Int) { heads[stream] = time }

    /// Stops waiting for the streams whose next lines are unknown.
    mutating func leaveOutUnknown() { members = members.filter { heads[$0] != nil } }

    /// The stream that can print its next line, and the place of the next line of another stream, if one is known. Nil if a
    /// next line is unknown.
    func next() -> (stream: Int, end: Place?)? {
        guard members.allSatisfy({ heads[$0] != nil }) else { return nil }
        var (first, second): (Place?, Place?)
        for (stream, time) in heads {
            let place = Place(time: time, stream: stream)
            if first.map({ place < $0 }) ?? true {
                (first, second) = (place, first)
            } else if second.map({ place < $0 }) ?? true {
                second = place
            }
        }
        return first.map { ($0.stream, second) }
    }
}
