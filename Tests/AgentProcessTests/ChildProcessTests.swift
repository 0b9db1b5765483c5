import EventLoop
import Glibc
import Posix
import TestSupport
import Testing

@testable import AgentProcess

@Suite struct ChildProcessTests {
    private let environment: [SystemString] = ["PATH=/usr/bin:/bin"]

    /// Runs a command to its end. Returns its output and its termination status.
    private func run(_ command: [SystemString], directory: SystemString = "/", input: String = "") throws -> (
        String, TerminationStatus
    ) {
        var child = try ChildProcess.spawn(
            SpawnRequest(command: command, directory: directory, environment: environment + ["NAME=value"]))
        if let stream = child.takeInput() { Array(input.utf8).withUnsafeBytes { _ = stream.write($0) } }
        guard let output = child.takeOutput() else { return ("", child.reap()) }
        return (readAll(output), status(of: child))
    }

    /// The program closes its output before it ends, and what has not ended is killed.
    private func status(of child: borrowing ChildProcess) -> TerminationStatus {
        var wait = pollfd(fd: child.exitDescriptor.raw, events: Int16(POLLIN), revents: 0)
        while poll(&wait, 1, 10_000) < 0, errno == EINTR {}
        return child.reap()
    }

    private func readAll(_ stream: borrowing ByteStream) -> String {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            var wait = pollfd(fd: stream.fd, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, 20_000) > 0 else { return "timed out" }
            switch buffer.withUnsafeMutableBytes({ stream.read(into: $0) }) {
            case .bytes(let count): text += buffer.prefix(count)
            case .wouldBlock: continue
            default: return String(decoding: text, as: UTF8.self)
            }
        }
    }

    @Test func commandDirectoryAndEnvironmentArriveUnchanged() throws {
        let (output, status) = try run(
            ["sh", "-c", "pwd; echo \"$NAME\"; printf '%s|' \"$@\"", "x", "a b", "", "ü"], directory: "/usr")
        #expect(output == "/usr\nvalue\na b||ü|")
        #expect(status == .exited(code: 0))
    }

    @Test func limitsReachTheProgram() throws {
        var request = SpawnRequest(
            command: ["sh", "-c", "ulimit -d; ulimit -Sn; ulimit -St; ulimit -Ht"], directory: "/",
            environment: environment)
        request.limits = ProcessLimits(memoryBytes: 1 << 30, cpuSeconds: 100, openFiles: 50)
        var child = try ChildProcess.spawn(request)
        if let output = child.takeOutput() { #expect(readAll(output) == "1048576\n50\n100\n105\n") }
        #expect(status(of: child) == .exited(code: 0))
    }

    /// A file of the kernel takes `0` for the process that writes it. Here it is an ordinary file.
    @Test func theProgramJoinsItsGroupBeforeItStarts() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/cgroup.procs"
        let file = Descriptor(owning: open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600))
        var request = SpawnRequest(command: ["cat", SystemString(path)], directory: "/", environment: environment)
        request.group = file.raw
        var child = try ChildProcess.spawn(request)
        if let output = child.takeOutput() { #expect(readAll(output) == "0") }
        #expect(status(of: child) == .exited(code: 0))
    }

    @Test func aProgramThatCannotJoinItsGroupDoesNotStart() throws {
        let file = Descriptor(owning: open("/dev/null", O_RDONLY | O_CLOEXEC))
        var request = SpawnRequest(command: ["true"], directory: "/", environment: environment)
        request.group = file.raw
        #expect(throws: SpawnError.self) { _ = try ChildProcess.spawn(request) }
    }

    @Test func aProcessBeyondItsProcessorTimeIsEnded() throws {
        var request = SpawnRequest(
            command: ["sh", "-c", "while :; do :; done"], directory: "/", environment: environment)
        request.limits = ProcessLimits(cpuSeconds: 1)
        var child = try ChildProcess.spawn(request)
        if let output = child.takeOutput() { _ = readAll(output) }
        #expect(child.reap() == .signaled(signal: SIGXCPU))
    }

    @Test func limitsAreFilledFromOthers() {
        let limits = ProcessLimits(cpuSeconds: 1).filled(from: ProcessLimits(memoryBytes: 2, cpuSeconds: 3))
        #expect(limits == ProcessLimits(memoryBytes: 2, cpuSeconds: 1))
        #expect(ProcessLimits().isEmpty && !limits.isEmpty)
    }

    @Test func bytesThatAreNotUTF8ArriveUnchanged() throws {
        let word = SystemString(bytes: [0xff, 0x41, 0xc3])
        #expect(try run(["sh", "-c", "printf %s \"$1\" | od -An -tx1", "x", word]).0 == " ff 41 c3\n")
    }

    @Test func inputReachesTheProgram() throws {
        #expect(try run(["cat"], input: "hello").0 == "hello")
    }

    @Test(arguments: [0, 1, 7, 255]) func exitCodesAreReturned(code: Int32) throws {
        #expect(try run(["sh", "-c", SystemString("exit \(code)")]).1 == .exited(code: code))
    }

    @Test(arguments: [SIGTERM, SIGKILL, SIGPIPE]) func signalsAreReturned(signal: Int32) throws {
        #expect(try run(["sh", "-c", SystemString("kill -\(signal) $$")]).1 == .signaled(signal: signal))
    }

    @Test func theProgramLeadsItsOwnSessionAndGroup() throws {
        let (output, _) = try run(["sh", "-c", "ps -o pid=,pgid=,sid= -p $$"])
        let numbers = Set(output.split(separator: " ").map { $0.filter(\.isNumber) })
        #expect(numbers.count == 1)
    }

    @Test func theProgramInheritsOnlyItsThreeStreams() throws {
        let leak = open("/dev/null", O_RDONLY)  // not close-on-exec
        defer { close(leak) }
        #expect(
            try run(["sh", "-c", SystemString("test -e /proc/$$/fd/\(leak) && echo leaked || echo closed")]).0
                == "closed\n")
    }

    @Test func ignoredSignalsAreNotInherited() throws {
        signal(SIGPIPE, SIG_IGN)
        let (output, _) = try run(["sh", "-c", "grep SigIgn /proc/$$/status"])
        let mask = UInt64(output.split(separator: "\t").last?.dropLast() ?? "", radix: 16)
        // Signals 32 and 33 belong to the C library and cannot be restored through it.
        #expect(mask.map { $0 & 0x7fff_ffff } == 0)
    }

    @Test func processesInTheGroupEndWithTheProgram() throws {
        var child = try ChildProcess.spawn(
            SpawnRequest(command: ["sh", "-c", "sleep 1000 & echo $!"], directory: "/", environment: environment))
        guard let output = child.takeOutput() else { return }
        var wait = pollfd(fd: child.exitDescriptor.raw, events: Int16(POLLIN), revents: 0)
        #expect(poll(&wait, 1, 20_000) == 1)
        #expect(child.reap() == .exited(code: 0))
        // The sleeper held the other end, so its death ends the stream.
        #expect(readAll(output) != "timed out")
    }

    @Test func aScriptWithoutAnInterpreterLineIsRunByTheShell() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/script"
        let fd = open(path, O_WRONLY | O_CREAT, 0o700)
        write(fd, "echo \"$0 $1\"\n", 13)
        close(fd)
        #expect(try run([SystemString(path), "word"]).0 == "\(path) word\n")
    }

    @Test func aMissingProgramIsNamedInTheError() {
        #expect(throws: SpawnError.notFound(program: "no-such-program-here")) { try run(["no-such-program-here"]) }
        #expect(throws: SpawnError.notFound(program: "/no/such")) { try run(["/no/such"]) }
        #expect(throws: SpawnError.notExecutable(program: "/etc/passwd")) { try run(["/etc/passwd"]) }
        #expect(throws: SpawnError.emptyCommand) { try run([]) }
        #expect(SpawnError.notFound(program: "x").exitStatus == 127)
    }

    @Test func aMissingDirectoryIsDistinguishedFromAMissingProgram() {
        #expect(throws: SpawnError.badDirectory("/no/such/place", reason: "No such file or directory")) {
            try run(["true"], directory: "/no/such/place")
        }
    }
}

@Suite struct ProgramSearchTests {
    @Test func theCallersPathIsSearched() throws {
        let search = ProgramSearch(environment: ["PATH=/nowhere:/bin"], directory: "/")
        #expect(try search.file(for: "sh") == "/bin/sh")
        let empty = ProgramSearch(environment: ["PATH=/nowhere"], directory: "/")
        #expect(throws: SpawnError.notFound(program: "sh")) { try empty.file(for: "sh") }
    }

    @Test func aRelativeNameIsResolvedInTheDirectory() throws {
        let search = ProgramSearch(environment: [], directory: "/bin")
        #expect(try search.file(for: "./sh") == "/bin/./sh")
    }
}
