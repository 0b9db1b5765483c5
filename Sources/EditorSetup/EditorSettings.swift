import BridgeSettings
import Invocations

/// The text that an editor's settings need for an agent under the bridge. Pure.
package struct EditorSettings: Equatable {
    /// A member to set in a JSON file.
    package struct Member: Equatable {
        /// The file's path below the user's home folder or, for Zed, the configuration folder.
        package let path: String
        package let isBelowConfiguration: Bool
        package let parent: String
        package let name: String
        /// JSON of several lines.
        package let value: String
    }

    /// Nil if the settings are not in a JSON file.
    package let member: Member?
    /// The text to add by hand, with a line feed at the end.
    package let text: String
    /// Where the text belongs, for a person.
    package let place: String

    /// - Parameters:
    ///   - program: The absolute path of acpbridge.
    ///   - title: The agent's name for people.
    package init(_ editor: EditorName, agent: String, title: String, program: String) {
        // For a path without `$` and backquotes, a JSON string is also one of Lua, Lisp and the shell.
        let (command, name) = (CommentedJSONEdit.quoted(program), CommentedJSONEdit.quoted(agent))
        switch editor {
        case .zed:
            let value = "{\n  \"type\": \"custom\",\n  \"command\": \(command),\n  \"args\": [\"--agent\", \(name)]\n}"
            self.init(
                Member(
                    path: "zed/settings.json", isBelowConfiguration: true, parent: "agent_servers",
                    name: "\(title) (bridged)", value: value))
        case .jetbrains:
            let value = "{\n  \"command\": \(command),\n  \"args\": [\"--agent\", \(name)],\n  \"env\": {}\n}"
            self.init(
                Member(
                    path: ".jetbrains/acp.json", isBelowConfiguration: false, parent: "agent_servers",
                    name: "\(title) (bridged)", value: value))
        case .neovim:
            self.init(
                place: "your configuration, with the plugin CodeCompanion or avante.nvim",
                text: """
                    -- CodeCompanion
                    require("codecompanion").setup({
                      adapters = {
                        acp = {
                          bridged = function()
                            return require("codecompanion.adapters").extend("claude_code", {
                              commands = { default = { \(command), "--agent", \(name) } },
                            })
                          end,
                        },
                      },
                      interactions = { chat = { adapter = "bridged" } },
                    })

                    -- avante.nvim
                    require("avante").setup({
                      provider = "bridged",
                      acp_providers = {
                        ["bridged"] = { command = \(command), args = { "--agent", \(name) } },
                      },
                    })

                    """)
        case .emacs:
            self.init(
                place: "your init file, with agent-shell; each of its agents has its own variable",
                text: "(setq agent-shell-anthropic-claude-acp-command '(\(command) \"--agent\" \(name)))\n")
        case .toad:
            let command = CommentedJSONEdit.quoted("\(program) --agent \(agent)")
            self.init(place: "a terminal", text: "toad acp \(command) .\n")
        }
    }

    private init(_ member: Member) {
        let value = member.value.split(separator: "\n").joined(separator: "\n    ")
        self.member = member
        text = "{\n  \"\(member.parent)\": {\n    \(CommentedJSONEdit.quoted(member.name)): \(value)\n  }\n}\n"
        place = (member.isBelowConfiguration ? "~/.config/" : "~/") + member.path
    }

    private init(place: String, text: String) {
        member = nil
        self.place = place
        self.text = text
    }
}
