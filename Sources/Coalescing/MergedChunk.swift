import JSONScan

/// One chunk merged from several: the first chunk's line with the text of all of them, marked by its `_meta`.
///
///     {…"update":{"_meta":{"tinyvex":{"mergedFrom":12,"mergedTo":14}},"sessionUpdate":…,"text":"Hello!"}}…}
///
/// Texts are joined with their escapes and never decoded. The result is the text that a client would have assembled,
/// even when the surrogates of one character arrived in two chunks. The output of a terminal is decoded from Base64,
/// joined and encoded again, because the Base64 text of a chunk can end with padding.
package struct MergedChunk: Sendable {
    private let line: [UInt8]
    private let chunk: TextChunk
    private let first: Int64
    package private(set) var last: Int64
    /// The text of the chunks after the first; the decoded bytes of all chunks if the text is Base64Text.
    private var text: [UInt8] = []

    /// Nil when `line` is not a text chunk.
    package init?(first line: Span<UInt8>, number: Int64) {
        guard let chunk = Self.textChunk(line) else { return nil }
        self.line = line.bytes(in: 0..<line.count)
        self.chunk = chunk
        first = number
        last = number
        if chunk.isEncoded { Base64Text.decode(line.extracting(chunk.text), to: &text) }
    }

    /// Adds the next chunk. Ignores a line that is not a text chunk.
    package mutating func append(_ line: Span<UInt8>) {
        last += 1
        guard let chunk = Self.textChunk(line), chunk.isEncoded == self.chunk.isEncoded else { return }
        if chunk.isEncoded { return Base64Text.decode(line.extracting(chunk.text), to: &text) }
        line.extracting(chunk.text).withUnsafeBufferPointer { text.append(contentsOf: $0) }
    }

    /// The merged line, without a line feed.
    package func bytes() -> [UInt8] {
        var merged: [UInt8] = []
        merged.reserveCapacity(line.count + text.count + 80)
        if chunk.metaStart < chunk.text.lowerBound {
            let next = appendMeta(to: &merged, copyingFrom: 0)
            appendText(to: &merged, copyingFrom: next)
            merged += line[chunk.text.upperBound...]
        } else {
            appendText(to: &merged, copyingFrom: 0)
            let next = appendMeta(to: &merged, copyingFrom: chunk.text.upperBound)
            merged += line[next...]
        }
        return merged
    }

    private func appendText(to merged: inout [UInt8], copyingFrom start: Int) {
        if chunk.isEncoded {
            merged += line[start..<chunk.text.lowerBound]
            Base64Text.encode(text, to: &merged)
        } else {
            merged += line[start..<chunk.text.upperBound]
            merged += text
        }
    }

    /// Returns the offset in the line at which copying continues.
    private func appendMeta(to merged: inout [UInt8], copyingFrom start: Int) -> Int {
        let member = #""tinyvex":{"mergedFrom":\#(first),"mergedTo":\#(last)}"#
        merged += line[start..<chunk.metaStart]
        switch chunk.meta {
        case .absent(let offset):
            merged += #""_meta":{\#(member)},"#.utf8
            return offset
        case .object(let offset):
            merged += "\(member),".utf8
            return offset
        case .empty(let range):
            merged += "{\(member)}".utf8
            return range.upperBound
        }
    }

    private static func textChunk(_ line: Span<UInt8>) -> TextChunk? {
        guard let envelope = try? scanEnvelope(line), let update = envelope.update else { return nil }
        let kind = envelope.updateKind.flatMap { ChunkKind(at: $0, in: line) }
        return TextChunk(of: kind ?? .agentMessage, in: line, updateAt: update)
    }
}
