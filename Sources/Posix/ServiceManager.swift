import CShims
import Glibc

/// The interface of a service manager such as systemd: sockets that it passes, messages about readiness, and a watchdog.
///
/// Source: sd_listen_fds(3), sd_notify(3), sd_watchdog_enabled(3). No library is needed: the protocol is environment
/// variables and datagrams.
package struct ServiceManager: Sendable, Equatable {
    /// The variables of passed sockets. A program that replaces this one in the same process must not get them, because
    /// the numbers are other files by then.
    package static let socketVariables = [
        "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "LISTEN_PIDFDID",
    ]
    /// All variables. Programs that this one starts must not get them.
    package static let variables =
        socketVariables + [
            "NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC", processVariable, delegationVariable,
        ]

    /// The id of the process that the service manager has started (systemd 248 and newer). Children of that process
    /// inherit the variable, but not the id.
    private static let processVariable = "SYSTEMD_EXEC_PID"
    /// A unit sets this variable to `1` beside `Delegate=yes`.
    private static let delegationVariable = "ACPBRIDGE_DELEGATED"

    /// The first number of a passed descriptor (`SD_LISTEN_FDS_START`).
    private static let firstDescriptor: Int32 = 3
    /// More sockets than a unit for a bridge can have. A larger number is an error.
    private static let descriptorLimit: Int32 = 64

    /// The sockets that were passed to this process.
    package let descriptors: Range<Int32>
    /// The watchdog ends this process if it gets no message for this long. Nil without a watchdog.
    package let watchdogLimit: Duration?
    /// The unit states that the control group of this process is delegated to it. For service managers that do not mark
    /// the group itself, such as the one of a user in systemd 252.
    package let hasDelegatedGroup: Bool
    /// A path, or a name in the abstract namespace that begins with `@`.
    private let notifySocket: String?

    /// - Parameter pid: The id of this process. Variables for another process are ignored.
    package init(_ variables: [String: String], pid: pid_t) {
        let count = variables["LISTEN_FDS"].flatMap { Int32($0) } ?? 0
        let isOurs = variables["LISTEN_PID"].flatMap { pid_t($0) } == pid && (1...Self.descriptorLimit).contains(count)
        descriptors = Self.firstDescriptor..<Self.firstDescriptor + (isOurs ? count : 0)
        let microseconds = variables["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
        let watches = variables["WATCHDOG_PID"].map { pid_t($0) == pid } ?? true
        watchdogLimit = watches && microseconds > 0 ? .microseconds(microseconds) : nil
        let isService = variables[Self.processVariable].flatMap { pid_t($0) } == pid
        hasDelegatedGroup = isService && variables[Self.delegationVariable] == "1"
        notifySocket = variables["NOTIFY_SOCKET"].flatMap { name in
            (name.hasPrefix("/") || name.hasPrefix("@")) && name.utf8.count > 1 ? name : nil
        }
    }

    /// Sends a message of lines such as `READY=1`. Without a service manager, or if it does not take the message, nothing
    /// happens: the manager itself reports a service that is not ready in time.
    package func notify(_ lines: String...) {
        guard let notifySocket else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(notifySocket.utf8)
        // The abstract namespace of unix(7).
        if name[0] == UInt8(ascii: "@") { name[0] = 0 }
        guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let fd = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard fd >= 0 else { return }
        defer { close(fd) }
        let message = Array(lines.joined(separator: "\n").utf8)
        let length = socklen_t(MemoryLayout<sockaddr_un>.offset(of: \.sun_path).map { $0 + name.count } ?? 0)
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = sendto(
                    fd, message, message.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT), address, length)
            }
        }
    }
}
