import JSONScan
import TestSupport
import Testing

@Suite struct JSONOutlineTests {
    @Test func nodesAreNumberedInTextOrder() throws {
        let outline = try JSONOutline(Array(#" {"a":[1,{"x":2}],"b":null} "#.utf8))
        let texts = (0...5).map { outline.value(of: $0).rawString }
        #expect(texts == [#"{"a":[1,{"x":2}],"b":null}"#, #"[1,{"x":2}]"#, "1", #"{"x":2}"#, "2", "null"])
        #expect((0...5).map(outline.parent) == [nil, 0, 1, 1, 3, 0])
        #expect((0...5).map(outline.sibling) == [nil, 5, 3, nil, nil, nil])
        #expect((0...5).map(outline.firstChild) == [1, 2, nil, 4, nil, nil])
        #expect((0...5).map(outline.count) == [2, 2, 0, 1, 0, 0])
        #expect((0...5).map(outline.name) == [nil, "a", nil, nil, "x", "b"])
        #expect((0...5).map(outline.index) == [nil, nil, 0, 1, nil, nil])
    }

    @Test func namesAndStringsAreDecoded() throws {
        let outline = try JSONOutline(Array(#"{"\u0061\/":"\ud83d\ude00\n","é":"漢"}"#.utf8))
        #expect(outline.name(of: 1) == "a/" && outline.isNamed(1, "a/") && !outline.isNamed(1, "a"))
        #expect(outline.string(of: 1) == "😀\n" && outline.string(of: 2) == "漢" && outline.string(of: 0) == nil)
        #expect(outline.isNamed(2, "é") && !outline.isNamed(2, "e\u{301}"), "names are compared by their bytes")
    }

    /// The outline must contain exactly the values that walking a `JSONValue` finds, and refuse the texts that
    /// `JSONValue` refuses.
    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func randomTextsMatchJSONValue(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let alphabet = [#"{"a":"#, "{", "}", "[", "]", ",", "1", #""s""#, #""b":"#, "null", " "]
        for _ in 0..<20_000 {
            let length = Int.random(in: 1...9, using: &generator)
            let text = (0..<length).map { _ in alphabet.randomElement(using: &generator) ?? "" }.joined()
            let value = try? JSONValue(validating: Array(text.utf8))
            let outline = try? JSONOutline(Array(text.utf8))
            #expect((value == nil) == (outline == nil), "\(text)")
            if let value, let outline { #expect(tree(outline, outline.root) == tree(value), "\(text)") }
        }
    }

    private func tree(_ value: JSONValue) -> String {
        let members = value.members.map { "\($0.name):\(tree($0.value))" }
        return "\(value.rawString)(\((members + value.elements.map(tree)).joined(separator: ";")))"
    }

    private func tree(_ outline: JSONOutline, _ node: JSONOutline.Node) -> String {
        var children: [String] = []
        var next = outline.firstChild(of: node)
        while let child = next {
            children.append((outline.name(of: child).map { "\($0):" } ?? "") + tree(outline, child))
            next = outline.sibling(after: child)
        }
        #expect(children.count == outline.count(of: node))
        return "\(outline.value(of: node).rawString)(\(children.joined(separator: ";")))"
    }

    @Test func nestingIsLimitedAndDoesNotUseTheStack() throws {
        let nested = { (depth: Int) in [UInt8](repeating: UInt8(ascii: "["), count: depth) }
        let closed = { (depth: Int) in nested(depth) + [UInt8](repeating: UInt8(ascii: "]"), count: depth) }
        #expect(try JSONOutline(closed(512)).count(of: 511) == 0)
        #expect(throws: JSONSyntaxError(reason: .tooDeep, offset: 512)) { try JSONOutline(closed(513)) }
        #expect(throws: JSONSyntaxError(reason: .tooDeep, offset: 512)) { try JSONOutline(nested(1 << 20)) }
    }
}
