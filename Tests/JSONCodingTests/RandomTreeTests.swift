import JSONCoding
import JSONScan
import Testing

/// Encodes and decodes random values through a type that accepts any JSON.
@Suite struct RandomTreeTests {
    enum Tree: Codable, Equatable {
        case null
        case bool(Bool)
        case integer(Int128)
        case double(Double)
        case string(String)
        case array([Tree])
        case object([String: Tree])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let bool = try? container.decode(Bool.self) {
                self = .bool(bool)
            } else if let integer = try? container.decode(Int128.self) {
                self = .integer(integer)
            } else if let double = try? container.decode(Double.self) {
                self = .double(double)
            } else if let string = try? container.decode(String.self) {
                self = .string(string)
            } else if let array = try? container.decode([Tree].self) {
                self = .array(array)
            } else {
                self = .object(try container.decode([String: Tree].self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .null: try container.encodeNil()
            case .bool(let value): try container.encode(value)
            case .integer(let value): try container.encode(value)
            case .double(let value): try container.encode(value)
            case .string(let value): try container.encode(value)
            case .array(let value): try container.encode(value)
            case .object(let value): try container.encode(value)
            }
        }

        static func random(depth: Int) -> Tree {
            switch Int.random(in: 0..<(depth > 0 ? 7 : 5)) {
            case 0: .null
            case 1: .bool(.random())
            case 2: .integer(Int128(Int64.random(in: .min ... .max)) << Int128.random(in: 0...60))
            case 3: .double(Double(Int.random(in: -999_999...999_999)) + 0.5)
            case 4: .string(randomString())
            case 5: .array((0..<Int.random(in: 0...6)).map { _ in random(depth: depth - 1) })
            default:
                .object(
                    Dictionary(
                        (0..<Int.random(in: 0...25)).map { _ in (randomString(), random(depth: depth - 1)) },
                        uniquingKeysWith: { $1 }))
            }
        }

        private static func randomString() -> String {
            String((0..<Int.random(in: 0...12)).map { _ in "ab/\\\"\n\u{1}é漢😀{}[],: ".randomElement() ?? "x" })
        }
    }

    @Test func randomTreesRoundTrip() throws {
        for _ in 0..<300 {
            let tree = Tree.random(depth: 4)
            let text = try JSONTextEncoder().encode(tree)
            #expect(try JSONTextDecoder().decode(Tree.self, from: text) == tree)
            #expect(try JSONTextDecoder().decode(RawJSON.self, from: text).text == text[...])
            let sorted = try JSONTextEncoder(memberOrder: .sorted).encode(tree)
            #expect(try canonicalText(of: JSONValue(validating: text)) == sorted)
        }
    }
}
