import Glibc

/// A system call that failed: which one, and its `errno`.
public struct SystemError: Error, Equatable, CustomStringConvertible {
    public let call: String
    public let code: Int32
    /// Why this program refused what the system allowed; nil for a failed call.
    public let refusal: String?

    public init(_ call: String, code: Int32 = errno) {
        self.call = call
        self.code = code
        refusal = nil
    }

    /// Something that this program does not trust.
    ///
    /// - Parameter subject: a path, as a rule.
    /// - Parameter refusal: the reason, in words that follow the subject and a colon.
    public init(refusing subject: String, because refusal: String) {
        call = subject
        code = EPERM
        self.refusal = refusal
    }

    /// The refusal, or the system's own words for the code, as `strerror` has them.
    public var reason: String { refusal ?? String(cString: strerror(code)) }

    public var description: String { "\(call): \(reason)" }
}
