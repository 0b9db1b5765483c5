import TerminalIO
import TerminalText

extension CommandClient {
    /// 20 names. Further ones are only counted.
    private static let shownNames = 20

    /// A message with the names that there are, if no session has an agent of this name; otherwise nil. Asks for all sessions
    /// in the first case.
    package func absence(ofAgent name: String) async throws -> TerminalText? {
        var names: Set<String> = []
        try await eachSession { page in
            names.formUnion(page.map(\.agent))
            return !names.contains(name)
        }
        return Self.absence(of: name, among: names)
    }

    static func absence(of name: String, among names: Set<String>) -> TerminalText? {
        guard !names.contains(name), !names.isEmpty else { return nil }
        let shown = names.sorted().prefix(shownNames).map { TerminalText(oneLine: Table.cell($0, limit: 40)) }
        let rest: TerminalText = names.count > shownNames ? ", and \(names.count - shownNames) more" : ""
        return "no session has the agent '\(name)'; there are sessions of " + shown.joined(separator: ", ") + rest
    }
}
