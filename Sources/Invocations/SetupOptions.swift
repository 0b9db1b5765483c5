import ArgumentParsing

/// Options of `acpbridge setup`.
package struct SetupOptions: Equatable, Sendable {
    package var editor: EditorName
    /// The name of an agent's profile; nil means `ACPBRIDGE_AGENT`.
    package var agent: String?
    /// Print the text for the editor's settings, and change nothing.
    package var print: Bool
    /// Change the settings without a question.
    package var yes: Bool

    package init(editor: EditorName, agent: String? = nil, print: Bool = false, yes: Bool = false) {
        self.editor = editor
        self.agent = agent
        self.print = print
        self.yes = yes
    }
}

/// An editor that `acpbridge setup` knows.
package enum EditorName: String, CaseIterable, Sendable {
    case zed, jetbrains, neovim, emacs, toad
}

extension EditorName: ArgumentValue {}
