import AgentProcess
import ConvexCompatibility
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The upload of Convex's guide over HTTP, against a bridge. ConvexCompatibilityTests/README.md lists the guide's other
/// examples.
@Suite(.blockingAndSuspending, .timeLimit(.minutes(10))) struct GuideUploadTests {
    private struct FileUploadResult: Codable {
        let storageId: String
    }

    /// - Parameter data: The guide makes it from a `UIImage`.
    private func uploadImage(_ data: Data, _ convex: ConvexClient) async throws -> String {
        // 1. Get upload URL
        let uploadUrl: String = try await convex.mutation("files:generateUploadUrl", args: [:])

        // 2. Upload to Convex storage
        var request = URLRequest(url: try #require(URL(string: uploadUrl)))
        request.httpMethod = "POST"
        request.setValue("image/jpeg", forHTTPHeaderField: "Content-Type")
        request.httpBody = data

        let (responseData, _) = try await URLSession.shared.data(for: request)
        let result = try JSONDecoder().decode(FileUploadResult.self, from: responseData)

        // 3. Save reference
        let fileId: String = try await convex.mutation(
            "files:saveFile",
            args: [
                "storageId": result.storageId,
                "filename": "photo.jpg",
                "mimeType": "image/jpeg",
            ]
        )

        return fileId
    }

    @Test func anImageIsUploadedAsTheGuideDoesIt() async throws {
        struct File: Codable, Equatable {
            var contentType: String
            var size: Int
            var name: String
        }
        try await BridgeHome.with { home in
            let daemon = try Daemon(home, ["--listen", ":0"])
            guard case .ip(_, let port)? = daemon.address else { throw Overdue("the bridge listens on TCP") }
            let convex = ConvexClient(deploymentUrl: "http://127.0.0.1:\(port)")
            try await convex.setAuth(token: try home.ownToken)
            let id = try await uploadImage(Data("abc".utf8), convex)
            let file: File = try await convex.query("files:get", args: ["storageId": id])
            #expect(file == File(contentType: "image/jpeg", size: 3, name: "photo.jpg"))
        }
    }
}
