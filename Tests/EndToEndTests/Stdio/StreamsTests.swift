import AgentProcess
import Testing

/// Editors give their agents pipes, sockets, terminals or files.
@Suite(.blocking) struct StreamsTests {
    enum Kind: CaseIterable { case pipes, sockets, oneSocket }

    @Test(arguments: Kind.allCases)
    func aConversationIsIdentical(over kind: Kind) throws {
        try BridgeHome.with { home in
            let wiring: Wiring =
                switch kind {
                case .pipes: .pipes
                case .sockets: .sockets
                case .oneSocket: .oneSocket
                }
            let outcomes = try [rude("echo"), BridgeHome.bridged(rude("echo"))].map { command in
                let editor = try EditorProcess(command, in: home, wiring: wiring)
                try editor.openSession()
                try editor.exchange(editor.prompt(id: "2"), until: "stopReason")
                editor.closeInput()
                return try editor.outcome()
            }
            expectSame(outcomes[1], outcomes[0])
        }
    }

    @Test func megabytesPassThroughOneSocket() throws {
        try BridgeHome.with { home in
            let editor = try EditorProcess(BridgeHome.bridged(rude("cat")), in: home, wiring: .oneSocket)
            let bytes = [UInt8](repeating: 0xfe, count: 20 << 20)
            editor.post(bytes)
            editor.closeInput()
            let outcome = try editor.outcome()
            expectSame(outcome.output, bytes, "the echoed bytes")
            #expect(outcome.status == .exited(code: 0))
        }
    }

    @Test func anAgentWorksOnATerminal() throws {
        try BridgeHome.with { home in
            let agent = shell("read line; echo \"got $line\"; read line; exit 3")
            let outcomes = try [agent, BridgeHome.bridged(agent)].map { command in
                let editor = try EditorProcess(command, in: home, wiring: .terminal)
                try editor.exchange("hello", until: "got")
                try editor.sendLine("bye")
                return try editor.outcome()
            }
            expectSame(outcomes[1], outcomes[0])
        }
    }

    @Test(arguments: ["input", "/dev/null"])
    func anAgentWorksOnFiles(input name: String) throws {
        try BridgeHome.with { home in
            let input = name.hasPrefix("/") ? name : home.path + "/" + name
            if !name.hasPrefix("/") {
                try FileBytes.write([UInt8](repeating: 0x78, count: 3_000_000) + Array("\nlast".utf8), to: input)
            }
            let outputs = try [rude("cat"), BridgeHome.bridged(rude("cat"))].enumerated().map { number, command in
                let output = home.path + "/output\(number)"
                let editor = try EditorProcess(command, in: home, wiring: .files(input: input, output: output))
                #expect(try editor.outcome().status == .exited(code: 0))
                return try #require(FileBytes.read(output))
            }
            expectSame(outputs[1], outputs[0], "the output file")
        }
    }

    @Test(arguments: ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
    func aStreamThatIsClosedAtStartActsAsAnEmptyStream(redirection: String) throws {
        try BridgeHome.with { home in
            let closing: [SystemString] = ["/bin/sh", "-c", SystemString("exec \"$0\" \"$@\" \(redirection)")]
            let editor = try EditorProcess(closing + BridgeHome.bridged(shell("cat; exit 5")), in: home)
            editor.closeInput()
            #expect(try editor.outcome().status == .exited(code: 5))
        }
    }
}
