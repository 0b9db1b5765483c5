/// JSON texts with consecutive numbers, in one buffer.
///
/// On a session's stream, the texts are the agent's own lines, byte for byte. On a timeline, they are its values.
package struct LineRun: Sendable {
    /// The number of the first line. Each further line has the next number.
    package private(set) var firstSeq: Int64
    private var bytes: [UInt8]
    private var places: ArraySlice<Range<Int>>

    /// `places` are the ranges of the lines in `bytes`.
    init(firstSeq: Int64, bytes: [UInt8], places: [Range<Int>]) {
        self.firstSeq = firstSeq
        self.bytes = bytes
        self.places = places[...]
    }

    package var count: Int { places.count }
    package var isEmpty: Bool { places.isEmpty }
    /// The number of the last line.
    package var lastSeq: Int64 { firstSeq + Int64(places.count) - 1 }

    /// The line with this index, counted from 0.
    package subscript(index: Int) -> ArraySlice<UInt8> { bytes[places[places.startIndex + index]] }

    /// The total size of the lines, without the rest of the buffer.
    package var byteCount: Int { places.reduce(0) { $0 + $1.count } }

    /// Returns the first lines, without copying.
    package func first(_ count: Int) -> LineRun {
        var beginning = self
        beginning.places = places.prefix(count)
        return beginning
    }

    /// Returns the lines from this number on, without copying.
    package func from(_ seq: Int64) -> LineRun {
        guard seq > firstSeq else { return self }
        var rest = self
        rest.places = places.dropFirst(Int(clamping: seq - firstSeq))
        rest.firstSeq = seq
        return rest
    }

    /// Returns the lines in their own buffer if they are a small part of a larger buffer. A slow reader then does not
    /// keep lines that other readers have already read.
    func compacted() -> LineRun {
        let count = byteCount
        guard count < bytes.count / 2 else { return self }
        var ownBytes: [UInt8] = []
        ownBytes.reserveCapacity(count)
        let ownPlaces = places.map { place in
            ownBytes.append(contentsOf: bytes[place])
            return ownBytes.count - place.count..<ownBytes.count
        }
        return LineRun(firstSeq: firstSeq, bytes: ownBytes, places: ownPlaces)
    }
}

extension LineRun: Equatable {
    /// Equal if the numbers and the texts are equal.
    package static func == (left: LineRun, right: LineRun) -> Bool {
        left.firstSeq == right.firstSeq && left.count == right.count
            && left.places.indices.elementsEqual(right.places.indices) {
                left.bytes[left.places[$0]] == right.bytes[right.places[$1]]
            }
    }
}
