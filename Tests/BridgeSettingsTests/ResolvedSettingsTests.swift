import ArgumentParsing
import CLI
import Invocations
import Testing

@testable import BridgeSettings

@Suite struct ResolvedSettingsTests {
    private func resolve(
        _ line: String = "", environment: [String: String] = [:], file text: String = "{}"
    ) throws -> ResolvedSettings {
        let file = SettingsFile(Array(text.utf8), path: "/c.json", folder: "")
        let variables = SettingsEnvironment(environment, folder: "")
        try #require(file.faults.isEmpty && variables.faults.isEmpty)
        let words = line.split(separator: " ").map(String.init)
        return try ResolvedSettings(
            written: ServeSettings.written(in: words), environment: variables.settings, file: file.settings)
    }

    @Test func anOptionOverridesItsVariableAndThatTheFile() throws {
        let file = #"{"durability": "full", "log-level": "error", "log-format": "json"}"#
        let variables = ["ACPBRIDGE_LOG_LEVEL": "info", "ACPBRIDGE_LOG_FORMAT": "text"]
        let resolved = try resolve("--log-format=json", environment: variables, file: file)
        #expect(resolved.options.durability == .full)
        #expect(resolved.options.diagnostics.level == .info)
        #expect(resolved.options.diagnostics.format == .json)
        let origins = resolved.settings.filter { $0.origin != .standard }.map(\.origin)
        #expect(
            origins == [
                .file(path: "/c.json", line: 1), .environment(variable: "ACPBRIDGE_LOG_LEVEL"), .commandLine,
            ])
    }

    @Test func anExplicitDefaultOverridesTheFile() throws {
        #expect(try resolve("--durability normal", file: #"{"durability": "full"}"#).options.durability == .normal)
        #expect(try !resolve(environment: ["ACPBRIDGE_NO_TCP": "0"], file: #"{"no-tcp": true}"#).options.noTCP)
    }

    @Test func anExcludedSettingIsReportedWithItsCause() throws {
        let file = #"{"tls-cert": "/c", "tls-key": "/k", "no-tcp": false}"#
        let unused = try resolve("--no-tcp", file: file).unused
        #expect(
            unused.map(\.description)
                == ["tls-cert", "tls-key"].map {
                    "'\($0)', set in /c.json:1, has no effect, because 'no-tcp' is set on the command line"
                })
        #expect(try resolve("--listen :1", file: #"{"no-tcp": true}"#).unused.map(\.setting.name) == ["no-tcp"])
        #expect(try resolve("--listen :1", file: #"{"no-tcp": false, "listen": ":2"}"#).unused.isEmpty)
        #expect(try resolve(environment: ["ACPBRIDGE_BEHIND_PROXY": "0"], file: #"{"no-tcp": true}"#).options.noTCP)
    }

    @Test func limitsAreCombinedByName() throws {
        let resolved = try resolve(
            "--limit agents=3", file: #"{"limit": {"agents": 1, "sessions": 2}}"#)
        #expect(
            resolved.options.limits == [
                LimitSetting(.agents, 1), LimitSetting(.sessions, 2), LimitSetting(.agents, 3),
            ])
    }

    @Test func otherListsAreReplaced() throws {
        let resolved = try resolve("--allow-host b", file: #"{"allow-host": ["a"]}"#)
        #expect(resolved.options.allowHosts.map(\.description) == ["b"])
    }

    @Test func aSettingRemovesThoseOfLowerLevelsThatItExcludes() throws {
        let file = #"{"listen": ":0", "tls-cert": "/a", "tls-key": "/b"}"#
        #expect(try resolve("--no-tcp", file: file).options == ServeOptions(noTCP: true))
        let listening = try resolve("--listen :1", file: #"{"no-tcp": true}"#).options
        #expect(!listening.noTCP && listening.listen?.map(\.port) == [1])
    }

    @Test func theRulesForIssuedTokensComeFromEachLevel() throws {
        let file = #"{"jwt-audience": "a", "jwt-role": ["w=control", "r=observe"], "jwt-tenant-claim": "app.tenant"}"#
        let options = try resolve(
            "--jwt-jwks https://login.example/keys", environment: ["ACPBRIDGE_JWT_ISSUER": "i"], file: file
        ).options.issuedTokens
        #expect(options.keySet == .url("https://login.example/keys") && options.issuer == "i")
        #expect(options.roles.map(\.name) == ["w", "r"] && options.tenantClaim == "app.tenant")
    }

    @Test(arguments: ["--jwt-jwks /keys", "--jwt-key /key", "--jwt-issuer i", "--jwt-role a=control"])
    func keysAudienceAndRulesRequireEachOther(options: String) {
        #expect(throws: SettingFault.self) { try resolve(options) }
    }

    @Test func aConflictNamesTheOrigins() {
        let error = #expect(throws: SettingFault.self) {
            try resolve(environment: ["ACPBRIDGE_JWT_AUDIENCE": "x"])
        }
        #expect(
            error?.message == "'--jwt-key' and '--jwt-audience' must be used together. "
                + "'jwt-audience' is set by ACPBRIDGE_JWT_AUDIENCE. "
                + "Without an audience, the bridge would accept tokens that were issued for other services.")
        #expect(throws: SettingFault.self) { try resolve(file: #"{"no-tcp": true, "listen": ":0"}"#) }
    }

    @Test func theActionsOfTheCommandLineStay() throws {
        let options = try resolve("--on-demand --config /f").options
        #expect(options.isOnDemand && options.configurationFile == "/f")
    }

    @Test func everySettingIsListed() throws {
        #expect(try resolve().settings.map(\.name) == ServeSettings.all.map(\.name))
        #expect(!ServeSettings.all.contains { ["replace", "on-demand", "config", "help"].contains($0.name) })
    }
}
