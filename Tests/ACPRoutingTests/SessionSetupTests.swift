import Testing

@testable import ACPRouting

@Suite struct SessionSetupTests {
    private func setup() -> SessionSetup {
        SessionSetup(result: Array(#"{"sessionId":"s1","modes":{"availableModes":[],"currentModeId":"ask"}}"#.utf8))
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func onlyTheAnswerToANewSessionNamesTheSession() {
        var setup = setup()
        setup.select(mode: "plan")
        let modes = #""modes":{"availableModes":[],"currentModeId":"plan"}"#
        #expect(text(setup.current(version: 1)) == "{\(modes)}")
        #expect(text(setup.current(version: 1, naming: "s1")) == #"{"sessionId":"s1",\#(modes)}"#)
        #expect(text(SessionSetup().current(version: 2, naming: "s1")) == #"{"sessionId":"s1"}"#)
    }

    @Test func whatWasSetAfterTheAnswerIsAlsoGivenAsUpdates() {
        var setup = setup()
        #expect(setup.updates.isEmpty)
        setup.select(mode: "plan")
        setup.set(options: Array("[]".utf8))
        #expect(
            setup.updates.map(text) == [
                #"{"sessionUpdate":"current_mode_update","currentModeId":"plan"}"#,
                #"{"sessionUpdate":"config_option_update","configOptions":[]}"#,
            ])
    }
}
