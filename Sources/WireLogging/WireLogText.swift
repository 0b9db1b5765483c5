import JSONRPC
import JSONScan
import SessionExport
import Tinyvex

/// Converts the bytes of an agent's streams to the lines of a wire log. Pure.
///
/// `{"ts":"2026-11-21T04:00:00.123Z","from":"agent","line":{…unchanged…}}`. A line that is not JSON has `text` instead of
/// `line`, and one that is too long has `omittedBytes`.
package struct WireLogText {
    package enum Source: String, CaseIterable {
        /// The agent's standard output.
        case agent
        /// The agent's standard input, which the editor and other clients write.
        case client
        /// The agent's standard error.
        case stderr
    }

    /// A longer line is left out, because it would take most of the file.
    static let lineLimitBytes = 4 << 20

    private var splitters: [Source: LineSplitter]
    private var redactor: LineRedactor?

    /// - Parameter keepsTokens: Do not hide tokens of known forms.
    init(keepsTokens: Bool) {
        splitters = Dictionary(
            uniqueKeysWithValues: Source.allCases.map { ($0, LineSplitter(limitBytes: Self.lineLimitBytes)) })
        redactor = keepsTokens ? nil : LineRedactor(Redaction(rules: [], hidesTokens: true))
    }

    /// Returns the lines that the bytes complete, each with its line feed.
    ///
    /// - Parameter ts: Milliseconds since 1970.
    mutating func add(_ bytes: [UInt8], from source: Source, at ts: Int64) -> [UInt8] {
        var lines: [[UInt8]] = []
        bytes.withUnsafeBytes { chunk in
            splitters[source]?.split(chunk) { line in
                switch line {
                case .line(let span): lines.append(Self.line(span.withUnsafeBufferPointer(Array.init), source, ts))
                case .oversized(let count):
                    lines.append(Self.line(source, ts) { $0.member("omittedBytes", count) })
                }
            }
        }
        return lines.flatMap { redacted($0) + [0x0a] }
    }

    /// A line about bytes that were not recorded, because the disk was too slow.
    static func dropped(_ count: Int, at ts: Int64) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("ts", Timestamp.milliseconds(ts))
            writer.member("droppedBytes", count)
        } + [0x0a]
    }

    private mutating func redacted(_ line: [UInt8]) -> [UInt8] {
        guard var redactor else { return line }
        let done = redactor.add(line) + redactor.finish()
        self.redactor = redactor
        return done.flatMap(\.self)
    }

    private static func line(_ bytes: [UInt8], _ source: Source, _ ts: Int64) -> [UInt8] {
        guard let value = try? JSONValue(validating: bytes) else {
            return line(source, ts) { $0.member("text", String(decoding: bytes, as: UTF8.self)) }
        }
        return line(source, ts) { $0.member("line", raw: value.rawText) }
    }

    private static func line(_ source: Source, _ ts: Int64, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("ts", Timestamp.milliseconds(ts))
            writer.member("from", source.rawValue)
            body(&writer)
        }
    }
}
