import BridgeRequests
import CommandContext
import Invocations
import JSONScan
import TerminalIO
import TerminalText

/// `acpbridge tag SESSION TAG...`: adds tags to a session and removes others, or prints them.
package struct TagCommand {
    private let context: ProcessContext

    package init(_ context: ProcessContext) { self.context = context }

    package func run(_ options: TagOptions) throws {
        try BridgeAccess(options.connection, context: context).withClient(starting: true) { client in
            let session = try await client.session(options.session)
            guard !options.added.isEmpty || !options.removed.isEmpty else {
                for tag in session.tags { try Console.print("\(tag)") }
                return
            }
            if let missing = options.removed.first(where: { !session.tags.contains($0) }) {
                throw Failure(
                    message: "the session has no tag '\(missing)'; `acpbridge tag \(Table.cell(session.id))` lists them"
                )
            }
            let tags = options.tags(after: session.tags)
            try await client.mutation(
                "sessions:setTags",
                args: session.params { writer in
                    writer.memberArray("tags") { writer in
                        for tag in tags { writer.element(tag) }
                    }
                })
            let noun: TerminalText = tags.count == 1 ? "tag" : "tags"
            let names: TerminalText = tags.isEmpty ? "no tags" : "the \(noun) \(tags.joined(separator: ", "))"
            Console.reportDone("\(Table.cell(session.id)) has " + names + ".")
        }
    }
}
