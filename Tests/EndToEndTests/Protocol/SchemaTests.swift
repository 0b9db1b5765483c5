import JSONRPC
import JSONScan
import Testing
import Tinyvex

@Suite(.blocking) struct SchemaTests {
    @Test func everySentMessageMatchesTheSchemaAndNoMutantDoes() throws {
        try BridgeHome.with { home in
            var tour = ProtocolTour(home)
            try TourEditor([Binary.rudeAgent, "echo"], in: home).leave()
            try tour.connection()
            try tour.session()
            try tour.policies()
            try tour.endings()
            try tour.chunks()
            try tour.mutations()
            try tour.errors()
            try tour.stop()
            let path = home.path + "/messages.ndjson"
            try tour.recording.write(to: path)
            try ProtocolFiles.expectValid("server", path, in: home)
        }
    }

    @Test(arguments: [
        ("tinyvex/unsubscribe.response", #"{"jsonrpc":"2.0","id":1,"result":{}}"#),
        ("tinyvex/unsubscribe.response", #"{"jsonrpc":"2.0","id":1,"result":{"ok":1}}"#),
        (
            "tinyvex/ended.notification",
            #"{"jsonrpc":"2.0","method":"tinyvex/ended","params":{"subId":"a","seq":1,"reason":"exited"}}"#
        ),
        ("session/update.notification", #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":7}}"#),
    ])
    func aMessageThatBreaksTheSchemaIsReported(definition: String, message: String) throws {
        try BridgeHome.with { home in
            var recording = MessageRecording()
            recording.add(definition, try JSONValue(validating: Array(message.utf8)))
            let path = home.path + "/messages.ndjson"
            try recording.write(to: path)
            let outcome = try ProtocolFiles.validate("messages", path, in: home)
            #expect(outcome.status == .exited(code: 1))
            #expect(outcome.outputText.hasPrefix("\(definition): at $"), "\(outcome.errorText)")
        }
    }

    @Test func everyExampleInTheDocumentMatchesTheSchema() throws {
        try BridgeHome.with { try ProtocolFiles.expectValid("examples", ProtocolFiles.documentPath, in: $0) }
    }

    @Test func theSchemaDefinesTheCodesMessages() throws {
        let definitions = try #require(try ProtocolFiles.schema()["$defs"]).members.map(\.name)
        let messages = definitions.filter { $0.hasSuffix(".request") || $0.hasSuffix(".response") }
        let methods = ClientRequest.Method.allCases.map(\.rawValue)
        #expect(Set(messages) == Set(methods.flatMap { ["\($0).request", "\($0).response"] } + ["error.response"]))
        let notifications = ["session/update"] + ServerNotification.Method.allCases.map(\.rawValue)
        #expect(
            Set(definitions.filter { $0.hasSuffix(".notification") }) == Set(notifications.map { $0 + ".notification" })
        )
        let values = [StreamName.timeline.rawValue] + QueryName.allCases.map(\.rawValue)
        #expect(Set(definitions.filter { $0.hasSuffix(".data") }) == Set(values.map { $0 + ".data" }))
    }

    @Test func theSchemaListsTheCodesEnumValues() throws {
        let definitions = try #require(try ProtocolFiles.schema()["$defs"])
        func strings(_ value: JSONValue?) -> [String] { value?["enum"]?.elements.compactMap(\.stringValue) ?? [] }
        #expect(strings(definitions["errorCode"]) == TinyvexErrorCode.allCases.map(\.rawValue))
        let numbers = definitions["rpcCode"]?["enum"]?.elements.compactMap(\.int64Value)
        let codes: [ErrorCode] = [.parseError, .invalidRequest, .methodNotFound, .invalidParams, .internalError]
        #expect(numbers == codes.map { Int64($0.rawValue) })
        let subscribe = definitions["tinyvex/subscribe.request"]?["properties"]?["params"]
        #expect(strings(definitions["policyName"]) == Policy.allCases.map(\.rawValue))
        let skipped = definitions["tinyvex/skipped.notification"]?["properties"]?["params"]?["properties"]?["reason"]
        #expect(strings(skipped) == SkipReason.allCases.map(\.rawValue))
        let names = subscribe?["oneOf"]?.elements.flatMap { strings($0["properties"]?["name"]) } ?? []
        #expect(names == StreamName.allCases.map(\.rawValue) + QueryName.allCases.map(\.rawValue))
        let mutation = definitions["tinyvex/mutation.request"]?["properties"]?["params"]?["properties"]?["name"]
        #expect(strings(mutation) == MutationName.allCases.map(\.rawValue))
        let action = definitions["tinyvex/action.request"]?["properties"]?["params"]?["properties"]?["name"]
        #expect(strings(action) == ActionName.allCases.map(\.rawValue))
        let formats = definitions["sessions:export.args"]?["properties"]?["format"]
        #expect(strings(formats) == ExportRequest.Format.allCases.map(\.rawValue))
        let kinds = definitions["sessions:timeline.value"]?["oneOf"]?.elements
            .compactMap { $0["properties"]?["kind"]?["const"]?.stringValue }
        #expect(kinds == TimelineEntryKind.allCases.map(\.rawValue))
    }
}
