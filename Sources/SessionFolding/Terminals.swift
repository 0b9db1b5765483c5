import JSONScan

/// The terminals that an agent shows, with the end of their output. Pure.
///
/// The last 32 terminals are kept, each with the last 8 KiB of its output. Before the output is cut, it has up to 16 KiB.
struct Terminals {
    static let countLimit = 32
    static let outputLimitBytes = 8 << 10
    /// 4 KiB for a command, a folder and each other member.
    private static let memberLimitBytes = 4 << 10

    /// Decoded bytes.
    private struct Output {
        var bytes: [UInt8] = []
        var omittedCount: Int64 = 0

        /// Cuts the output to its end only after it has doubled, so that not every chunk has to be moved.
        mutating func append(_ more: [UInt8]) {
            bytes += more
            if bytes.count > 2 * Terminals.outputLimitBytes { cut() }
        }

        /// Removes the beginning, up to the beginning of a character.
        mutating func cut() {
            var start = max(0, bytes.count - Terminals.outputLimitBytes)
            while start > 0, start < bytes.count, bytes[start] & 0xc0 == 0x80 { start += 1 }
            bytes.removeFirst(start)
            omittedCount += Int64(start)
        }
    }

    private var terminals = MergedObjects(
        idName: "terminalId", countLimit: countLimit, memberLimitBytes: memberLimitBytes)
    private var outputs: [String: Output] = [:]

    var isEmpty: Bool { terminals.isEmpty }
    var byteCount: Int { terminals.byteCount + outputs.values.reduce(0) { $0 + $1.bytes.count } }

    mutating func merge(_ update: JSONValue) {
        guard let id = terminals.merge(update, except: ["output", "data"]) else { return }
        if outputs.count > Self.countLimit { forgetRemoved() }
        guard let output = update["output"] else { return }
        outputs[id] = nil
        append(output["data"], to: id)
    }

    /// - Parameter update: A `terminal_output_chunk`. Its terminal can be unknown.
    mutating func append(_ update: JSONValue) {
        guard let id = terminals.merge(update, except: ["data", "_meta"]) else { return }
        append(update["data"], to: id)
        if outputs.count > Self.countLimit { forgetRemoved() }
    }

    private mutating func append(_ data: JSONValue?, to id: String) {
        guard let bytes = data?.base64Bytes, !bytes.isEmpty else { return }
        outputs[id, default: Output()].append(bytes)
    }

    private mutating func forgetRemoved() {
        let known = Set(terminals.ids)
        outputs = outputs.filter { known.contains($0.key) }
    }

    /// Writes each terminal with the end of its output as text. Escape sequences remain in the text.
    func write(to writer: inout JSONWriter) {
        terminals.write(to: &writer) { id, writer in
            guard var output = outputs[id] else { return }
            output.cut()
            writer.member("output", String(decoding: output.bytes, as: UTF8.self))
            if output.omittedCount > 0 { writer.member("omittedBytes", output.omittedCount) }
        }
    }
}
