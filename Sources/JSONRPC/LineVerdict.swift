/// The fate of a line between two parties.
package enum LineVerdict: Equatable, Sendable {
    /// The line is forwarded as it is.
    case forwarded
    case withheld
    /// Another line is forwarded in its place; without its line feed.
    case replaced(by: [UInt8])
}
