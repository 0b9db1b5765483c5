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

    /// The guide's `ConvexService`, without Clerk.
    private struct ConvexService {
        let client: ConvexClient

        func query<T: Codable>(_ name: String, args: Codable? = nil) async throws -> T {
            return try await client.query(name, args: args)
        }

        func mutation<T: Codable>(_ name: String, args: Codable) async throws -> T {
            return try await client.mutation(name, args: args)
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

    @Test func aServiceForwardsOptionalArguments() async throws {
        let deployment = Deployment([
            "posts:list": #"{"items":[{"_id":"1","title":"t"}],"nextCursor":null,"hasMore":false}"#,
            "profiles:getMyProfile": Self.profile,
        ])
        let convex = ConvexService(client: deployment.convex)
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
