import Glibc
import TestSupport
import Testing

@testable import EventLoop
@testable import Pipes
@testable import Posix

@Suite(.timeLimit(.minutes(1))) struct InterleavingWriterTests {
    init() { LoopThread.start }

    /// Returns the bytes that reach the reader of a pipe.
    @LoopActor private func written(_ write: (InterleavingWriter) -> Void) throws -> String {
        let pipe = try Pipe().ends()
        setNonBlocking(pipe.write)
        let state = InterleavingWriter.State(
            pipeWriter: PipeWriter.State(fd: pipe.write, backlog: [], isClosing: false),
            filter: LineFilter(limitBytes: 100))
        let writer = InterleavingWriter(state, loop: ManualLoop().services) { _ in }
        write(writer)
        #expect(writer.keptBytes == 0)
        writer.pipeWriter.drop()
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = read(pipe.read, &bytes, bytes.count)
        close(pipe.read)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    @LoopActor private func pass(_ text: String, _ writer: InterleavingWriter, isChecked: Bool) {
        Array(text.utf8).withUnsafeBytes { chunk in
            if isChecked { writer.pass(chunk) { _ in .forwarded } } else { writer.pass(chunk) }
        }
    }

    /// The chunks of a flood end in the middle of a line.
    @Test(arguments: [false, true]) @LoopActor
    func aLineThatWaitsIsWrittenAfterThePartlyWrittenLine(isChecked: Bool) throws {
        let text = try written { writer in
            pass("one, ", writer, isChecked: false)
            writer.writeLine(Array("other".utf8))
            pass("still one, ", writer, isChecked: isChecked)
            writer.writeLine(Array("another".utf8))
            pass("end\ntwo\nthr", writer, isChecked: isChecked)
            writer.release()
        }
        #expect(text == "one, still one, end\nother\nanother\ntwo\nthr")
    }

    @Test @LoopActor func aLineIsWrittenAtOnceBetweenLines() throws {
        let text = try written { writer in
            pass("one\n", writer, isChecked: false)
            writer.writeLine(Array("other".utf8))
            pass("two", writer, isChecked: false)
        }
        #expect(text == "one\nother\ntwo")
    }
}
