import JSONScan
import Testing

@testable import BridgeRequests

@Suite struct SessionTreeTests {
    /// Sessions written as `id` or `id<parent`, and the tree as `depth:id`.
    private func tree(_ sessions: String...) throws -> String {
        let listed = try sessions.map { words in
            let parts = words.split(separator: "<")
            let row = JSONWriter.object { writer in
                writer.member("sessionId", String(parts[0]))
                writer.member("agent", "a")
                writer.member("parentId", ifPresent: parts.dropFirst().first.map(String.init))
            }
            return try #require(ListedSession(try JSONValue(validating: row)))
        }
        return SessionTree.rows(listed).map { "\($0.depth):\($0.session.id)" }.joined(separator: " ")
    }

    @Test func aSubagentFollowsItsParent() throws {
        #expect(try tree("c<s", "s", "d<c", "t", "e<s") == "0:s 1:c 2:d 1:e 0:t")
    }

    @Test func aSubagentWithoutItsParentStandsAtTheTop() throws {
        #expect(try tree("c<gone", "s", "d<c") == "0:c 1:d 0:s")
    }

    @Test func everySessionOfACycleIsListedOnce() throws {
        #expect(try tree("a<b", "b<a", "x<x") == "0:x 0:a 1:b")
    }

    @Test func aDeepTreeIsListed() throws {
        let listed = try (0..<20_000).map { number in
            let parent = number == 0 ? "" : #","parentId":"\#(number - 1)""#
            let row = #"{"sessionId":"\#(number)","agent":"a"\#(parent)}"#
            return try #require(ListedSession(try JSONValue(validating: Array(row.utf8))))
        }
        #expect(SessionTree.rows(listed).last?.depth == 19_999)
    }
}
