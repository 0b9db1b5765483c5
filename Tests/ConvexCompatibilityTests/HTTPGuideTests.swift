import ConvexCompatibilityPortable
import Foundation
import Testing

/// The examples of the guide for Convex's client over HTTP, changed only in the client's constructor. README.md beside
/// this file lists them.
@Suite(.timeLimit(.minutes(10))) struct HTTPGuideTests {
    private struct Profile: Codable {
        let _id: String
        let name: String
        let email: String?
        let _creationTime: Double
    }

    private struct CreateProfileArgs: Codable {
        let name: String
        let email: String?
    }

    private struct CreateProfileResult: Codable {
        let _id: String
    }

    private struct SendEmailArgs: Codable {
        let to: String
        let subject: String
        let body: String
    }

    private struct Post: Codable {
        let _id: String
        let title: String
    }

    private struct PaginatedResult<T: Codable>: Codable {
        let items: [T]
        let nextCursor: String?
        let hasMore: Bool
    }

    /// The guide's `ConvexService`. A variable has the token of Clerk's session.
    private final class ConvexService {
        private let client: ConvexClient
        var sessionToken: String?

        init(client: ConvexClient) { self.client = client }

        func updateAuth() async {
            do {
                if let token = sessionToken {
                    try await client.setAuth(token: token)
                } else {
                    try await client.clearAuth()
                }
            } catch {
                print("Auth update failed: \(error)")
            }
        }

        func query<T: Codable>(_ name: String, args: Codable? = nil) async throws -> T {
            await updateAuth()
            do {
                return try await client.query(name, args: args)
            } catch let error as ConvexClientError {
                throw mapError(error)
            } catch {
                throw ConvexError.networkError(error)
            }
        }

        func mutation<T: Codable>(_ name: String, args: Codable) async throws -> T {
            await updateAuth()
            return try await client.mutation(name, args: args)
        }

        private func mapError(_ error: ConvexClientError) -> ConvexError {
            switch error.code {
            case "UNAUTHORIZED":
                return .unauthorized
            case "NOT_FOUND":
                return .notFound
            case "VALIDATION_ERROR":
                return .validationError(error.message)
            case "RATE_LIMITED":
                return .rateLimited(retryAfter: error.retryAfter)
            default:
                return .unknown(error.message)
            }
        }
    }

    private enum ConvexError: Error {
        case unauthorized
        case notFound
        case validationError(String)
        case rateLimited(retryAfter: Date?)
        case networkError(Error)
        case decodingError(Error)
        case unknown(String)
    }

    /// The guide's `PostsViewModel`, without its timer.
    @MainActor private final class PostsViewModel {
        var posts: [Post] = []
        var isLoading = false
        var error: Error?
        private let convex: ConvexClient

        init(convex: ConvexClient) { self.convex = convex }

        func fetchPosts() async {
            isLoading = posts.isEmpty
            do {
                let result: PaginatedResult<Post> = try await convex.query(
                    "posts:list",
                    args: ["limit": 20, "status": "published"]
                )
                posts = result.items
                error = nil
            } catch {
                self.error = error
            }
            isLoading = false
        }
    }

    private protocol ProfileRepository {
        func getProfile() async throws -> Profile?
        func updateProfile(name: String, bio: String?) async throws
    }

    private struct ConvexProfileRepository: ProfileRepository {
        let convex: ConvexClient

        func getProfile() async throws -> Profile? {
            try await convex.query("profiles:getMyProfile")
        }

        func updateProfile(name: String, bio: String?) async throws {
            try await convex.mutation(
                "profiles:update",
                args: ["name": name, "bio": bio]
            )
        }
    }

    private static let profile = #"{"_id":"p1","name":"Ann","email":null,"_creationTime":1.5}"#

    private func getProfile(_ client: ConvexClient, userId: String) async throws -> Profile? {
        return try await client.query(
            "profiles:getById",
            args: ["userId": userId]
        )
    }

    @Test func aQueryTakesADictionary() async throws {
        let deployment = Deployment(["profiles:getById": Self.profile])
        let profile = try await getProfile(deployment.convex, userId: "user123")
        #expect(profile?.name == "Ann")
        #expect(deployment.calls == [#"profiles:getById {"userId":"user123"}"#])
    }

    @Test func aMutationTakesAStruct() async throws {
        let deployment = Deployment(["profiles:create": #"{"_id":"p2"}"#])
        let client = deployment.convex
        try await client.setAuth(token: "t")
        let result: CreateProfileResult = try await client.mutation(
            "profiles:create",
            args: CreateProfileArgs(name: "Bob", email: nil)
        )
        try await client.clearAuth()
        #expect(result._id == "p2")
        #expect(deployment.calls.last == #"profiles:create {"name":"Bob"}"#)
    }

    private func sendEmail(_ client: ConvexClient, to: String) async throws -> Bool {
        return try await client.action(
            "email:send",
            args: SendEmailArgs(to: to, subject: "s", body: "b")
        )
    }

    @Test func anActionTakesAStruct() async throws {
        #expect(try await sendEmail(Deployment(["email:send": "true"]).convex, to: "a@b.example"))
    }

    @Test @MainActor func aModelFetchesPages() async {
        let page = #"{"items":[{"_id":"1","title":"t"}],"nextCursor":null,"hasMore":false}"#
        let viewModel = PostsViewModel(convex: Deployment(["posts:list": page]).convex)
        await viewModel.fetchPosts()
        #expect(viewModel.posts.map(\.title) == ["t"] && viewModel.error == nil && !viewModel.isLoading)
        let failed = PostsViewModel(convex: Deployment(["posts:list": "7"]).convex)
        await failed.fetchPosts()
        #expect((failed.error as? ConvexClientError)?.code == "DECODING_ERROR")
    }

    // handleSync
    @Test func aBackgroundFetchNeedsNoArguments() async throws {
        struct Notification: Codable { let title: String }
        let deployment = Deployment([
            "posts:getRecent": #"[{"_id":"1","title":"t"}]"#, "notifications:getUnread": #"[{"title":"n"}]"#,
        ])
        let convex = deployment.convex
        let _: [Post] = try await convex.query("posts:getRecent", args: ["limit": 10])
        let notifications: [Notification] = try await convex.query("notifications:getUnread")
        #expect(notifications.map(\.title) == ["n"])
        #expect(deployment.calls == [#"posts:getRecent {"limit":10}"#, "notifications:getUnread {}"])
    }

    // handleToken
    @Test func aDeviceTokenIsSavedWithoutAResult() async {
        let deployment = Deployment([:])
        let token = Data([0x0a, 0xff])
        let tokenString = token.map { String(format: "%02x", $0) }.joined()
        try? await deployment.convex.mutation(
            "profiles:savePushToken",
            args: ["token": tokenString]
        )
        #expect(deployment.calls == [#"profiles:savePushToken {"token":"0aff"}"#])
    }

    @Test func aRepositoryHidesTheClient() async throws {
        let deployment = Deployment(["profiles:getMyProfile": Self.profile, "profiles:update": "null"])
        let repository: any ProfileRepository = ConvexProfileRepository(convex: deployment.convex)
        #expect(try await repository.getProfile()?.name == "Ann")
        try await repository.updateProfile(name: "Ann", bio: nil)
        #expect(deployment.calls == ["profiles:getMyProfile {}", #"profiles:update {"bio":null,"name":"Ann"}"#])
    }

    // loadProfile
    @Test func aServiceMapsErrors() async throws {
        for (code, expected) in [
            ("TVX006", "unauthorized"), ("TVX008", "notFound"), ("TVX012", "rateLimited(retryAfter: nil)"),
        ] {
            let convex = ConvexService(client: failing(#"{"code":-32000,"message":"no","data":{"code":"\#(code)"}}"#))
            do {
                let _: Profile = try await convex.query("profiles:getMyProfile")
                Issue.record("it did not fail")
            } catch ConvexError.unauthorized {
                #expect(expected == "unauthorized")
            } catch ConvexError.rateLimited(let retryAfter) {
                #expect(expected.hasPrefix("rateLimited") && retryAfter == nil)
            } catch {
                #expect("\(error)" == expected)
            }
        }
    }

    @Test func aServiceForwardsOptionalArguments() async throws {
        let deployment = Deployment([
            "posts:list": #"{"items":[{"_id":"1","title":"t"}],"nextCursor":null,"hasMore":false}"#,
            "profiles:getMyProfile": Self.profile,
        ])
        let convex = ConvexService(client: deployment.convex)
        convex.sessionToken = "jwt"
        let mine: Profile = try await convex.query("profiles:getMyProfile")
        let page: PaginatedResult<Post> = try await convex.query("posts:list", args: ["limit": 20])
        #expect(mine._id == "p1" && page.items.map(\.title) == ["t"] && !page.hasMore)
        #expect(deployment.calls == ["profiles:getMyProfile {}", #"posts:list {"limit":20}"#])
    }

    @Test func aMixedLiteralIsADictionary() async throws {
        let deployment = Deployment(["posts:list": #"{"items":[],"nextCursor":null,"hasMore":false}"#])
        let result: PaginatedResult<Post> = try await deployment.convex.query(
            "posts:list",
            args: ["limit": 20, "status": "published"]
        )
        #expect(result.items.isEmpty)
        #expect(deployment.calls == [#"posts:list {"limit":20,"status":"published"}"#])
    }

    @Test func anEmptyLiteralIsADictionary() async throws {
        let convex = Deployment(["files:generateUploadUrl": #""https://a.example/u""#]).convex
        let uploadUrl: String = try await convex.mutation("files:generateUploadUrl", args: [:])
        #expect(uploadUrl == "https://a.example/u")
    }

    @Test func aLiteralAndAVariableHaveTheSameText() async throws {
        let deployment = Deployment(["f": "null"])
        let variable = ["b": 2, "a": 1]
        let _: Int? = try await deployment.convex.query("f", args: variable)
        let _: Int? = try await deployment.convex.query("f", args: ["b": 2, "a": 1])
        #expect(deployment.calls == [#"f {"a":1,"b":2}"#, #"f {"a":1,"b":2}"#])
    }

    @Test func aMutationWithNilHasNull() async throws {
        let deployment = Deployment(["profiles:update": "null"])
        let bio: String? = nil
        try await deployment.convex.mutation("profiles:update", args: ["name": "Ann", "bio": bio])
        #expect(deployment.calls == [#"profiles:update {"bio":null,"name":"Ann"}"#])
    }

    @Test(arguments: [
        ("TVX008", "NOT_FOUND"), ("TVX006", "UNAUTHORIZED"), ("TVX002", "VALIDATION_ERROR"), ("TVX012", "RATE_LIMITED"),
        ("TVX010", "TVX010"),
    ])
    func anErrorHasACode(code: String, name: String) async throws {
        let convex = failing(#"{"code":-32000,"message":"no","data":{"code":"\#(code)"}}"#)
        do {
            let _: Profile = try await convex.mutation("profiles:getMyProfile", args: [:])
            Issue.record("it did not fail")
        } catch let error as ConvexClientError {
            #expect(error.code == name)
            #expect(error.message.contains("no"))
        }
    }

    @Test func aBusyServerNamesATime() {
        let now = Date(timeIntervalSince1970: 1_000)
        let error = ConvexClientError(.transport(.busy(retryAfter: .seconds(7))), now: now)
        #expect(error.code == "RATE_LIMITED")
        #expect(error.retryAfter == Date(timeIntervalSince1970: 1_007))
    }
}
