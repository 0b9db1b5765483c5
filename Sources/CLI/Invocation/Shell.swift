/// A shell for which there are completions.
public enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish
}
