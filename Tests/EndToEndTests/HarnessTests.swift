import Glibc
import Testing

@Suite(.blocking) struct HarnessTests {
    @Test func anEditorCanUseAnAgentDirectlyAndThroughTheBridge() throws {
        try BridgeHome.with { home in
            for command in [[Binary.rudeAgent, "echo"], BridgeHome.bridged([Binary.rudeAgent, "echo"])] {
                let editor = try EditorProcess(command, in: home)
                try editor.sendLine(#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}"#)
                #expect(try editor.readLine()?.contains("protocolVersion") == true)
                editor.closeInput()
                #expect(try editor.outcome().status == .exited(code: 0))
            }
        }
    }

    @Test func aTestClientReceivesAnUpdate() throws {
        try BridgeHome.with { home in
            let editor = try EditorProcess(BridgeHome.bridged([Binary.rudeAgent, "echo"]), in: home)
            try editor.sendLine(#"{"jsonrpc":"2.0","id":1,"method":"session/new","params":{}}"#)
            _ = try editor.readLine()
            let client = try TinyvexTestClient(home)
            let answer = try client.call(
                "tinyvex/subscribe",
                #"{"requestId":"1","subId":"a","name":"acp:sessionUpdates","params":{"sessionId":"rude-1"},"lastSeq":0}"#
            )
            #expect(answer["result"] != nil)
            #expect(try client.next("session/update")["params"]?["sessionId"]?.stringValue == "rude-1")
        }
    }

    @Test func waitingForAnIdleProcessToExitFails() throws {
        try BridgeHome.with { home in
            let idle = try EditorProcess(["sleep", "1000"], in: home)
            #expect(throws: Overdue.self) { try idle.exitStatus(within: .milliseconds(100)) }
            idle.kill(SIGKILL)
            #expect(try idle.exitStatus() == .signaled(signal: SIGKILL))
        }
    }
}
