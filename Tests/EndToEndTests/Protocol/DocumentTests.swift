import Testing
import Tinyvex

/// Checks that `Protocol/tinyvex.md` names everything that the code serves, and nothing else.
@Suite struct DocumentTests {
    private func words(_ pattern: Regex<Substring>) throws -> Set<String> {
        Set(try ProtocolFiles.document().matches(of: pattern).map { String($0.output) })
    }

    @Test func theDocumentNamesTheCodesMethodsAndNotifications() throws {
        let served = ClientRequest.Method.allCases.map(\.rawValue) + ServerNotification.Method.allCases.map(\.rawValue)
        #expect(try words(/tinyvex\/[A-Za-z]+(?:\.[a-z]+[A-Z][A-Za-z]+)?/) == Set(served))
    }

    @Test func theDocumentNamesTheCodesErrors() throws {
        #expect(try words(/TVX[0-9]+/) == Set(TinyvexErrorCode.allCases.map(\.rawValue)))
        let rows = try ProtocolFiles.document().matches(of: /\| (-32[0-9]+) \|/).map { String($0.output.1) }
        #expect(Set(rows) == ["-32700", "-32600", "-32601", "-32602", "-32603"])
    }

    @Test func theDocumentNamesTheCodesFunctionsAndStreams() throws {
        let names: [String] =
            StreamName.allCases.map(\.rawValue) + QueryName.allCases.map(\.rawValue)
            + MutationName.allCases.map(\.rawValue) + ActionName.allCases.map(\.rawValue)
        let pattern =
            /(?:acp|agents|bridge|codes|elicitations|files|log|notifications|permissions|push|sessions|tokens|usage):[A-Za-z]+/
        #expect(try words(pattern) == Set(names))
    }

    @Test(arguments: TimelineEntryKind.allCases.map(\.rawValue) + Policy.allCases.map(\.rawValue))
    func theDocumentExplains(word: String) throws {
        #expect(try ProtocolFiles.document().contains("`\(word)`"))
    }
}
