import BridgeSettings
import CommandContext
import EditorSetup
import Glibc
import Invocations
import LocalBridge
import Posix
import SessionText
import TerminalIO

/// `acpbridge setup`: adds an agent to an editor's settings.
package struct SetupCommand {
    private let context: ProcessContext

    package init(_ context: ProcessContext) { self.context = context }

    package func run(_ options: SetupOptions) throws {
        let choice = AgentChoice(context)
        let agent = try choice.name(options.agent)
        let settings = EditorSettings(
            options.editor, agent: agent, title: try choice.title(agent), program: context.lastingProgramPath)
        guard let member = settings.member, !options.print else {
            Console.report("acpbridge: add this to \(settings.place):")
            return try Console.show("\(lines: settings.text)")
        }
        try change(EditorFile(path: try path(of: member)), member, options)
    }

    private func path(of member: EditorSettings.Member) throws(Failure) -> String {
        let variables = context.variables
        if member.isBelowConfiguration, let folder = variables["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
            return "\(folder)/\(member.path)"
        }
        guard
            let home = variables["HOME"].flatMap({ $0.hasPrefix("/") ? $0 : nil })
                ?? UserDatabase.homeFolder(of: geteuid())
        else { throw Failure(message: "HOME is not set") }
        return member.isBelowConfiguration ? "\(home)/.config/\(member.path)" : "\(home)/\(member.path)"
    }

    private func change(_ file: EditorFile, _ member: EditorSettings.Member, _ options: SetupOptions) throws {
        let old = try file.read()
        let new: [UInt8]
        do throws(CommentedJSONEdit.Failure) {
            new = try CommentedJSONEdit.setting(member.name, to: member.value, in: member.parent, of: old ?? [])
        } catch {
            throw Failure(
                message: """
                    \(file.path) was not changed: \(error). `acpbridge setup \(options.editor.rawValue) --print` prints \
                    the text to add by hand
                    """)
        }
        if new == old {
            return Console.report("\(file.path) has \"\(member.name)\" already; nothing was changed.")
        }
        let (before, after) = (String(decoding: old ?? [], as: UTF8.self), String(decoding: new, as: UTF8.self))
        Console.report("\(file.path):")
        for line in LineDifference(before, after, limit: Self.shownLines).lines { Console.reportWhole("\(line)") }
        guard try options.yes || confirms() else { return Console.report("Nothing was changed.") }
        try file.replace(old, with: new)
        let backup = old == nil ? "" : " The previous file is \(file.backup)."
        Console.report("Written. Restart the agent in the editor, or choose \"\(member.name)\" there.\(backup)")
    }

    /// 200 lines, more than the setting and what is around it.
    private static let shownLines = 200

    private func confirms() throws(Failure) -> Bool {
        guard Console.canAsk else {
            throw Failure(
                message: "nothing was changed, because there is no terminal to ask on: use --yes, or --print",
                status: Failure.wrongUsage)
        }
        return Console.confirms("Write this? Type y to write, anything else to leave the file as it is:")
    }
}
