/// A shell with a completion script.
public enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish
}
