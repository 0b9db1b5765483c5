import Testing

@testable import ArgumentParsing

@Suite struct EditDistanceTests {
    @Test(arguments: [
        ("", "", 0), ("abc", "", 3), ("", "abc", 3), ("abc", "abc", 0), ("form", "from", 1), ("atach", "attach", 1),
        ("attach", "atach", 1), ("stop", "step", 1), ("ca", "abc", 3), ("kitten", "sitting", 3),
    ])
    func theEditDistanceIsSymmetric(from: String, to: String, expected: Int) {
        #expect(editDistance(Array(from.utf8), Array(to.utf8)) == expected)
        #expect(editDistance(Array(to.utf8), Array(from.utf8)) == expected)
    }
}
