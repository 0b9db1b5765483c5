import Foundation
import JSONCoding
import Testing

/// Lenient members, members that no type names, patches, open enums and unions.
@Suite struct ShapeTests {
    struct Lax: Codable, Hashable {
        @Lenient var title: String?
        @Lenient var on: Bool
        @Lenient var args: [String]
        @Lenient var sizes: [UInt8]?
        @Lenient var env: [String: String]
        @Lossy var must: [Int]
        var strict: Int?
        var change: Patch<String>
        var others = OtherMembers()

        init(title: String? = nil, on: Bool = false, args: [String] = [], must: [Int] = []) {
            self.title = title
            self.on = on
            self.args = args
            sizes = nil
            env = [:]
            self.must = must
            change = .unchanged
        }
    }

    private func decode<Value: Decodable>(_ text: String, as type: Value.Type = Lax.self) throws -> Value {
        try JSONTextDecoder().decode(type, from: Array(text.utf8))
    }

    private func rewritten<Value: Codable>(_ text: String, as type: Value.Type = Lax.self) throws -> String {
        String(decoding: try JSONTextEncoder().encode(decode(text, as: type)), as: UTF8.self)
    }

    // MARK: Lenient

    @Test(
        arguments: [
            #"{"must":[]}"#, #"{"must":7}"#, #"{"must":["x"],"title":7,"on":"yes","args":{},"sizes":true,"env":[]}"#,
            #"{"must":null,"title":null,"on":null,"args":null,"sizes":null,"env":null,"strict":null}"#,
        ])
    func invalidAndMissingMembersAreAbsent(text: String) throws {
        #expect(try decode(text) == Lax())
        #expect(try rewritten(text) == #"{"must":[]}"#)
    }

