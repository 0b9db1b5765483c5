import EventLoop
import Glibc
import Posix

extension Sockets {
    /// Creates two connected, non-blocking Unix sockets.
    package static func pair() throws(SystemError) -> (near: Int32, far: Int32) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw SystemError("socketpair") }
        return (ends[0], ends[1])
    }
}
