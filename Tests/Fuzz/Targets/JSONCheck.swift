import JSONRPC
import JSONScan

enum JSONCheck {
    static func check(_ bytes: [UInt8]) throws(Finding) {
        try checkLines(bytes)
        let value = try? JSONValue(validating: bytes)
        let outline = try? JSONOutline(bytes)
        let envelope = try? scanEnvelope(bytes.span)
        try Finding.unless((value != nil) == (outline != nil), "value and outline agree on validity")
        try Finding.unless((value != nil) == (envelope != nil), "value and envelope agree on validity")
        guard let value, let outline else { return }
        try compare(value, outline, outline.root)
        try checkCanonicalText(value)
        _ = Message(value)
    }

    private static func checkCanonicalText(_ value: JSONValue) throws(Finding) {
        let text = canonicalText(of: value)
        guard let again = try? JSONValue(validating: text) else { throw Finding("canonical text is valid JSON") }
        try Finding.unless(canonicalText(of: again) == text, "canonical text is its own canonical text")
    }

    /// Checks that both ways to read a text give the same result.
    private static func compare(
        _ value: JSONValue, _ outline: JSONOutline, _ node: JSONOutline.Node
    ) throws(Finding) {
        try Finding.unless(value.kind == outline.kind(of: node), "value and outline agree on the kind")
        try Finding.unless(
            value.rawText.elementsEqual(outline.value(of: node).rawText), "value and outline agree on the text")
        try Finding.unless(value.stringValue == outline.string(of: node), "value and outline agree on the string")
        try Finding.unless(value.int64Value == nil || value.doubleValue != nil, "an integer is also a double")
        let children = value.kind == .object ? value.members.map(\.value) : value.elements
        try Finding.unless(
            children.count == outline.count(of: node), "value and outline agree on the number of children")
        var next = outline.firstChild(of: node)
        for child in children {
            guard let place = next else { throw Finding("the outline must have a node for each child") }
            try compare(child, outline, place)
            next = outline.sibling(after: place)
        }
    }

    /// Checks that the lines do not depend on the cuts.
    private static func checkLines(_ bytes: [UInt8]) throws(Finding) {
        try Finding.unless(
            lines(of: [bytes[...]]) == lines(of: Pieces.of(bytes)), "lines do not depend on the cuts")
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

    /// The bytes of a line, or the length as text if the line is too long.
    private static func bytes(of line: borrowing LineSplitter.Line) -> [UInt8] {
        switch line {
        case .line(let span): span.withUnsafeBufferPointer { Array($0) }
        case .oversized(let byteCount): Array("\(byteCount)".utf8)
        }
    }
}
