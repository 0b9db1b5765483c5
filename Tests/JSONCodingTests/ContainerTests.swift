import JSONCoding
import Testing

/// Behaviour in cases where other coders differ or fail.
@Suite struct ContainerTests {
    private func decode<Value: Decodable>(_ text: String, as type: Value.Type) throws -> Value {
        try JSONTextDecoder().decode(type, from: Array(text.utf8))
    }

    @Test func theLastOfDuplicateMembersIsUsed() throws {
        #expect(try decode(#"{"a":1,"\u0061":2}"#, as: [String: Int].self) == ["a": 2])
        let many = (0..<40).map { #""k\#($0 % 20)":\#($0)"# }.joined(separator: ",")
        #expect(try decode("{\(many)}", as: [String: Int].self)["k3"] == 23)
    }

    @Test func unknownMembersAreIgnored() throws {
        struct Small: Decodable { var a: Int? }
        #expect(try decode(#"{"b":[{}],"a":1,"c":null}"#, as: Small.self).a == 1)
    }

    @Test func nullAndAbsenceAreEqualForOptionals() throws {
        struct Small: Decodable { var a: Int? }
        #expect(try decode(#"{"a":null}"#, as: Small.self).a == nil)
        #expect(try decode("{}", as: Small.self).a == nil)
    }

    @Test func aSliceOfALargerTextIsDecoded() throws {
        let text = Array(#"data: {"a":1} "#.utf8)
        #expect(try JSONTextDecoder().decode([String: Int].self, from: text[6...]) == ["a": 1])
    }

    /// A text of n members or elements takes n steps, not n².
    @Test(.timeLimit(.minutes(10))) func largeContainersTakeLinearTime() throws {
        let object = Dictionary(uniqueKeysWithValues: (0..<100_000).map { ("key\($0)", $0) })
        let text = try JSONTextEncoder(memberOrder: .sorted).encode(object)
        #expect(try JSONTextDecoder().decode([String: Int].self, from: text) == object)
        let array = Array(0..<300_000)
        #expect(try JSONTextDecoder().decode([Int].self, from: JSONTextEncoder().encode(array)) == array)
    }

    // MARK: Depth

    private indirect enum Tree: Codable, Equatable {
        case leaf
        case branch(Tree)

        init(from decoder: any Decoder) throws {
            var array = try decoder.unkeyedContainer()
            self = array.isAtEnd ? .leaf : .branch(try array.decode(Tree.self))
        }

        func encode(to encoder: any Encoder) throws {
            var array = encoder.unkeyedContainer()
            if case .branch(let tree) = self { try array.encode(tree) }
        }
    }

    @Test func valuesCanNestAsDeepAsTheScannerAllows() throws {
        let text = [UInt8](repeating: UInt8(ascii: "["), count: 512) + [UInt8](repeating: UInt8(ascii: "]"), count: 512)
        let tree = try JSONTextDecoder().decode(Tree.self, from: text)
        #expect(try JSONTextEncoder().encode(tree) == text)
        #expect(throws: JSONCodingError.unencodable(reason: "nested deeper than 512 levels", path: CodingPath())) {
            do throws(JSONCodingError) {
                _ = try JSONTextEncoder().encode(Tree.branch(tree))
            } catch {
                guard case .unencodable(let reason, let path) = error else { throw error }
                #expect(path.steps.count == 512 || path.isEmpty)
                throw JSONCodingError.unencodable(reason: reason, path: CodingPath())
            }
        }
    }

    @Test func endlessRecursionEndsInAnError() {
        struct Endless: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(Endless())
            }
        }
        struct Chain: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                try container.encode(Chain())
            }
        }
        #expect(throws: JSONCodingError.self) { try JSONTextEncoder().encode(Endless()) }
        #expect(throws: JSONCodingError.self) { try JSONTextEncoder().encode(Chain()) }
    }

    @Test func nestedContainersCountTowardsTheDepthLimit() {
        struct Deep: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                for _ in 0..<600 { container = container.nestedUnkeyedContainer() }
            }
        }
        #expect(throws: JSONCodingError.self) { try JSONTextEncoder().encode(Deep()) }
    }

    // MARK: Writing

    @Test func membersKeepTheirOrderUnlessSorted() throws {
        struct Three: Encodable { var z = 1, a = "/", m = true }
        #expect(try JSONTextEncoder().encode(Three()) == Array(#"{"z":1,"a":"/","m":true}"#.utf8))
        let sorted = try JSONTextEncoder(memberOrder: .sorted).encode(Three())
        #expect(sorted == Array(#"{"a":"/","m":true,"z":1}"#.utf8))
    }

    @Test func aMemberThatIsEncodedTwiceIsWrittenOnce() throws {
        struct Twice: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                for key in 0..<40 { try container.encode(key, forKey: Key(stringValue: "\(key % 20)")) }
            }
            struct Key: CodingKey {
                var stringValue: String
                var intValue: Int? { nil }
                init(stringValue: String) { self.stringValue = stringValue }
                init?(intValue: Int) { nil }
            }
        }
        let text = try JSONTextEncoder().encode(Twice())
        let expected = "{" + (0..<20).map { "\"\($0)\":\($0 + 20)" }.joined(separator: ",") + "}"
        #expect(String(decoding: text, as: UTF8.self) == expected)
    }

    @Test func anEncodingErrorContainsItsPath() {
        struct Price: Encodable { var amount = Double.nan }
        let error = #expect(throws: JSONCodingError.self) { try JSONTextEncoder().encode(["cost": [Price()]]) }
        #expect(error?.description == "cannot encode at cost[0].amount: nan is not a JSON number")
    }
}
