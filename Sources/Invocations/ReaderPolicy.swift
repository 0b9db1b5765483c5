import ArgumentParsing

/// The updates that the bridge can drop for a slow reader: the policies of `tinyvex/subscribe`.
package enum ReaderPolicy: String, CaseIterable, Sendable {
    case lossless, latest, thoughts, merge
}

extension ReaderPolicy: ArgumentValue {}
