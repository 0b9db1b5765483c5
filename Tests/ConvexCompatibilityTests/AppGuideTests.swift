import BridgeStandIn
import CombineStandIn
import ConvexCompatibilityPortable
import Dispatch
import Foundation
import Testing

/// The examples of Convex's guide for apps, changed only in the client's constructor and without SwiftUI. README.md
/// beside this file lists them.
@Suite(.timeLimit(.minutes(10))) struct AppGuideTests {
    @Test func theClientNeedsOnlyAURL() {
        _ = ConvexClient(deploymentUrl: "https://example.convex.cloud")
    }

    // ColorList
    @Test func aViewReadsTheValuesOfASubscription() async {
        let convex = Deployment(["colors:get": #"["red","blue"]"#]).convex
        var seen: [String] = []
        let latestColors = convex.subscribe(to: "colors:get", yielding: [String].self)
            .replaceError(with: [])
            .values
        for await colors in latestColors {
            seen = colors
            break
        }
        #expect(seen == ["red", "blue"])
    }

    @Test func aSubscriptionWithArgumentsIsAPublisher() async throws {
        let deployment = Deployment(["colors:get": #"["red"]"#])
        let convex = deployment.convex
        let publisher = convex.subscribe(
            to: "colors:get",
            with: ["onlyFavorites": true],
            yielding: [String].self)
        for try await colors in publisher.values {
            #expect(colors == ["red"])
            break
        }
        #expect(deployment.calls == [#"colors:get {"onlyFavorites":true}"#])
    }

    @Test func aMutationReturnsAValue() async throws {
        let deployment = Deployment(["colors:put": "true"])
        let convex = deployment.convex
        let newColor = "green"
        let isColorAdded: Bool = try await convex.mutation("colors:put", with: ["color": newColor])
        #expect(isColorAdded)
        #expect(deployment.calls == [#"colors:put {"color":"green"}"#])
    }

    @Test func aRefusalIsCaughtWithItsMessage() async throws {
        let convex = failing(#"{"code":-32000,"message":"it \"exists\"","data":{"code":"TVX003","requestId":"1"}}"#)
        let newColor = "red"
        var errorMessage = ""
        var colorNotAdded = false
        do {
            try await convex.mutation("colors:put", with: ["color": newColor])
        } catch ClientError.ConvexError(let data) {
            // The guide has `try!`.
            errorMessage = try JSONDecoder().decode(String.self, from: Data(data.utf8))
            colorNotAdded = true
        }
        #expect(colorNotAdded)
        #expect(errorMessage == "it \"exists\"")
    }

    @Test func anErrorIsShownAsItsMessage() {
        func shown(_ error: any Error) -> String { error.localizedDescription }
        let refusal = ConvexClientError(.server(code: "TVX003", message: "it exists", data: nil))
        #expect(shown(ClientError(.server(code: "TVX003", message: "it \"exists\"", data: nil))) == "it \"exists\"")
        #expect(shown(ClientError.ConvexError(data: "{}")) == "{}")
        #expect(shown(ClientError(.closed)) == "the client was closed")
        #expect(shown(refusal) == refusal.message)
    }

    private struct Colour: Encodable, ConvexEncodable {
        let name: String
        let rank: Int?
    }

    @Test func argumentsCanBeConvexEncodable() async throws {
        let deployment = Deployment(["colors:put": "true"])
        let args: [String: (any ConvexEncodable)?] = [
            "all": [Colour(name: "red", rank: 1)], "count": 3, "ratio": 0.5, "missing": nil,
        ]
        try await deployment.convex.mutation("colors:put", with: args)
        #expect(
            deployment.calls
                == [#"colors:put {"all":[{"name":"red","rank":1}],"count":3,"missing":null,"ratio":0.5}"#])
        #expect(try Colour(name: "a/b", rank: nil).convexEncode() == #"{"name":"a/b"}"#)
    }

    @Test func theStateOfTheConnectionIsWatched() async throws {
        let convex = Deployment(["colors:put": "true"]).convex
        let states: AnyPublisher<WebSocketState, Never> = convex.watchWebSocketState()
        try await convex.mutation("colors:put")
        for await state in states.values {
            #expect(state == .connected)
            break
        }
    }

    @Test func otherErrorsHaveTheirCases() async {
        #expect(ClientError(.server(code: "-32603", message: "m", data: nil)) == .ServerError(msg: "m"))
        #expect(ClientError(.closed) == .InternalError(msg: "the client was closed"))
    }

    // ViewModel
    private final class ViewModel: ObservableObject {
        @Published var colors: [String] = []

        init(_ convex: ConvexClient) {
            convex.subscribe(to: "colors:get")
                .replaceError(with: [])
                .receive(on: DispatchQueue.main)
                .assign(to: &$colors)
        }
    }

    @Test @MainActor func aModelIsAssignedEachValue() async {
        let viewModel = ViewModel(Deployment(["colors:get": #"["red"]"#]).convex)
        for await colors in viewModel.$colors.values where !colors.isEmpty { break }
        #expect(viewModel.colors == ["red"])
    }

    // MARK: Types

    private struct BaseballTeam: Decodable {
        let name: String
        let uniformColors: [String]
        @ConvexInt
        var wins: Int
        @ConvexInt
        var losses: Int
    }

    @Test func bigIntegersBecomeIntegers() async throws {
        let convex = Deployment([
            "mlb:first_place_team": #"""
            {"name":"Guardians","uniformColors":["blue"],"wins":{"$integer":"UAAAAAAAAAA="},"losses":{"$integer":"PAAAAAAAAAA="}}
            """#
        ]).convex
        let publisher = convex.subscribe(
            to: "mlb:first_place_team",
            with: ["division": "AL Central"],
            yielding: BaseballTeam.self)
        for try await team in publisher.values {
            #expect(team.wins == 80)
            #expect(team.losses == 60)
            #expect(team.uniformColors == ["blue"] && team.name == "Guardians")
            break
        }
    }

    private struct Log: Decodable {
        let name: String
        let inTime: String
        let outTime: String

        enum CodingKeys: String, CodingKey {
            case name
            case inTime = "in"
            case outTime = "out"
        }
    }

    @Test func codingKeysTranslateNames() async throws {
        let convex = Deployment(["log": #"{"name":"Bob","in":"08:00","out":"11:00"}"#]).convex
        let log: Log = try await convex.mutation("log")
        #expect([log.name, log.inTime, log.outTime] == ["Bob", "08:00", "11:00"])
    }

    private struct Team: Decodable {
        let name: String
        let uniformColors: [String]
        @ConvexFloat
        private var internalWins: Double
        @ConvexFloat
        private var internalLosses: Double
        enum CodingKeys: String, CodingKey {
            case name
            case uniformColors
            case internalWins = "wins"
            case internalLosses = "losses"
        }
        // Expose the Double values as Ints
        var wins: Int { Int(internalWins) }
        var losses: Int { Int(internalLosses) }
    }

    private struct Optionals: Decodable {
        @OptionalConvexInt
        var count: Int?
        @OptionalConvexFloat
        var ratio: Double?
    }

    @Test func privateWrappedNumbersAreDecoded() async throws {
        let value = #"{"name":"Guardians","uniformColors":[],"wins":80.0,"losses":60}"#
        let convex = Deployment(["team": value, "optionals": #"{"count":{"$integer":"AQAAAAAAAAA="},"ratio":null}"#])
            .convex
        let team: Team = try await convex.action("team")
        #expect(team.wins == 80 && team.losses == 60 && team.name == "Guardians" && team.uniformColors.isEmpty)
        let optionals: Optionals = try await convex.action("optionals", with: [:])
        #expect(optionals.count == 1 && optionals.ratio == nil)
    }

    // MARK: Signing in

    private struct Provider: AuthProvider {
        func login(onIdToken: @escaping @Sendable (String?) -> Void) async throws -> String { "user" }
        func loginFromCache(onIdToken: @escaping @Sendable (String?) -> Void) async throws -> String { "user" }
        func logout() async throws {}
        func extractIdToken(from identity: String) -> String { "token of \(identity)" }
    }

    private func isColorAdded(_ client: ConvexClient) async throws -> Bool { try await client.mutation("colors:put") }

    @Test func aClientThatSignsInIsAClient() async throws {
        _ = ConvexClientWithAuth(deploymentUrl: "https://example.convex.cloud", authProvider: Provider())
        let deployment = Deployment(["colors:put": "true"])
        let client = deployment.convex(signingInWith: Provider())
        let states: AnyPublisher<AuthState<String>, Never> = client.authState
        #expect(try await client.login().get() == "user")
        for await state in states.values {
            #expect(state == .authenticated("user"))
            break
        }
        #expect(try await isColorAdded(client))
        await client.logout()
    }
}
