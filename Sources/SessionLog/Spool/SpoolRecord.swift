import SessionRecords
import SessionStore

/// One append in the format of the spool's file. Pure.
///
/// Little endian. The header has the CRC-32C of everything after the byte count, the byte count, the log's id, the
/// number of items, the generation, the session, the epoch, and the update number and the timeline number before this append.
/// The highest bit of the number of items is set; records of earlier versions do not have it, nor the timeline number. The items
/// follow.
/// Each item has its kind (0 a run, 1 an entry), its time, a count (a run's lines, or the bytes of an entry's kind),
/// its byte count and its bytes.
struct SpoolRecord: Equatable {
    /// The lap of the file in which the record was written. Remains of earlier laps have a lower generation.
    let generation: UInt64
    let logId: UInt32
    let sid: Int64
    let epoch: Int64
    let after: Int64
    /// Nil in records of earlier versions.
    let timelineHead: Int64?
    let items: [LogItem]

    private static let checkedFrom = 8
    private static let headBytes = 56
    private static let hasTimelineHead: UInt32 = 1 << 31
    private static let itemHeadBytes = 17

    var append: SpooledAppend {
        SpooledAppend(.append(sid: sid, epoch: epoch, after: after, items: items), timelineHead: timelineHead)
    }

    // MARK: Writing

    /// Writes the record to the beginning of `memory`, which grows if it is too small. Returns the record's size.
    ///
    /// The caller uses the memory again: this runs for each append.
    func encode(into memory: inout [UInt8]) -> Int {
        var byteCount = Self.headBytes
        for item in items { byteCount += Self.itemHeadBytes + item.spooledByteCount }
        if memory.count < byteCount { memory = [UInt8](repeating: 0, count: byteCount) }
        memory.withUnsafeMutableBytes { encode(into: UnsafeMutableRawBufferPointer(rebasing: $0[..<byteCount])) }
        return byteCount
    }

    private func encode(into bytes: UnsafeMutableRawBufferPointer) {
        var writer = ByteWriter(bytes, from: Self.checkedFrom)
        writer.add(logId)
        writer.add(UInt32(items.count) | Self.hasTimelineHead)
        writer.add(generation)
        writer.add(sid)
        writer.add(epoch)
        writer.add(after)
        writer.add(timelineHead ?? .max)
        for item in items { Self.encode(item, into: &writer) }
        let checked = UnsafeRawBufferPointer(rebasing: bytes[Self.checkedFrom...])
        var head = ByteWriter(bytes, from: 0)
        head.add(CRC32C.of(checked))
        head.add(UInt32(checked.count))
    }

    private static func encode(_ item: LogItem, into writer: inout ByteWriter) {
        switch item {
        case .run(let lines, let count, let ts):
            writer.add(UInt8(0))
            writer.add(ts)
            writer.add(UInt32(count))
            writer.add(UInt32(lines.count))
            writer.add(lines)
        case .entry(let kind, let body, let ts):
            writer.add(UInt8(1))
            writer.add(ts)
            writer.add(UInt32(kind.utf8.count))
            writer.add(UInt32(body.count))
            writer.add(Array(kind.utf8))
            writer.add(body)
        }
    }
}

extension SpoolRecord {
    // MARK: Reading

    /// Returns the records at the beginning of `bytes`. Stops at the first record that is incomplete or of another lap.
    static func records(in bytes: UnsafeRawBufferPointer) -> [SpoolRecord] {
        var records: [SpoolRecord] = []
        var rest = bytes
        while let record = first(of: &rest), record.generation == records.last?.generation ?? record.generation {
            records.append(record)
        }
        return records
    }

    private static func first(of bytes: inout UnsafeRawBufferPointer) -> SpoolRecord? {
        var head = ByteReader(bytes)
        guard let checksum: UInt32 = head.next(), let count: UInt32 = head.next(),
            let checked = head.next(bytes: count), CRC32C.of(checked) == checksum
        else { return nil }
        bytes = head.rest
        return SpoolRecord(checked)
    }

    private init?(_ checked: UnsafeRawBufferPointer) {
        var reader = ByteReader(checked)
        guard let logId: UInt32 = reader.next(), let count: UInt32 = reader.next(),
            let generation: UInt64 = reader.next(), let sid: Int64 = reader.next(), let epoch: Int64 = reader.next(),
            let after: Int64 = reader.next()
        else { return nil }
        var timelineHead: Int64?
        if count & Self.hasTimelineHead != 0 {
            guard let number: Int64 = reader.next() else { return nil }
            timelineHead = number
        }
        var items: [LogItem] = []
        for _ in 0..<(count & ~Self.hasTimelineHead) {
            guard let item = Self.item(&reader) else { return nil }
            items.append(item)
        }
        self.init(
            generation: generation, logId: logId, sid: sid, epoch: epoch, after: after, timelineHead: timelineHead,
            items: items)
    }

    /// Returns nil if the operation is not an append.
    init?(_ operation: WriteRequest.Operation, timelineHead: Int64, generation: UInt64, logId: UInt32) {
        guard case .append(let sid, let epoch, let after, let items) = operation else { return nil }
        self.init(
            generation: generation, logId: logId, sid: sid, epoch: epoch, after: after, timelineHead: timelineHead,
            items: items)
    }

    private static func item(_ reader: inout ByteReader) -> LogItem? {
        guard let kind: UInt8 = reader.next(), let ts: Int64 = reader.next(), let count: UInt32 = reader.next(),
            let byteCount: UInt32 = reader.next()
        else { return nil }
        switch kind {
        case 0:
            return reader.next(bytes: byteCount).map { .run(lines: Array($0), count: Int(count), ts: ts) }
        case 1:
            guard let name = reader.next(bytes: count), let body = reader.next(bytes: byteCount) else { return nil }
            return .entry(kind: String(decoding: name, as: UTF8.self), body: Array(body), ts: ts)
        default: return nil
        }
    }
}

extension LogItem {
    /// The number of bytes of the item in a record, without its head.
    fileprivate var spooledByteCount: Int {
        if case .entry(let kind, _, _) = self { kind.utf8.count + byteCount } else { byteCount }
    }
}

/// Writes into a buffer that has the record's size. To append each number to an array takes a third of the time of an append
/// to the spool.
private struct ByteWriter {
    private let bytes: UnsafeMutableRawBufferPointer
    private var end: Int

    init(_ bytes: UnsafeMutableRawBufferPointer, from start: Int) { (self.bytes, end) = (bytes, start) }

    mutating func add(_ more: [UInt8]) {
        UnsafeMutableRawBufferPointer(rebasing: bytes[end..<end + more.count]).copyBytes(from: more)
        end += more.count
    }

    mutating func add(_ number: some FixedWidthInteger) {
        bytes.storeBytes(of: number.littleEndian, toByteOffset: end, as: type(of: number))
        end += MemoryLayout.size(ofValue: number)
    }
}

private struct ByteReader {
    private(set) var rest: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

    mutating func next<Number: FixedWidthInteger>() -> Number? {
        let byteCount = MemoryLayout<Number>.size
        guard rest.count >= byteCount else { return nil }
        defer { rest = UnsafeRawBufferPointer(rebasing: rest[byteCount...]) }
        return Number(littleEndian: rest.loadUnaligned(as: Number.self))
    }

    mutating func next(bytes count: UInt32) -> UnsafeRawBufferPointer? {
        guard rest.count >= Int(count) else { return nil }
        defer { rest = UnsafeRawBufferPointer(rebasing: rest[Int(count)...]) }
        return UnsafeRawBufferPointer(rebasing: rest[..<Int(count)])
    }
}
