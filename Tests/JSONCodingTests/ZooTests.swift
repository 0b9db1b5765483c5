import Foundation
import JSONCoding
import JSONScan
import Testing

/// Many shapes of types. Our coder must read and write them exactly as Foundation's does.
@Suite struct ZooTests {
    private func agrees<Value: Codable & Equatable>(_ value: Value, _ note: Comment? = nil) throws {
        let foundation = JSONEncoder()
        foundation.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let theirs = Array(try foundation.encode(value))
        let ours = try JSONTextEncoder(memberOrder: .sorted).encode(value)
        #expect(String(decoding: ours, as: UTF8.self) == String(decoding: theirs, as: UTF8.self), note)

        let asEncoded = try JSONTextEncoder().encode(value)
        #expect(try canonicalText(of: JSONValue(validating: asEncoded)) == ours, note)
        for text in [ours, asEncoded, theirs] {
            #expect(try JSONTextDecoder().decode(Value.self, from: text) == value, note)
            #expect(try JSONDecoder().decode(Value.self, from: Data(text)) == value, note)
        }
    }

    struct Scalars: Codable, Equatable {
        var bool = true, int = -5, int8 = Int8.min, int16 = Int16.max, int32 = Int32.min, int64 = Int64.max
        var uint = UInt.max, uint8 = UInt8.max, uint16 = UInt16.max, uint32 = UInt32.max, uint64 = UInt64.max
        var double = 0.1, float = Float(1.5), string = "a/b\\\"\n\u{1}\u{7f}é漢😀\u{2028}", none: Int?, some: Int? = 1
    }

    struct Nested: Codable, Equatable {
        var name: String
        var children: [Nested] = []
        var byName: [String: Nested] = [:]
        var byNumber: [Int: String] = [:]
        var pairs: [Double: Bool] = [:]
        var matrix: [[Int?]] = []
        var maybe: [String?]? = nil
    }

    enum Shape: Codable, Equatable {
        case point
        case circle(radius: Double)
        case pair(Int, Int)
        indirect case group([Shape], named: String?)
    }

    enum Level: Int, Codable { case low = 1, high = 9 }

    struct Renamed: Codable, Equatable {
        var sessionId: String
        enum CodingKeys: String, CodingKey { case sessionId = "session/id \"quoted\"" }
    }

    @Test func scalarsAgreeWithFoundation() throws {
        try agrees(Scalars())
        try agrees(42)
        try agrees("text")
        try agrees(false)
        try agrees(nil as Int?)
        try agrees([nil, 1] as [Int?])
        try agrees(Level.high)
        try agrees([Level.low, .high])
    }

    @Test func containersAgreeWithFoundation() throws {
        let leaf = Nested(name: "", byNumber: [1: "one", -2: "two"], pairs: [1.5: true])
        try agrees(
            Nested(name: "root", children: [leaf, leaf], byName: ["": leaf], matrix: [[], [1, nil]], maybe: [nil]))
        try agrees([String: Int]())
        try agrees([Int]())
        try agrees(Set(["only"]))
        try agrees(1..<5)
        try agrees(Renamed(sessionId: "s"))
    }

    @Test func enumsWithValuesAgreeWithFoundation() throws {
        try agrees(Shape.point)
        try agrees(Shape.circle(radius: 2.5))
        try agrees(Shape.group([.pair(1, 2), .point, .group([], named: nil)], named: "g"))
    }

    @Test func subclassesAgreeWithFoundation() throws {
        class Base: Codable {
            var id = 1
        }
        final class Derived: Base, Equatable {
            var name = ""
            enum CodingKeys: CodingKey { case name }
            override init() { super.init() }
            required init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                name = try container.decode(String.self, forKey: .name)
                try super.init(from: container.superDecoder())
            }
            override func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                try super.encode(to: container.superEncoder())
                try container.encode(name, forKey: .name)
            }
            static func == (left: Derived, right: Derived) -> Bool { left.id == right.id && left.name == right.name }
        }
        let value = Derived()
        value.id = 7
        value.name = "derived"
        try agrees(value)
        #expect(try JSONTextEncoder().encode(value) == Array(#"{"super":{"id":7},"name":"derived"}"#.utf8))
    }

    /// Two types that write into one object, such as a flattened member.
    @Test func flattenedTypesAgreeWithFoundation() throws {
        struct Flat: Codable, Equatable {
            var renamed = Renamed(sessionId: "s"), scalars = Scalars()
            init() {}
            init(from decoder: any Decoder) throws {
                renamed = try Renamed(from: decoder)
                scalars = try Scalars(from: decoder)
            }
            func encode(to encoder: any Encoder) throws {
                try renamed.encode(to: encoder)
                try scalars.encode(to: encoder)
            }
        }
        try agrees(Flat())
    }

    @Test func nestedContainersAgreeWithFoundation() throws {
        struct Laid: Codable, Equatable {
            var x = 1, y = [2, 3], z = "four"
            enum Outer: CodingKey { case point, list }
            enum Inner: CodingKey { case x, z }
            init() {}
            init(from decoder: any Decoder) throws {
                let outer = try decoder.container(keyedBy: Outer.self)
                let point = try outer.nestedContainer(keyedBy: Inner.self, forKey: .point)
                x = try point.decode(Int.self, forKey: .x)
                z = try point.decode(String.self, forKey: .z)
                var list = try outer.nestedUnkeyedContainer(forKey: .list)
                var numbers = try list.nestedUnkeyedContainer()
                y = [try numbers.decode(Int.self), try numbers.decode(Int.self)]
                #expect(numbers.isAtEnd && numbers.currentIndex == 2 && numbers.count == 2)
                #expect(try list.decodeNil())
                let pair = try list.nestedContainer(keyedBy: Inner.self)
                #expect(try pair.decode(Int.self, forKey: .x) == 0 && pair.allKeys.count == 1 && !pair.contains(.z))
                #expect(try Int(from: list.superDecoder()) == 9)
            }
            func encode(to encoder: any Encoder) throws {
                var outer = encoder.container(keyedBy: Outer.self)
                var point = outer.nestedContainer(keyedBy: Inner.self, forKey: .point)
                var list = outer.nestedUnkeyedContainer(forKey: .list)
                try point.encode(x, forKey: .x)
                var numbers = list.nestedUnkeyedContainer()
                try list.encodeNil()
                for number in y { try numbers.encode(number) }
                var pair = list.nestedContainer(keyedBy: Inner.self)
                try pair.encode(0, forKey: .x)
                // Containers stay open while others are written.
                try point.encode(z, forKey: .z)
                try 9.encode(to: list.superEncoder())
            }
        }
        try agrees(Laid())
    }

    @Test func emptyTypesAreEmptyObjects() throws {
        struct Empty: Codable, Equatable {}
        try agrees(Empty())
        try agrees([Empty()])
        try agrees(["x": Empty()])
    }
}
