/// The places of the routing members in one JSON-RPC line. Nothing is decoded.
///
/// Each range covers the member's value in the scanned text, including its quotes:
///
///     {"method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"plan"}}}
///
/// gives `method` as the range of `"session/update"`. Members are matched by their decoded names, so `"\u006dethod"` is
/// `method`. If a name occurs twice, the last one counts, as in JavaScript; see `isAmbiguous`.
public struct Envelope: Sendable {
    /// The kind of the whole text.
    public enum Shape: Sendable {
        case object
        /// A JSON-RPC batch. It is validated, and no range is set.
        case array
        /// A string, a number, `true`, `false` or `null`: valid JSON, but not a JSON-RPC message.
        case scalar
    }

    public internal(set) var shape = Shape.scalar

    /// True when `method`, `params`, `params.sessionId`, `params.update` or `params.update.sessionUpdate` occurs twice.
    ///
    /// Readers disagree on which of the two counts, so a program that forwards such a line cannot know what it will
    /// mean.
    public internal(set) var isAmbiguous = false

    private var slots = Slots()

    public var method: Range<Int>? { self[.method] }
    public var id: Range<Int>? { self[.id] }
    public var params: Range<Int>? { self[.params] }
    public var result: Range<Int>? { self[.result] }
    public var error: Range<Int>? { self[.error] }
    /// `params.sessionId`
    public var sessionId: Range<Int>? { self[.sessionId] }
    /// `params.update`
    public var update: Range<Int>? { self[.update] }
    /// `params.update.sessionUpdate`
    public var updateKind: Range<Int>? { self[.updateKind] }
    /// `params.update.messageId`
    public var messageId: Range<Int>? { self[.messageId] }

    @inline(__always)
    subscript(member: Member) -> Range<Int>? {
        let slot = slots[member]
        return slot.end > slot.start ? slot.start..<slot.end : nil
    }
}

extension Envelope {
    enum Member: Int, CaseIterable {
        case method, id, params, result, error, sessionId, update, updateKind, messageId
    }

    /// Two words without a flag: no value is empty, so an end of 0 means absent. Nine optional ranges would be half as
    /// large again, and every scan clears them.
    private struct Slot {
        var start = 0
        var end = 0
    }

    /// One slot for each member. Standard library types of a fixed length need macOS 26, so this is a tuple.
    private struct Slots {
        private typealias Nine = (Slot, Slot, Slot, Slot, Slot, Slot, Slot, Slot, Slot)

        private var slots: Nine = (
            Slot(), Slot(), Slot(), Slot(), Slot(), Slot(), Slot(), Slot(), Slot()
        )

        /// A tuple of nine slots has the layout of an array of nine slots, and `Member` has nine cases.
        @inline(__always)
        subscript(member: Member) -> Slot {
            get {
                withUnsafePointer(to: slots) {
                    UnsafeRawPointer($0).assumingMemoryBound(to: Slot.self)[member.rawValue]
                }
            }
            _modify {
                yield &withUnsafeMutablePointer(to: &slots) {
                    UnsafeMutableRawPointer($0).assumingMemoryBound(to: Slot.self)
                }[member.rawValue]
            }
        }
    }

    /// Records that the value of `member` begins here. An earlier value of the same name no longer counts, nor do the
    /// members inside it.
    @inline(__always)
    mutating func open(_ member: Member, at start: Int) {
        if slots[member].end != 0 { forget(member) }
        slots[member].start = start
    }

    @inline(__always)
    mutating func close(_ member: Member, at end: Int) {
        slots[member].end = end
    }

    /// Whether a member's value begins here.
    func hasMember(at start: Int) -> Bool { Member.allCases.contains { self[$0]?.lowerBound == start } }

    /// The envelope of a text in which all bytes after `offset` are `distance` bytes further on.
    @inline(__always)
    func shifted(after offset: Int, by distance: Int) -> Envelope {
        var copy = self
        for number in 0..<Member.allCases.count {
            guard let member = Member(rawValue: number), slots[member].end > offset else { continue }
            copy.slots[member].end &+= distance
            if slots[member].start > offset { copy.slots[member].start &+= distance }
        }
        return copy
    }

    private mutating func forget(_ member: Member) {
        switch member {
        case .id, .result, .error, .messageId: break
        case .method, .sessionId, .updateKind: isAmbiguous = true
        case .params:
            isAmbiguous = true
            clear([.sessionId, .update, .updateKind, .messageId])
        case .update:
            isAmbiguous = true
            clear([.updateKind, .messageId])
        }
    }

    private mutating func clear(_ members: [Member]) {
        for member in members { slots[member] = Slot() }
    }
}
