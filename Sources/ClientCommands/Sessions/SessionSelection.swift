import BridgeRequests
import Invocations
import JSONScan

/// The sessions that a person wants to see.
struct SessionSelection: Sendable {
    private let options: SessionsOptions
    /// The names of the current folder; empty if the folder does not matter.
    private let folders: [String]
    let limit: Int

    /// - Parameter folders: The current folder, and other paths that lead to it.
    init(_ options: SessionsOptions, folders: [String]) {
        self.options = options
        self.folders = options.here ? folders : []
        limit = options.limit?.count ?? .max
    }

    /// The same with the sessions that have ended.
    var withEnded: SessionSelection {
        var all = options
        all.all = true
        return SessionSelection(all, folders: folders)
    }

    var includesEnded: Bool { options.all || options.archived }

    /// Passes the sessions to `body` page by page, the most recently active first, without those of other folders, other
    /// tags, and other states.
    /// - Parameter withArchived: True to pass archived sessions, too.
    func each(
        _ client: CommandClient, withArchived: Bool = false, _ body: ([ListedSession]) throws -> Bool
    ) async throws {
        // An older bridge ignores some of the members.
        func pass(_ page: [ListedSession]) throws -> Bool {
            try body(page.filter { includes($0) && (withArchived || $0.isArchived == options.archived) })
        }
        guard options.agent != nil || options.archived || !options.words.isEmpty else {
            return try await client.eachSession({ if !includesEnded { $0.member("live", true) } }, pass)
        }
        try await client.eachMatch(
            { writer in
                writer.member("agent", ifPresent: options.agent)
                if !includesEnded { writer.member("live", true) }
                writer.member("archived", options.archived)
                if !options.words.isEmpty { writer.member("search", options.words.joined(separator: " ")) }
            }, pass)
    }

    private func includes(_ session: ListedSession) -> Bool {
        (includesEnded || session.isLive)
            && (options.agent ?? session.agent) == session.agent && options.tag.map(session.tags.contains) ?? true
            && (folders.isEmpty || isHere(session))
    }

    /// A folder of another bridge is on another machine.
    private func isHere(_ session: ListedSession) -> Bool {
        guard session.bridge == nil, let folder = session.folder else { return false }
        return folders.contains { $0 == folder || folder.hasPrefix($0.hasSuffix("/") ? $0 : $0 + "/") }
    }
}
