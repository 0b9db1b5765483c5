import CommandContext
import Glibc
import JSONScan
import SessionOutput
import TerminalIO

/// A file that is sent with a prompt, as one of ACP's content blocks.
struct AttachedFile: Sendable {
    /// The absolute path.
    let path: String
    let bytes: [UInt8]

    /// All files of a prompt together: 11 MiB. As Base64 they fit in one message to a bridge, whose limit is 16 MiB.
    static let limitBytes = 11 << 20

    /// The kinds of content that the agent accepts in a prompt besides text and links; nil if they are not known.
    struct Accepted: Sendable {
        let image: Bool
        let audio: Bool
        let embeddedContext: Bool

        /// - Parameter value: `promptCapabilities` of `sessions:get`.
        init?(_ value: JSONValue?) {
            guard let value, !value.isNull else { return nil }
            image = value["image"]?.boolValue ?? false
            audio = value["audio"]?.boolValue ?? false
            embeddedContext = value["embeddedContext"]?.boolValue ?? false
        }
    }

    /// The types that agents usually accept, by the ending of the file's name.
    private static let mediaTypes = [
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
        "wav": "audio/wav", "mp3": "audio/mpeg", "ogg": "audio/ogg", "m4a": "audio/mp4", "flac": "audio/flac",
    ]

    private var name: String { String(path.split(separator: "/").last ?? "") }

    private var mediaType: String? {
        guard let dot = name.lastIndex(of: ".") else { return nil }
        return Self.mediaTypes[name[name.index(after: dot)...].lowercased()]
    }

    /// The content block as JSON text.
    ///
    /// - Parameters:
    ///   - accepted: Nil if it is not known. The agent then decides itself.
    ///   - isRemote: The bridge can be on another machine, where a link to the file leads nowhere.
    func block(for agent: String, _ accepted: Accepted?, isRemote: Bool) throws(Failure) -> [UInt8] {
        if let type = mediaType {
            let kind = type.hasPrefix("image/") ? "image" : "audio"
            guard kind == "image" ? accepted?.image != false : accepted?.audio != false else {
                throw Failure(message: "\(name) cannot be sent: the agent \(agent) accepts no \(kind)")
            }
            return media(kind, type)
        }
        if accepted?.embeddedContext != false, !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) {
            return resource(text)
        }
        guard !isRemote else {
            throw Failure(
                message: """
                    \(name) cannot be sent: the agent \(agent) would need a link to the file, and it can run on another \
                    machine
                    """)
        }
        return link
    }

    private func media(_ kind: String, _ type: String) -> [UInt8] {
        var data = [UInt8(ascii: "\"")]
        Base64Text.encode(bytes, to: &data)
        data.append(UInt8(ascii: "\""))
        return JSONWriter.object { writer in
            writer.member("type", kind)
            writer.member("mimeType", type)
            writer.member("data", raw: data)
        }
    }

    private func resource(_ text: String) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("type", "resource")
            writer.memberObject("resource") { writer in
                writer.member("uri", uri)
                writer.member("mimeType", "text/plain")
                writer.member("text", text)
            }
        }
    }

    private var link: [UInt8] {
        JSONWriter.object { writer in
            writer.member("type", "resource_link")
            writer.member("uri", uri)
            writer.member("name", name)
            writer.member("size", bytes.count)
        }
    }

    /// The path as a URI. Source: RFC 8089, section 2, and RFC 3986, section 2.3.
    private var uri: String {
        let digits = Array("0123456789ABCDEF".utf8)
        var text = Array("file://".utf8)
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                text.append(byte)
            default: text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    // MARK: Reading

    /// Reads the files in this order.
    static func read(_ paths: [String]) throws(Failure) -> [AttachedFile] {
        var room = limitBytes
        var attachments: [AttachedFile] = []
        for path in paths {
            let attachment = try read(path, limitBytes: room)
            room -= attachment.bytes.count
            attachments.append(attachment)
        }
        return attachments
    }

    private static func read(_ path: String, limitBytes: Int) throws(Failure) -> AttachedFile {
        // A pipe or a device would not end, or would block.
        let fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard fd >= 0 else { throw failure(path) }
        defer { close(fd) }
        var status = stat()
        guard fstat(fd, &status) == 0 else { throw failure(path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(message: "\(path) cannot be attached: it is not a regular file")
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(fd, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(path) }
            if count == 0 { break }
            bytes += buffer.prefix(count)
            guard bytes.count <= limitBytes else {
                throw Failure(message: "the attached files are together longer than \(Self.limitBytes >> 20) MiB")
            }
        }
        guard let absolute = realpath(path, nil) else { throw failure(path) }
        defer { free(absolute) }
        return AttachedFile(path: String(cString: absolute), bytes: bytes)
    }

    private static func failure(_ path: String) -> Failure {
        Failure(message: "\(path) cannot be read: \(String(cString: strerror(errno)))")
    }
}
