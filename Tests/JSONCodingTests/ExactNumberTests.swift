import JSONCoding
import Testing

@Suite struct ExactNumberTests {
    private func decode<Value: Decodable>(_ text: String, as type: Value.Type) throws -> Value {
        try JSONTextDecoder().decode(type, from: Array(text.utf8))
    }

    private func roundTrips<Value: Codable & Equatable>(_ value: Value, _ text: String) throws {
        #expect(try decode(text, as: Value.self) == value)
        #expect(String(decoding: try JSONTextEncoder().encode(value), as: UTF8.self) == text)
    }

    @Test func integersKeepTheirFullRange() throws {
        try roundTrips(Int64.min, "-9223372036854775808")
        try roundTrips(Int64.max, "9223372036854775807")
        try roundTrips(UInt64.max, "18446744073709551615")
        try roundTrips(Int128.min, "-170141183460469231731687303715884105728")
        try roundTrips(UInt128.max, "340282366920938463463374607431768211455")
        try roundTrips(Int8.min, "-128")
        try roundTrips(UInt16.max, "65535")
    }

    @Test(
        arguments: [
            ("1e3", 1000), ("1.0", 1), ("-0", 0), ("-0.0e5", 0), ("10000e-1", 1000), ("1.5e1", 15),
            ("0e999999999999", 0),
            ("12.30e2", 1230), ("9.223372036854775807e18", .max), ("-92233720368547758080e-1", .min), ("1E+2", 100),
            ("0.00", 0), ("0.0012e4", 12),
        ] as [(String, Int64)])
    func everySpellingOfAWholeNumberIsAnInteger(text: String, value: Int64) throws {
        #expect(try decode(text, as: Int64.self) == value)
    }

    @Test(
        arguments: [
            "9223372036854775808", "-9223372036854775809", "1e19", "1.5", "1e-1", "1e999999999999999999999", "1e-400",
            "0.1", "123456789012345678901234567890", "9223372036854775807.5",
        ])
    func numbersThatAreNotInt64AreRefused(text: String) {
        #expect(throws: JSONCodingError.mismatch(expected: "Int64", found: "number \(text)", path: CodingPath())) {
            try decode(text, as: Int64.self)
        }
    }

    @Test(arguments: ["-1", "256", "2.56e2", "1e3"])
    func smallIntegerTypesRefuseNumbersThatDoNotFit(text: String) {
        #expect(throws: JSONCodingError.self) { try decode(text, as: UInt8.self) }
    }

    @Test func aLargeExponentTakesNoLongerThanItsText() throws {
        #expect(throws: JSONCodingError.self) {
            try decode("1e\(String(repeating: "9", count: 100_000))", as: Int.self)
        }
        let zeros = String(repeating: "0", count: 100_000)
        #expect(try decode("1\(zeros)e-100000", as: Int.self) == 1)
    }

    @Test(
        arguments: [
            0, -0.0, 1, 0.1, 1e-7, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 123_456_789.125, 1e21, 1e16, -2.5,
            0.1 + 0.2,
        ])
    func doublesRoundTrip(number: Double) throws {
        let text = try JSONTextEncoder().encode(number)
        let back = try JSONTextDecoder().decode(Double.self, from: text)
        #expect(back.bitPattern == number.bitPattern, "\(String(decoding: text, as: UTF8.self))")
    }

    @Test func randomDoublesRoundTrip() throws {
        for _ in 0..<2000 {
            let number = Double(bitPattern: .random(in: 0 ... .max))
            guard number.isFinite else { continue }
            #expect(try JSONTextDecoder().decode(Double.self, from: JSONTextEncoder().encode(number)) == number)
        }
    }

    @Test func wholeDoublesAreWrittenWithoutFraction() throws {
        #expect(try JSONTextEncoder().encode([1.0, -0.0, 2.5]) == Array("[1,-0,2.5]".utf8))
        #expect(try JSONTextEncoder().encode([Float(0.1)]) == Array("[0.1]".utf8))
    }

    @Test func valuesBeyondADoubleAreRefused() {
        #expect(throws: JSONCodingError.self) { try decode("1e999", as: Double.self) }
        #expect(throws: JSONCodingError.self) { try decode("1e39", as: Float.self) }
        #expect(
            throws: JSONCodingError.unencodable(reason: "inf is not a JSON number", path: CodingPath([.member("x")]))
        ) {
            try JSONTextEncoder().encode(["x": Double.infinity])
        }
    }
}
