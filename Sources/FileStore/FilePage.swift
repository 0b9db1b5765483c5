import JSONScan

/// One page of the list of stored files: the value of `files:list`. Pure.
package struct FilePage: Sendable, Equatable {
    /// Files of one page at most. A row has less than 1,200 bytes, so a page has less than 1.2 MB.
    package static let limit: Int64 = 1_000
    /// Files of one page, if the request sets no limit.
    package static let standardLimit: Int64 = 100

    package let files: [StoredFile]
    /// The position of the last file, if others follow.
    package let next: Cursor?

    /// `{"data":[{"storageId":"5f…",…}],"nextCursor":"1763697600123.5f…"}`
    package var json: [UInt8] {
        JSONWriter.object { writer in
            writer.memberArray("data") { writer in
                for file in files { writer.element(raw: file.json) }
            }
            writer.member("nextCursor", ifPresent: next?.description)
        }
    }

    /// A position in the list, which is ordered by creation time and then by id.
    package struct Cursor: Sendable, Equatable, Comparable, CustomStringConvertible {
        private let createdTs: Int64
        private let id: String

        init(_ file: StoredFile) {
            createdTs = file.createdTs
            id = file.id
        }

        /// Parses ``description``.
        package init?(_ text: String) {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 2, let createdTs = Int64(parts[0]), !parts[1].isEmpty,
                parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
            else { return nil }
            self.createdTs = createdTs
            id = String(parts[1])
        }

        /// `1763697600123.5f0c7c1e7d0f4c559f0e0a3f5b1c2d4e`: up to 53 bytes.
        package var description: String { "\(createdTs).\(id)" }

        package static func < (left: Cursor, right: Cursor) -> Bool {
            (left.createdTs, left.id) < (right.createdTs, right.id)
        }
    }
}
