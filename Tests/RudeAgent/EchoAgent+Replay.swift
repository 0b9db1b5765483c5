import Glibc

extension EchoAgent {
    /// Writes a recording byte for byte, line by line. Ends early if stdin ends before an expected request.
    mutating func replay(path: String) {
        var seen: Set<String> = []
        for line in recordedLines(path: path) {
            let message = Message(line: line)
            while message.isResponse, let id = message.id, !seen.contains(id) {
                guard let input = nextLine() else { return }
                let request = Message(line: input)
                if request.isRequest, let requestID = request.id { seen.insert(requestID) }
            }
            write(line + [UInt8(ascii: "\n")], to: 1)
        }
    }

    private func recordedLines(path: String) -> [[UInt8]] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { terminate(code: 66) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        while true {
            let chunk = readChunk(from: descriptor)
            guard !chunk.isEmpty else { break }
            bytes += chunk
        }
        return bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast().map(Array.init)
    }
}
