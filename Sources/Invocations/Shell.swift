import ArgumentParsing

/// A shell with a completion script.
package enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish
}

extension Shell: ArgumentValue {}
