import CShims

/// The state of a descriptor. `hangup` includes errors: the next read or write returns which.
package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let readable = Readiness(rawValue: EPOLLIN.rawValue)
    package static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
    package static let hangup = Readiness(rawValue: EPOLLHUP.rawValue | EPOLLERR.rawValue)
}
