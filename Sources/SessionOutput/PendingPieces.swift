import JSONScan
import TinyvexMachine

/// Pieces of one stream that wait for their turn among those of other streams. Pure.
///
/// A line's time is never before that of the line before it, because a machine's clock can be set back. Other pieces follow
/// the line before them.
struct PendingPieces {
    /// At most one batch of the stream, so that the stream's limit bounds it.
    private var pieces: ArraySlice<StreamPiece> = []
    /// The time of the last line that was taken.
    private var time: Int64 = 0
    /// The time of the next line, if it has been searched.
    private var head: Int64?

    /// Call when no piece waits.
    mutating func add(_ batch: [StreamPiece]) { pieces = batch[...] }

    var isEmpty: Bool { pieces.isEmpty }

    /// Returns the pieces before the first line.
    mutating func takeUntimed() -> [StreamPiece] {
        let end = pieces.firstIndex { if case .lines(let run) = $0 { !run.isEmpty } else { false } }
        return take(end ?? pieces.endIndex)
    }

    /// The time of the next line; nil if there is none or another piece is before it.
    mutating func nextTime() -> Int64? {
        guard case .lines(let run)? = pieces.first, !run.isEmpty else { return nil }
        let next = timeOfNext(run[0])
        head = next
        return next
    }

    private func timeOfNext(_ line: ArraySlice<UInt8>) -> Int64 { head ?? max(time, timelineTime(of: line) ?? 0) }

    /// Returns all pieces. Call only when the order is over, because their times are not searched.
    mutating func takeAll() -> [StreamPiece] {
        head = nil
        return take(pieces.endIndex)
    }

    /// Returns the pieces before this place; nil: all.
    mutating func take(of stream: Int, before place: MergeOrder.Place?) -> [StreamPiece] {
        var taken: [StreamPiece] = []
        while let piece = pieces.first {
            guard case .lines(let run) = piece else {
                taken.append(piece)
                pieces.removeFirst()
                continue
            }
            let count = count(of: run, stream, before: place)
            if count > 0 { taken.append(.lines(run.first(count))) }
            guard count == run.count else {
                pieces[pieces.startIndex] = .lines(run.from(run.firstSeq + Int64(count)))
                return taken
            }
            pieces.removeFirst()
        }
        return taken
    }

    /// The number of lines at the beginning of the run that belong before the place.
    private mutating func count(of run: LineRun, _ stream: Int, before place: MergeOrder.Place?) -> Int {
        for index in 0..<run.count {
            let next = timeOfNext(run[index])
            if let place, MergeOrder.Place(time: next, stream: stream) >= place {
                head = next
                return index
            }
            (time, head) = (next, nil)
        }
        return run.count
    }

    private mutating func take(_ end: Int) -> [StreamPiece] {
        defer { pieces = pieces[end...] }
        return Array(pieces[..<end])
    }
}

/// The time of a timeline's value, in milliseconds since 1970; nil if it has none.
func timelineTime(of line: ArraySlice<UInt8>) -> Int64? {
    guard let place = memberPlace("ts", ofObjectAt: 0..<line.count, in: line.span).range else { return nil }
    return (try? JSONValue(validating: line.span.extracting(place)))?.int64Value
}
