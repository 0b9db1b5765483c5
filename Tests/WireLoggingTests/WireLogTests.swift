import Glibc
import JSONScan
import Posix
import TestSupport
import Testing

@testable import WireLogging

@Suite struct WireLogTests {
    private func text(_ pieces: [(String, WireLogText.Source)], keepsTokens: Bool = false) -> [String] {
        var text = WireLogText(keepsTokens: keepsTokens)
        let bytes = pieces.flatMap { text.add(Array($0.0.utf8), from: $0.1, at: 1_769_855_400_123) }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func eachLineHasItsTimeAndItsSource() {
        #expect(
            text([(#"{"id":1}"#, .client), ("\n", .client), ("oh no\n", .stderr), ("noise\n{}\n", .agent)]) == [
                #"{"ts":"2026-01-31T10:30:00.123Z","from":"client","line":{"id":1}}"#,
                #"{"ts":"2026-01-31T10:30:00.123Z","from":"stderr","text":"oh no"}"#,
                #"{"ts":"2026-01-31T10:30:00.123Z","from":"agent","text":"noise"}"#,
                #"{"ts":"2026-01-31T10:30:00.123Z","from":"agent","line":{}}"#,
            ])
    }

    @Test func tokensAreHiddenUnlessTheyAreKept() {
        let line = #"{"key":"sk-ant-api03-0123456789abcdefghijklmnop"}"# + "\n"
        #expect(text([(line, .client)])[0].contains(#"{"key":"[redacted]"}"#))
        #expect(text([(line, .client)], keepsTokens: true)[0].contains("sk-ant-api03-0123"))
    }

    @Test func aLongLineIsLeftOut() {
        let line = String(repeating: "x", count: WireLogText.lineLimitBytes + 1)
        #expect(text([(line + "\n", .agent)])[0].hasSuffix(#""omittedBytes":4194305}"#))
    }

    @Test func aFullFileIsKeptOnceAndBothAreForTheUserAlone() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/wire"
        var file = try WireLogFile(path: path, limitBytes: 10)
        for text in ["aaaaaa\n", "bbbbbb\n", "cccccc\n"] { try file.write(Array(text.utf8)) }
        #expect(try PrivateFile.read(path, limitBytes: 100) == Array("cccccc\n".utf8))
        #expect(try PrivateFile.read(path + ".1", limitBytes: 100) == Array("bbbbbb\n".utf8))
        for path in [path, path + ".1"] {
            var status = stat()
            #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        }
    }

    @Test func aFileThatExistsIsContinued() throws {
        let folder = TemporaryFolder()
        for text in ["a\n", "b\n"] {
            var file = try WireLogFile(path: folder.path + "/wire", limitBytes: 100)
            try file.write(Array(text.utf8))
        }
        #expect(try PrivateFile.read(folder.path + "/wire", limitBytes: 100) == Array("a\nb\n".utf8))
    }

    @Test func linksAndOtherKindsOfFilesAreRefused() throws {
        let folder = TemporaryFolder()
        symlink("/dev/null", folder.path + "/link")
        mkfifo(folder.path + "/pipe", 0o600)
        for name in ["link", "pipe", "gone/x", ""] {
            #expect(throws: SystemError.self) { _ = try WireLogRequest.open(folder.path + "/" + name) }
        }
    }
}
