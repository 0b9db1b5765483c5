import Glibc
import JSONScan
import TestSupport
import Testing

@testable import Access
@testable import EventLoop
@testable import Posix

@Suite struct AuditChainTests {
    init() { LoopThread.start }

    /// Writes lines, and returns them as they are in the files.
    @LoopActor private func written(_ count: Int, in folder: TemporaryFolder, limitBytes: Int = 1 << 20) throws
        -> [[UInt8]]
    {
        let log = AuditLog(path: folder.path + "/audit", limitBytes: limitBytes)
        for _ in 0..<count { log.record(.rightsChanged, by: .tokenFile) }
        return try lines(in: folder)
    }

    private func lines(in folder: TemporaryFolder) throws -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var reader = try AuditFileReader(path: folder.path + "/audit")
        while let line = try reader.next() { lines.append(line.bytes) }
        return lines
    }

    /// Returns the index of the line with the fault, `lines.count` for a fault at the end; nil if there is none.
    private func fault(_ lines: [[UInt8]], _ anchors: [AuditAnchor] = []) -> Int? {
        var verifier = AuditVerifier(anchors: anchors)
        for (index, line) in lines.enumerated() {
            do throws(AuditVerifier.Fault) { try verifier.read(line) } catch { return index }
        }
        do throws(AuditVerifier.Fault) { try verifier.finish() } catch { return lines.count }
        return nil
    }

    @Test @LoopActor func aChainIsCompleteAcrossProgramsAndFiles() throws {
        let folder = TemporaryFolder()
        _ = try written(3, in: folder, limitBytes: 1000)
        let lines = try written(4, in: folder, limitBytes: 1000)
        #expect(lines.count == 7)
        #expect(fault(lines) == nil)
        var verifier = AuditVerifier()
        for line in lines { try verifier.read(line) }
        #expect(verifier.chainedLines == 7 && verifier.firstNumber == 1 && verifier.head?.number == 7)
        #expect(access(folder.path + "/audit.1", F_OK) == 0, "the lines are in two files")
    }

    @Test @LoopActor func aChainContinuesAfterAFullFileIfTheBridgeEndedBeforeTheNext() throws {
        let folder = TemporaryFolder()
        _ = try written(3, in: folder)
        #expect(rename(folder.path + "/audit", folder.path + "/audit.1") == 0)
        let lines = try written(2, in: folder)
        #expect(lines.count == 5 && fault(lines) == nil)
    }

    @Test @LoopActor func eachChangeInTheMiddleIsFound() throws {
        let folder = TemporaryFolder()
        let lines = try written(5, in: folder)
        var changed = lines
        changed[2] = Array(String(decoding: changed[2], as: UTF8.self).replacing("token file", with: "uid 1000").utf8)
        #expect(fault(changed) == 3)
        var removed = lines
        removed.remove(at: 2)
        #expect(fault(removed) == 2)
        var doubled = lines
        doubled.insert(lines[2], at: 2)
        #expect(fault(doubled) == 3)
        var swapped = lines
        swapped.swapAt(1, 2)
        #expect(fault(swapped) == 1)
        var foreign = lines
        foreign.insert(Array("{}".utf8), at: 2)
        #expect(fault(foreign) == 2)
        #expect(fault(Array(lines.prefix(2)) + [Array("{".utf8)]) == 2)
    }

    @Test @LoopActor func onlyAnAnchorShowsThatTheEndIsMissingOrTheChainIsNew() throws {
        let (folder, other) = (TemporaryFolder(), TemporaryFolder())
        let lines = try written(5, in: folder)
        let anchor = AuditAnchor(number: 5, hash: AuditChain.hash(of: lines[4]))
        let short = Array(lines.prefix(3))
        #expect(fault(short) == nil)
        #expect(fault(short, [anchor]) == 3)
        #expect(fault(lines, [anchor]) == nil)
        let log = AuditLog(path: other.path + "/audit", limitBytes: 1 << 20)
        for _ in 0..<5 { log.record(.stopped, by: .nobody) }
        let forged = try self.lines(in: other)
        #expect(fault(forged) == nil)
        #expect(fault(forged, [anchor]) == 4)
    }

    @Test @LoopActor func aFileThatCannotBeOpenedFailsTheCheck() throws {
        let folder = TemporaryFolder()
        _ = try written(3, in: folder)
        // A link is not followed.
        #expect(symlink("elsewhere", folder.path + "/audit.1") == 0)
        #expect(throws: SystemError.self) { try lines(in: folder) }
    }

    @Test @LoopActor func aChainWhoseBeginningWasDeletedIsCheckedFromItsOldestLine() throws {
        let folder = TemporaryFolder()
        let lines = Array(try written(5, in: folder).dropFirst(2))
        #expect(fault(lines, [AuditAnchor(number: 1, hash: "")]) == nil)
        var verifier = AuditVerifier(anchors: [AuditAnchor(number: 1, hash: "")])
        for line in lines { try verifier.read(line) }
        #expect(verifier.firstNumber == 3 && verifier.uncheckedAnchors == 1)
    }

    @Test @LoopActor func linesOfEarlierVersionsComeBeforeTheChain() throws {
        let folder = TemporaryFolder()
        _ = folder.file("audit", #"{"ts":"2026-11-21T10:30:00.123Z","event":"stopped","who":"nobody"}"# + "\n")
        var lines = try written(2, in: folder)
        #expect(lines.count == 3 && fault(lines) == nil)
        lines[0] += Array(" ".utf8)
        #expect(fault(lines) == 1, "the chain covers the last line before it")
    }

    @Test @LoopActor func anchorsAreReportedRegularlyAndAtTheEnd() {
        let folder = TemporaryFolder()
        let log = AuditLog(path: folder.path + "/audit", limitBytes: 1 << 20)
        var numbers: [Int64] = []
        log.onAnchor = { numbers.append($0.number) }
        for _ in 0..<250 { log.record(.rightsChanged, by: .tokenFile) }
        log.record(.stopped, by: .tokenFile)
        #expect(numbers == [100, 200, 251])
    }

    @Test @LoopActor func fullFilesAreKeptForTheirMinimumTime() throws {
        let folder = TemporaryFolder()
        let loop = ManualLoop()
        loop.pass(.milliseconds(wallClockMilliseconds()))
        let log = AuditLog(path: folder.path + "/audit", limitBytes: 400, retention: .seconds(3600), time: loop)
        for _ in 0..<10 { log.record(.rightsChanged, by: .tokenFile) }
        let kept = try lines(in: folder)
        #expect(kept.count == 10 && fault(kept) == nil)
        loop.pass(.seconds(7200))
        for _ in 0..<4 { log.record(.rightsChanged, by: .tokenFile) }
        let rest = try lines(in: folder)
        #expect(rest.count < 10 && fault(rest) == nil)
    }
}
