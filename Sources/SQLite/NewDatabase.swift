import CSQLite

/// The bytes of a database that has tables and one row. Pure.
///
/// Writing them is faster than creating the tables by SQL: for the 18 objects of a log, SQLite needs 2.5 ms in a process that has
/// just begun, and 1 ms to open these bytes.
///
/// Each table and each index has one page. The format: <https://sqlite.org/fileformat2.html>.
package struct NewDatabase {
    private let objects: [SchemaObject]
    /// Those with a page.
    private let stored: [SchemaObject]
    private let row: (table: String, values: [Statement.Value])
    private let version: UInt32

    /// 512 to 32768, a power of two.
    private let pageBytes: Int

    /// The database is in WAL mode.
    ///
    /// - Parameters:
    ///   - objects: In the order in which SQL would create them.
    ///   - row: The only row. Its table has row numbers, and no index.
    ///   - version: The `user_version`.
    package init(
        _ objects: [SchemaObject], row: (table: String, values: [Statement.Value]), version: UInt32,
        pageBytes: Int
    ) {
        self.objects = objects
        stored = objects.filter { $0.content != nil }
        self.row = row
        self.version = version
        self.pageBytes = pageBytes
    }

    private var pageCount: Int { 1 + stored.count }

    /// The length of the file.
    package var byteCount: Int { pageCount * pageBytes }

    /// Bytes of the file, which begin at `place`.
    package struct Piece {
        package let place: Int
        package let bytes: [UInt8]
    }

    /// All bytes that are not zero. The beginning of the file comes last, because it makes the file a database. Nil if the
    /// descriptions of all objects, or the row, need more than one page.
    package var pieces: [Piece]? {
        var pieces: [Piece] = []
        for (index, object) in stored.enumerated() {
            var page = LeafPage(object.content ?? .rows, pageBytes: pageBytes)
            if object.kind == .table, object.name == row.table {
                guard page.add(row.values, number: 1) else { return nil }
            }
            pieces += page.pieces(at: (index + 1) * pageBytes)
        }
        guard let schema = schemaPage else { return nil }
        return pieces + schema.pieces(at: 0)
    }

    /// The first page has the header, and one row for each object (section 2.6).
    private var schemaPage: LeafPage? {
        var page = LeafPage(.rows, pageBytes: pageBytes, header: header)
        var lastRoot: Int64 = 1
        for (index, object) in objects.enumerated() {
            if object.content != nil { lastRoot += 1 }
            let row: [Statement.Value] = [
                .text(object.kind.rawValue), .text(object.name), .text(object.table),
                .integer(object.content == nil ? 0 : lastRoot), object.sql.map(Statement.Value.text) ?? .null,
            ]
            guard page.add(row, number: index + 1) else { return nil }
        }
        return page
    }

    /// Section 1.3.
    private var header: [UInt8] {
        var header = Array("SQLite format 3\0".utf8)
        header.append(bigEndian: UInt16(truncatingIfNeeded: pageBytes))
        // Version 2 is a WAL. A page has no reserved bytes. The rest are constants.
        header += [2, 2, 0, 64, 32, 32]
        let changes: UInt32 = 1
        header.append(bigEndian: changes)
        header.append(bigEndian: UInt32(truncatingIfNeeded: pageCount))
        let (freePages, freeCount, schemaCookie, schemaFormat): (UInt32, UInt32, UInt32, UInt32) = (0, 0, 1, 4)
        let (cachePages, vacuumRoot, utf8): (UInt32, UInt32, UInt32) = (0, 0, 1)
        for number in [freePages, freeCount, schemaCookie, schemaFormat, cachePages, vacuumRoot, utf8, version] {
            header.append(bigEndian: number)
        }
        header += [UInt8](repeating: 0, count: 28)
        header.append(bigEndian: changes)
        header.append(bigEndian: UInt32(bitPattern: sqlite3_libversion_number()))
        return header
    }
}

/// A page of a tree that has one page (section 1.6). Its cells are at the end of the page, the last one first.
private struct LeafPage {
    private let content: SchemaObject.Content
    private let pageBytes: Int
    private let header: [UInt8]
    private var count: UInt16 = 0
    private var pointers: [UInt8] = []
    private var cells: [UInt8] = []

    /// - Parameter header: What comes first on the page: the file's header, on the first page.
    init(_ content: SchemaObject.Content, pageBytes: Int, header: [UInt8] = []) {
        self.content = content
        self.pageBytes = pageBytes
        self.header = header
    }

    private var cellStart: UInt16 { UInt16(truncatingIfNeeded: pageBytes - cells.count) }

    /// The header and the places of the cells.
    private var beginning: [UInt8] {
        var bytes = header
        // There is no free block on the page.
        bytes += [content.rawValue, 0, 0]
        bytes.append(bigEndian: count)
        bytes.append(bigEndian: cellStart)
        bytes.append(0)
        return bytes + pointers
    }

    /// - Parameter place: The place of the page in the file.
    func pieces(at place: Int) -> [NewDatabase.Piece] {
        let beginning = NewDatabase.Piece(place: place, bytes: beginning)
        guard !cells.isEmpty else { return [beginning] }
        return [NewDatabase.Piece(place: place + pageBytes - cells.count, bytes: cells), beginning]
    }

    /// Returns false if the page has no room.
    mutating func add(_ row: [Statement.Value], number: Int) -> Bool {
        let record = Self.record(row)
        var cell: [UInt8] = []
        cell.append(varint: record.count)
        cell.append(varint: number)
        cell += record
        // A longer record would continue on other pages.
        guard beginning.count + 2 + cell.count + cells.count <= pageBytes, record.count <= pageBytes - 35 else {
            return false
        }
        cells = cell + cells
        count += 1
        pointers.append(bigEndian: cellStart)
        return true
    }

    /// The types of the values, then their bytes (section 2.1).
    private static func record(_ row: [Statement.Value]) -> [UInt8] {
        var (types, values): ([UInt8], [UInt8]) = ([], [])
        for value in row {
            switch value {
            case .null: types.append(0)
            case .integer(0): types.append(8)
            case .integer(let number):
                types.append(6)
                values.append(bigEndian: number)
            case .text(let text):
                types.append(varint: 13 + 2 * text.utf8.count)
                values += text.utf8
            case .bytes(let bytes):
                types.append(varint: 12 + 2 * bytes.count)
                values += bytes
            }
        }
        // The length of the types includes its own byte, and is less than 128 for rows of a few columns.
        return [UInt8(truncatingIfNeeded: types.count + 1)] + types + values
    }
}

extension [UInt8] {
    fileprivate mutating func append(bigEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }

    /// 7 bits in a byte, the highest first. The highest bit of each byte except the last is set.
    fileprivate mutating func append(varint number: Int) {
        var shift = 56
        while shift > 0, number >> shift == 0 { shift -= 7 }
        while shift > 0 {
            append(0x80 | UInt8(truncatingIfNeeded: number >> shift))
            shift -= 7
        }
        append(UInt8(truncatingIfNeeded: number) & 0x7f)
    }
}
