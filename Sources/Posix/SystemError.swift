import Glibc

/// A failed system call, with its name and `errno`.
package struct SystemError: Error, Equatable, CustomStringConvertible {
    package let call: String
    package let code: Int32
    /// The reason why this program refused something that the system allowed. Nil for a failed call.
    package let refusal: String?

    package init(_ call: String, code: Int32 = errno) {
        self.call = call
        self.code = code
        refusal = nil
    }

    /// Creates the error for something that this program does not trust.
    ///
    /// - Parameter subject: Usually a path.
    /// - Parameter refusal: The reason, in words that follow the subject and a colon.
    package init(refusing subject: String, because refusal: String) {
        call = subject
        code = EPERM
        self.refusal = refusal
    }

    /// The refusal, or the system's text for the code from `strerror`.
    package var reason: String { refusal ?? String(cString: strerror(code)) }

    package var description: String { "\(call): \(reason)" }
}