    @Test func invalidElementsAreDropped() throws {
        let value: Lax = try decode(#"{"args":["a",7,null,"b"],"sizes":[1,256,2],"must":[1,"x",[],2]}"#)
        #expect(value.args == ["a", "b"] && value.sizes == [1, 2] && value.must == [1, 2])
    }

    @Test func aValueThatMeansAbsenceIsWrittenIfItWasRead() throws {
        let text = #"{"on":false,"args":[],"sizes":[],"env":{},"must":[]}"#
        #expect(try rewritten(text) == text)
        #expect(try decode(text).sizes == [])
    }

    @Test func absenceIsNotWritten() throws {
        #expect(try JSONTextEncoder().encode(Lax(on: false, args: [])) == Array(#"{"must":[]}"#.utf8))
        #expect(
            try JSONTextEncoder().encode(Lax(title: "t", on: true)) == Array(#"{"title":"t","on":true,"must":[]}"#.utf8)
        )
    }

    @Test(
        arguments: [
            ("{}", "expected Array<Int> at must, found nothing"),
            (#"{"must":[],"strict":"1"}"#, #"expected Int at strict, found string "1""#),
        ])
    func requiredMembersAreNotLenient(text: String, message: String) {
        let error = #expect(throws: JSONCodingError.self) { try decode(text) }
        #expect(error?.description == message)
    }

    // MARK: Patches

    @Test(
        arguments: [
            (#"{"must":[]}"#, .unchanged, #"{"must":[]}"#), (#"{"must":[],"change":7}"#, .unchanged, #"{"must":[]}"#),
            (#"{"must":[],"change":null}"#, .cleared, #"{"must":[],"change":null}"#),
            (#"{"must":[],"change":"x"}"#, .set("x"), #"{"must":[],"change":"x"}"#),
        ] as [(String, Patch<String>, String)])
    func patchesDistinguishNullFromAbsence(text: String, patch: Patch<String>, written: String) throws {
        #expect(try decode(text).change == patch)
        #expect(try rewritten(text) == written)
        #expect(Patch.cleared.applied(to: "a") == nil && Patch<String>.unchanged.applied(to: "a") == "a")
    }

    @Test(
        arguments: [
            ("{}", .unchanged), (#"{"items":null}"#, .cleared), (#"{"items":[]}"#, .set([])),
            (#"{"items":[1,"x",null,2]}"#, .set([1, 2])), (#"{"items":7}"#, .unchanged),
        ] as [(String, Patch<[Int]>)])
    func aPatchOfAnArrayDropsInvalidElements(text: String, patch: Patch<[Int]>) throws {
        struct Change: Decodable {
            var items: Patch<[Int]>
        }
        #expect(try JSONTextDecoder().decode(Change.self, from: Array(text.utf8)).items == patch)
    }

    // MARK: Other members

    @Test func otherMembersKeepTheirSpelling() throws {
        let text = #"{"must":[1],"_meta":{ "b" : 1.0 },"others":"mine","new":[]}"#
        let value: Lax = try decode(text)
        #expect(value.others.names == ["_meta", "others", "new"])
        #expect(value.others["_meta"]?.description == #"{ "b" : 1.0 }"#)
        #expect(try rewritten(text) == text)
    }

    @Test func otherMembersAreLookedUpByName() {
        var others: OtherMembers = ["a": 1, "b": [.null]]
        others["a"] = 2
        others["b"] = nil
        others["c"] = "x"
        #expect(others == ["a": 2, "c": "x"] && others["b"] == nil)
    }

    @Test func anotherCoderCanDecodeTheTypes() throws {
        let lax = try JSONDecoder().decode(Lax.self, from: Data(#"{"must":[1,"x"],"args":[1,"a"],"new":1}"#.utf8))
        #expect(lax.must == [1] && lax.args == ["a"] && lax.title == nil && lax.others.isEmpty)
        #expect(try JSONDecoder().decode(Lax.self, from: JSONEncoder().encode(lax)) == lax)
    }

    // MARK: Members

    @Test func membersKeepTheirOrder() throws {
        let text = #"{"z":1,"a":2,"m":3}"#
        let members: Members<Int> = try decode(text, as: Members<Int>.self)
        #expect(members.map(\.name) == ["z", "a", "m"] && members["a"] == 2 && members["x"] == nil)
        #expect(try rewritten(text, as: Members<Int>.self) == text)
        #expect(["z": 1, "a": 9, "m": 3, "a": 2] as Members<Int> == members)
    }

    // MARK: Open enums and unions

    struct Role: OpenEnum {
        let rawValue: String
        init(rawValue: String) { self.rawValue = rawValue }
        static let user = Role(rawValue: "user")
        static let allCases = [user]
    }

    struct Text: Codable, Hashable {
        var text: String
        var others = OtherMembers()
    }

    enum Block: TaggedUnion {
        case text(Text)
        case bare(Text)
        case unknown(UnknownVariant)

        static let tagName = "type"

        init(tag: String?, from decoder: any Decoder) throws {
            switch tag {
            case "text": self = .text(try Text(from: decoder))
            case nil: self = .bare(try Text(from: decoder))
            default: self = .unknown(try UnknownVariant(tag, from: decoder))
            }
        }

        var variant: Variant {
            switch self {
            case .text(let text): Variant("text", text)
            case .bare(let text): Variant(nil, text)
            case .unknown(let unknown): Variant(unknown)
            }
        }
    }

    @Test func unknownEnumValuesAreKept() throws {
        let roles = try decode(#"["user","robot"]"#, as: [Role].self)
        #expect(roles == [.user, Role(rawValue: "robot")] && roles.map(\.isKnown) == [true, false])
        #expect(try rewritten(#"["user","robot"]"#, as: [Role].self) == #"["user","robot"]"#)
        #expect(throws: JSONCodingError.self) { try decode("[1]", as: [Role].self) }
    }

    @Test func theTagIsNotListedAmongOtherMembers() throws {
        let block = try decode(#"{"text":"a","type":"text","x":1}"#, as: Block.self)
        #expect(block == .text(Text(text: "a", others: ["x": 1])))
        #expect(
            try rewritten(#"{"text":"a","type":"text","x":1}"#, as: Block.self) == #"{"type":"text","text":"a","x":1}"#)
    }

    @Test func unknownKindsAreKeptUnchanged() throws {
        let text = #"{ "new" : [1.0], "type":"video", "text":7 }"#
        guard case .unknown(let unknown) = try decode(text, as: Block.self) else {
            Issue.record("known")
            return
        }
        #expect(unknown.tag == "video" && unknown.raw.description == text)
        #expect(try rewritten("[\(text)]", as: [Block].self) == "[\(text)]")
    }

    @Test func aKindCanHaveNoTag() throws {
        #expect(try decode(#"{"text":"a"}"#, as: Block.self) == .bare(Text(text: "a")))
        #expect(try rewritten(#"{"text":"a"}"#, as: Block.self) == #"{"text":"a"}"#)
    }

    @Test(
        arguments: [
            (#"[{"type":"text"}]"#, "expected String at [0].text, found nothing"),
            (#"[{"type":7}]"#, "expected String at [0].type, found number 7"),
            (#"["text"]"#, #"expected object at [0], found string "text""#),
        ])
    func invalidMembersOfAKnownKindAreAnError(text: String, message: String) {
        let error = #expect(throws: JSONCodingError.self) { try decode(text, as: [Block].self) }
        #expect(error?.description == message)
    }

    // MARK: null for the empty object

    struct Empty: Codable, Hashable, DecodableFromNull {
        var others = OtherMembers()
    }

    @Test func nullDecodesAsTheEmptyObjectIfTheTypeAllowsIt() throws {
        #expect(try decode("null", as: Empty.self) == Empty())
        #expect(try decode(#"{"a":1}"#, as: Empty.self).others == ["a": 1])
        #expect(try decode("[null,{}]", as: [Empty?].self) == [nil, Empty()])
        #expect(throws: JSONCodingError.self) { try decode("7", as: Empty.self) }
    }
}
