import AgentProcess
import CShims
import EventLoop
import Glibc
import JSONCoding

/// What a bridge hands to the program that takes its place in the same process: descriptors, and what they carry.
///
/// It is written as JSON into a file in memory whose descriptor the new program finds in its environment. Updates are
/// not in it: they are all in the log by then.
public struct HandOver: Codable, Sendable {
    /// A program reads what it writes itself, and what older ones wrote since the first format. A new member is
    /// optional, or the format goes up.
    public static let format = 1

    struct ListenerState: Codable, Sendable {
        var fd: Int32
        /// The address it was asked to take: `127.0.0.1:0`; nil on the Unix socket.
        var address: String?
    }

    var format = Self.format
    var lock: Int32
    var listeners: [ListenerState]
    var runs: [AgentRun.State]
    var fronts: [FrontLink.State]
    var relays: [GuestRelay.State]

    /// Why what was handed over cannot be used.
    public struct Fault: Error, CustomStringConvertible {
        public let description: String
    }

    // MARK: From one program to the next

    public static let variable = "ACPBRIDGE_HAND_OVER"

    /// Everything that the new program is to find open.
    var descriptors: [Int32] {
        [lock] + listeners.map(\.fd) + runs.flatMap(\.descriptors) + fronts.flatMap(\.descriptors)
    }

    /// Puts it where the next program finds it.
    func store() throws -> Descriptor {
        let text = try Self.encoder.encode(self)
        let fd = cshims_memory_file("hand-over")
        guard fd >= 0 else { throw SystemError("memfd_create") }
        let file = Descriptor(owning: fd)
        var rest = text[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(fd, $0.baseAddress, $0.count) }
            guard count > 0 else { throw SystemError("write") }
            rest = rest.dropFirst(count)
        }
        return file
    }

    /// What the program before this one has left; nil where there was none. The descriptors are the caller's.
    public static func take() throws -> HandOver? {
        guard let value = getenv(variable), let fd = Int32(String(cString: value)) else { return nil }
        unsetenv(variable)
        let file = Descriptor(owning: fd)
        var status = stat()
        guard fstat(fd, &status) == 0 else { throw SystemError("fstat") }
        var text = [UInt8](repeating: 0, count: Int(status.st_size))
        guard pread(fd, &text, text.count, 0) == text.count else { throw SystemError("read") }
        let handOver = try decoder.decode(HandOver.self, from: text)
        _ = consume file
        for fd in handOver.descriptors { ProgramReplacement.setCloseOnExec(fd, true) }
        return handOver
    }

    // MARK: Bytes

    /// Most are lines of JSON, which stay readable; others are arrays of numbers.
    private static var encoder: JSONTextEncoder {
        var encoder = JSONTextEncoder()
        encoder.conversions.add([UInt8].self) { bytes in
            if let text = String(validating: bytes, as: UTF8.self) { return RawJSON(text) }
            return RawJSON(bytes.map { RawJSON($0) })
        }
        return encoder
    }

    private static var decoder: JSONTextDecoder {
        var decoder = JSONTextDecoder()
        decoder.conversions.add([UInt8].self) { value in
            if let bytes = value.stringBytes { return bytes }
            let bytes = value.elements.compactMap { $0.int64Value.flatMap(UInt8.init(exactly:)) }
            return bytes.count == value.elements.count ? bytes : nil
        }
        return decoder
    }
}
