import ArgumentParsing

/// The form in which `attach` prints a session.
package enum AttachFormat: String, CaseIterable, Sendable {
    /// The agent's lines, unchanged.
    case lines
    /// Each line in an object with its number and time.
    case envelope
    /// One short object without nested values for each entry.
    case flat
    /// The conversation, for people.
    case pretty
}

extension AttachFormat: ArgumentValue {}
