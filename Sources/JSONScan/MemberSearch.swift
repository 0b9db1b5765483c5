/// Where a member stands in an object.
public enum MemberPlace: Equatable, Sendable {
    case absent
    /// The member's value in the text, quotes included.
    case at(Range<Int>)
    /// Its name stands there more than once: readers disagree on which of them counts.
    case repeated

    /// Where it stands, if it stands there once.
    public var range: Range<Int>? { if case .at(let range) = self { range } else { nil } }
}

/// Looks for one member of the object at `object`, without decoding or copying anything.
///
///     memberPlace("text", ofObjectAt: content, in: line.span)
///
/// A member counts by what its name decodes to. `name` has at most 15 bytes. `text` has been validated, by
/// `scanEnvelope` for example; what is no object has no members.
public func memberPlace(_ name: StaticString, ofObjectAt object: Range<Int>, in text: Span<UInt8>) -> MemberPlace {
    var cursor = Cursor(offset: object.lowerBound)
    let wanted = PackedName(name)
    var place = MemberPlace.absent
    // In a validated text no step can fail; in any other the search ends where one does.
    guard cursor.peek(text) == .openBrace, (try? cursor.enterContainer(text, closing: .closeBrace)) == true else {
        return place
    }
    repeat {
        guard let member = try? cursor.readName(text) else { return place }
        let start = cursor.offset
        guard (try? cursor.skipValue(text)) != nil else { return place }
        if PackedName(member, in: text) == wanted { place = place == .absent ? .at(start..<cursor.offset) : .repeated }
    } while (try? cursor.advance(text, closing: .closeBrace)) == true
    return place
}
