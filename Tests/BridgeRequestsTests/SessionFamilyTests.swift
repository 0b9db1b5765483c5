import JSONScan
import Testing

@testable import BridgeRequests

@Suite struct SessionFamilyTests {
    /// A row of the list.
    ///
    /// - Parameters:
    ///   - name: `id`, or `id<parent`.
    ///   - created: Milliseconds since 1970.
    private func row(_ name: String, created: Int64, agent: String = "a") throws -> ListedSession {
        let parts = name.split(separator: "<").map(String.init)
        let row = JSONWriter.object { writer in
            writer.member("sessionId", parts[0])
            writer.member("agent", agent)
            writer.member("parentId", ifPresent: parts.dropFirst().first)
            writer.member("createdTs", created)
            writer.member("journal", "\(parts[0])-\(created)")
        }
        return try #require(ListedSession(try JSONValue(validating: row)))
    }

    private func family(_ root: ListedSession, _ list: [ListedSession]) -> SessionFamily {
        var search = FamilySearch(root)
        list.forEach { search.note(incarnation: $0) }
        while search.beginGeneration() { list.forEach { search.add($0) } }
        return search.family
    }

    @Test func everyGenerationFollowsItsParentInTheOrderOfBeginnings() throws {
        let root = try row("S", created: 1)
        let list = try [
            row("E<C", created: 5), row("D<S", created: 4), row("C<S", created: 2), root, row("T", created: 3),
            row("U<T", created: 3), row("F<E", created: 6),
        ]
        #expect(family(root, list).subagents.map(\.id) == ["C", "E", "F", "D"])
    }

    @Test func subagentsOfOtherIncarnationsAndAgentsAreLeftOut() throws {
        let root = try row("S", created: 10)
        let list = try [
            row("late<S", created: 20), row("S", created: 20), row("C<S", created: 15), root, row("B<S", created: 12),
            row("early<S", created: 5), row("S", created: 5), row("other<S", created: 11, agent: "b"),
            // An earlier incarnation of the same subagent: the newest one is listed first.
            row("C<S", created: 11),
        ]
        let family = family(root, list)
        #expect(family.subagents.map { "\($0.id) \($0.createdTime)" } == ["B 12", "C 15"])
        #expect(!family.isCut)
    }

    /// An imported subagent has the time of its first part, which can be earlier than that of the session.
    @Test func aSubagentOfAnOnlyIncarnationCanHaveAnEarlierTime() throws {
        let root = try row("S", created: 10)
        #expect(family(root, try [row("C<S", created: 5), root]).subagents.map(\.id) == ["C"])
    }

    @Test func aCycleEnds() throws {
        let root = try row("S<C", created: 1)
        let list = try [row("C<S", created: 1), root, row("S<S", created: 1)]
        #expect(family(root, list).subagents.map(\.id) == ["C"])
    }
}
