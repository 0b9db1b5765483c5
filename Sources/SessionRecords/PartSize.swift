/// The size of a part of an incarnation: some updates and the entries among them.
package struct PartSize: Sendable, Equatable {
    /// The number of the part's last update.
    package var last: Int64
    package var bytes: Int

    package init(last: Int64, bytes: Int) {
        self.last = last
        self.bytes = bytes
    }
}

extension [PartSize] {
    /// Appends a part, or merges it with the last part if the sum stays below `partBytes`.
    package mutating func join(_ part: PartSize, to partBytes: Int) {
        if let last = indices.last, self[last].bytes + part.bytes <= partBytes {
            self[last] = PartSize(last: Swift.max(self[last].last, part.last), bytes: self[last].bytes + part.bytes)
        } else {
            append(part)
        }
    }
}
