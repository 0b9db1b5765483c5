import FuzzTargets
import Glibc
import TestSupport
import Testing

/// Runs the fuzzers' corpus and random edits of it. `Tests/fuzz.sh` continues with that for as long as requested.
@Suite struct FuzzTests {
    @Test(arguments: FuzzTarget.allCases)
    func theCorpusAndItsRandomEditsPassTheChecks(target: FuzzTarget) throws {
        let corpus = try Corpus.load(target)
        #expect(corpus.count >= 5)
        for input in corpus { try target.check(input) }
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<3000 {
            let input = Self.edited(corpus[Int.random(in: 0..<corpus.count, using: &generator)], corpus, &generator)
            #expect(throws: Never.self, "\(input)") { try target.check(input) }
        }
    }

    private static func edited(
        _ input: [UInt8], _ corpus: [[UInt8]], _ generator: inout SeededGenerator
    ) -> [UInt8] {
        var input = Array(input.prefix(4096))
        for _ in 0..<Int.random(in: 1...4, using: &generator) where !input.isEmpty {
            let at = Int.random(in: 0..<input.count, using: &generator)
            let end = min(input.count, at + Int.random(in: 1...16, using: &generator))
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: input[at] = UInt8.random(in: 0...255, using: &generator)
            case 1: input[at] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 2: input.removeSubrange(at..<end)
            case 3: input.insert(contentsOf: input[at..<end], at: at)
            default: input.replaceSubrange(at..., with: corpus[at % corpus.count].suffix(64))
            }
        }
        return input
    }
}

/// Reads `Tests/Fuzz/Corpus/TARGET/…`.
private enum Corpus {
    static func load(_ target: FuzzTarget, from testFile: String = #filePath) throws -> [[UInt8]] {
        let parts = testFile.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
        let folder = parts.joined(separator: "/") + "/Fuzz/Corpus/" + target.rawValue
        return try names(in: folder).sorted().map { try bytes(folder + "/" + $0) }
    }

    private static func names(in folder: String) throws -> [String] {
        let stream = try #require(opendir(folder))
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    private static func bytes(_ path: String) throws -> [UInt8] {
        let file = try #require(fopen(path, "r"))
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        return Array(bytes.prefix(fread(&bytes, 1, bytes.count, file)))
    }
}
