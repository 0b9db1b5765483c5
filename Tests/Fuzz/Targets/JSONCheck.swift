import JSONRPC
import JSONScan

enum JSONCheck {
    static func check(_ bytes: [UInt8]) throws(Finding) {
        try checkLines(bytes)
        let value = try? JSONValue(validating: bytes)
        let outline = try? JSONOutline(bytes)
        let envelope = try? scanEnvelope(bytes.span)
        try Finding.unless((value != nil) == (outline != nil), "value and outline agree that it is JSON")
        try Finding.unless((value != nil) == (envelope != nil), "value and envelope agree that it is JSON")
        guard let value, let outline else { return }
        try compare(value, outline, outline.root)
        try checkCanonicalText(value)
        _ = Message(value)
    }

    private static func checkCanonicalText(_ value: JSONValue) throws(Finding) {
        let text = canonicalText(of: value)
        guard let again = try? JSONValue(validating: text) else { throw Finding("canonical text is JSON") }
        try Finding.unless(canonicalText(of: again) == text, "canonical text is its own canonical text")
    }

    /// Both ways to look into a text see the same.
    private static func compare(
        _ value: JSONValue, _ outline: JSONOutline, _ node: JSONOutline.Node
    ) throws(Finding) {
        try Finding.unless(value.kind == outline.kind(of: node), "value and outline agree on a kind")
        try Finding.unless(value.rawText.elementsEqual(outline.value(of: node).rawText), "they agree on a text")
        try Finding.unless(value.stringValue == outline.string(of: node), "they agree on a string")
        try Finding.unless(value.int64Value == nil || value.doubleValue != nil, "a whole number is a number")
        let children = value.kind == .object ? value.members.map(\.value) : value.elements
        try Finding.unless(children.count == outline.count(of: node), "they agree on how many there are")
        var next = outline.firstChild(of: node)
        for child in children {
            guard let place = next else { throw Finding("the outline has a node for each child") }
            try compare(child, outline, place)
            next = outline.sibling(after: place)
        }
    }

    /// However it is cut, the same lines come out.
    private static func checkLines(_ bytes: [UInt8]) throws(Finding) {
        try Finding.unless(
            lines(of: [bytes[...]]) == lines(of: Pieces.of(bytes)), "lines do not depend on how they come")
    }

    private static func lines(of pieces: [ArraySlice<UInt8>]) -> [[UInt8]] {
        var splitter = LineSplitter(limitBytes: 64)
        var lines: [[UInt8]] = []
        for piece in pieces {
            piece.withUnsafeBytes { piece in splitter.split(piece) { lines.append(bytes(of: $0)) } }
        }
        splitter.finish { lines.append(bytes(of: $0)) }
        return lines
    }

    /// Of one that is too long, its length.
    private static func bytes(of line: borrowing LineSplitter.Line) -> [UInt8] {
        switch line {
        case .line(let span): span.withUnsafeBufferPointer { Array($0) }
        case .oversized(let byteCount): Array("\(byteCount)".utf8)
        }
    }
}
