/// The place of a member in an object.
public enum MemberPlace: Equatable, Sendable {
    case absent
    /// The range of the member's value in the text, including quotes.
    case at(Range<Int>)
    /// The name occurs more than once. Readers disagree on which member counts.
    case repeated

    /// The member's range, if its name occurs exactly once.
    public var range: Range<Int>? { if case .at(let range) = self { range } else { nil } }
}

/// Finds one member of the object at `object`, without decoding or copying.
///
///     memberPlace("text", ofObjectAt: content, in: line.span)
///
/// Members are matched by their decoded names. `name` has at most 15 bytes. `text` must have been validated, for
/// example by `scanEnvelope`. A value that is not an object has no members.
public func memberPlace(_ name: StaticString, ofObjectAt object: Range<Int>, in text: Span<UInt8>) -> MemberPlace {
    var cursor = Cursor(offset: object.lowerBound)
    let wanted = PackedName(name)
    var place = MemberPlace.absent
    // In a validated text, no step can fail. In any other text, the search ends at the first error.
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
