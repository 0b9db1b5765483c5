/// What some of a life's updates take, with the entries among them.
public struct PartSize: Sendable, Equatable {
    /// The last of its updates.
    public var last: Int64
    public var bytes: Int

    public init(last: Int64, bytes: Int) {
        self.last = last
        self.bytes = bytes
    }
}

extension [PartSize] {
    /// Adds a part behind the others, or to the last of them as long as that stays below `partBytes`.
    public mutating func join(_ part: PartSize, to partBytes: Int) {
        if let last = indices.last, self[last].bytes + part.bytes <= partBytes {
            self[last] = PartSize(last: Swift.max(self[last].last, part.last), bytes: self[last].bytes + part.bytes)
        } else {
            append(part)
        }
    }
}
