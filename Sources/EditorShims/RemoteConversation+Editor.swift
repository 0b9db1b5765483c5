import Glibc
import JSONRPC
import Posix
import TerminalIO
import TinyvexSync

/// The editor's side of the conversation.
extension RemoteConversation {
    /// Lines longer than the bridge's limit are left out and reported; the conversation continues.
    private static let lineLimitBytes = 64 << 20
    private static let chunkBytes = 64 << 10

    func readEditor() async {
        var lines = LineSplitter(limitBytes: Self.lineLimitBytes)
        var chunk = [UInt8](repeating: 0, count: Self.chunkBytes)
        while ending == nil {
            guard !machine.isFull else {
                await nextChange()
                continue
            }
            switch chunk.withUnsafeMutableBytes({ editor.input.read(into: $0) }) {
            case .bytes(let count):
                lines.split(chunk.span.extracting(..<count)) { handle($0) }
                changed()
            case .wouldBlock: guard await loop.wait(for: POLLIN, on: editor.input.fd) else { return }
            case .endOfStream, .failed:
                lines.finish { handle($0) }
                machine.editorEnded()
                endIfDone()
                return changed()
            }
        }
    }

    private func handle(_ line: borrowing LineSplitter.Line) {
        switch line {
        case .line(let line) where line.isEmpty: break
        case .line(let line):
            unwritten.append(contentsOf: machine.editorWrote(line.withUnsafeBufferPointer { Array($0) }))
        case .oversized(let count):
            Console.report("acpbridge: a line of \(count) bytes was dropped, because it is too long")
        }
    }

    /// Writes to the editor until the conversation has ended and no output is left.
    func writeEditor() async {
        while !unwritten.isEmpty || ending == nil {
            guard !unwritten.isEmpty else {
                await nextChange()
                continue
            }
            switch unwritten.withUnsafeBytes({ editor.output.write($0) }) {
            case .wrote(let count):
                unwritten.removeFirst(count)
                changed()
            case .wouldBlock: _ = await loop.wait(for: POLLOUT, on: editor.output.fd)
            case .failed: editorClosedInput()
            }
        }
    }

    /// Detects that the editor has closed its input. The conversation ends then, even if output is still unwritten.
    func watchReader() async {
        if await loop.wait(for: 0, on: editor.output.fd) { editorClosedInput() }
    }

    private func editorClosedInput() {
        unwritten.removeAll()
        end(.left)
    }
}
