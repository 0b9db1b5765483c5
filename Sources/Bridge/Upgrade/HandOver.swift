import AgentProcess
import Agents
import CShims
import Clients
import EventLoop
import Glibc
import JSONCoding
import JSONScan
import Posix

/// The state that a bridge passes to the program that replaces it in the same process: descriptors and their contents.
///
/// It is written as JSON into a file in memory. The new program finds the file's descriptor in its environment. The
/// hand-over contains no updates, because all updates are already in the log.
package struct HandOver: Codable, Sendable {
    /// A program reads the formats that it writes itself, and those of all older programs since the first format. A new
    /// member must be optional, or this number must increase.
    package static let format = 2

    struct ListenerState: Codable, Sendable {
        var fd: Int32
        /// The requested address: `127.0.0.1:0`; nil for the Unix socket.
        var address: String?
        /// True for a socket that a service manager has passed; nil means false.
        var isPassed: Bool?
    }

    var format = Self.format
    var lock: Int32
    var listeners: [ListenerState]
    var runs: [AgentRun.State]
    var shims: [ShimConnection.State]
    var resumableConnections: [ResumableConnection.State]
    /// Nil in the state of an older bridge.
    var restarts: AgentRestarts.State?

    /// The names in a hand-over's JSON. They stay the names of the first format.
    private enum CodingKeys: String, CodingKey {
        case format, lock, listeners, runs, shims = "fronts", resumableConnections = "relays", restarts
    }

    /// The reason why a hand-over cannot be used.
    package struct Fault: Error, CustomStringConvertible {
        package let description: String
    }

    // MARK: From the old program to the new one

    package static let variable = "ACPBRIDGE_HAND_OVER"

    /// All descriptors that must stay open for the new program.
    var descriptors: [Int32] {
        [lock] + listeners.map(\.fd) + runs.flatMap(\.descriptors) + shims.flatMap(\.descriptors)
    }

    /// Stores the hand-over in a file that the next program reads.
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

    /// Returns the hand-over of the previous program; nil if there was none. The caller owns the descriptors.
    package static func receive() throws -> HandOver? {
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

    /// Most of the bytes are lines of JSON, which stay readable. Other bytes, such as a line that was cut within a character,
    /// are written as `{"base64":"/w=="}`; the first format had arrays of numbers.
    static var encoder: JSONTextEncoder {
        var encoder = JSONTextEncoder()
        encoder.conversions.add([UInt8].self) { bytes in
            if let text = String(validating: bytes, as: UTF8.self) { return RawJSON(text) }
            var text: [UInt8] = []
            Base64Text.encode(bytes, to: &text)
            return RawJSON([("base64", RawJSON(String(decoding: text, as: UTF8.self)))])
        }
        return encoder
    }

    static var decoder: JSONTextDecoder {
        var decoder = JSONTextDecoder()
        decoder.conversions.add([UInt8].self) { value in
            if let bytes = value.stringBytes ?? value["base64"]?.base64Bytes { return bytes }
            guard value.kind == .array else { return nil }
            let bytes = value.elements.compactMap { $0.int64Value.flatMap(UInt8.init(exactly:)) }
            return bytes.count == value.elements.count ? bytes : nil
        }
        return decoder
    }
}
