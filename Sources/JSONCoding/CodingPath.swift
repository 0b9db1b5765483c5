/// The path from the outermost value to a nested value.
///
///     data[0].createdAt
///     headers["x-request.id"]
public struct CodingPath: Hashable, Sendable {
    /// One level down.
    public enum Step: Hashable, Sendable {
        /// Enters the member with that name.
        case member(String)
        /// Enters the element at that index, from 0.
        case element(Int)
    }

    /// The steps, from the outermost value inwards.
    public var steps: [Step]

    public init(_ steps: [Step] = []) {
        self.steps = steps
    }

    /// Converts a path of the standard library. A key with a number counts as an element, unless its name is only that
    /// number.
    public init(_ keys: [any CodingKey]) {
        steps = keys.map { key in
            guard let index = key.intValue, key.stringValue != String(index) else { return .member(key.stringValue) }
            return .element(index)
        }
    }

    /// True for the outermost value.
    public var isEmpty: Bool { steps.isEmpty }

    static func + (path: CodingPath, rest: CodingPath) -> CodingPath {
        CodingPath(path.steps + rest.steps)
    }
}

extension CodingPath: CustomStringConvertible {
    /// Names that are not plain words are quoted. Names of more than 40 characters are shortened, because they can be
    /// content.
    public var description: String {
        var text = ""
        for step in steps {
            switch step {
            case .element(let index): text += "[\(index)]"
            case .member(let name) where Self.isWord(name): text += text.isEmpty ? name : ".\(name)"
            case .member(let name): text += "[\"\(name.shortened(to: 40))\"]"
            }
        }
        return text
    }

    private static func isWord(_ name: String) -> Bool {
        (1...40).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte == UInt8(ascii: "_")
                    || byte == UInt8(ascii: "$")
            }
    }
}

extension String {
    /// The first `limit` characters, followed by "…" if some were cut.
    func shortened(to limit: Int) -> String {
        guard let end = index(startIndex, offsetBy: limit, limitedBy: endIndex), end < endIndex else { return self }
        return self[..<end] + "…"
    }
}

/// A coding key for our own paths and for `super`.
enum PathKey: CodingKey {
    case member(String)
    case element(Int)

    init?(stringValue: String) { self = .member(stringValue) }
    init?(intValue: Int) { self = .element(intValue) }

    /// The standard library uses the same name for elements.
    var stringValue: String {
        switch self {
        case .member(let name): name
        case .element(let index): "Index \(index)"
        }
    }

    var intValue: Int? {
        if case .element(let index) = self { index } else { nil }
    }

    /// The member that holds a class's inherited properties.
    static let `super` = PathKey.member("super")
}
