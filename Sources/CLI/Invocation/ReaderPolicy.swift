/// What a reader that falls behind goes without: the policies of `tinyvex/subscribe`.
public enum ReaderPolicy: String, CaseIterable, Sendable {
    case lossless, latest, thoughts, merge
}
