import Glibc
import Testing

/// Lines that real agents and clients wrote.
enum RecordedLines {
    static func load(from testFile: String = #filePath) throws -> [[UInt8]] {
        let folder = testFile.prefix(through: testFile.lastIndex(of: "/") ?? testFile.startIndex)
        let path = folder + "Fixtures/recorded.ndjson"
        let file = try #require(fopen(String(path), "r"), "cannot open \(path)")
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&bytes, 1, bytes.count, file)
        return bytes[..<count].split(separator: 0x0a).map(Array.init)
    }
}
