import Testing
import Tinyvex

@Suite struct CatalogueTests {
    @Test func everyServedNameHasOneDescription() {
        #expect(Catalogue.names(.query) == QueryName.allCases.map(\.rawValue))
        #expect(Catalogue.names(.mutation) == MutationName.allCases.map(\.rawValue))
        #expect(Catalogue.names(.action) == ActionName.allCases.map(\.rawValue))
        #expect(Set(Catalogue.functions.map(\.name)).count == Catalogue.functions.count)
    }

    @Test(arguments: Catalogue.functions)
    func everyDescriptionIsComplete(function: FunctionDescription) {
        #expect(function.name.wholeMatch(of: /[a-z]+:[a-z][A-Za-z]*/) != nil)
        #expect(function.summary.hasSuffix("."))
        let names = function.parameters.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(function.role == .observe || function.kind != .query, "an observer can run every query")
    }
}
