/// The text of a token (JWT) that a client has shown, for a bridge of the hub that checks it itself. It is not handed over
/// to the next program, and no description contains it.
package struct ForwardableToken: Sendable, Equatable {
    package let text: String

    init(_ text: String) { self.text = text }
}

extension ForwardableToken: CustomStringConvertible, CustomReflectable {
    package var description: String { "***" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
