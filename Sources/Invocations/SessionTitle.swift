import ArgumentParsing

/// A title for a session, as the bridge accepts it (`sessions:setTitle`): 1 byte to 1 KiB on one line, and not only spaces. `latest`
/// is refused, because commands take it for the session that was used last.
package struct SessionTitle: Equatable, Sendable {
    private static let limitBytes = 1 << 10

    package let text: String
}

extension SessionTitle: ArgumentValue {
    package static let expectation = "1 to 1024 bytes on one line, not only spaces, and not 'latest'"

    package init?(argument: String) {
        let isOneLine = argument.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard argument.utf8.count <= Self.limitBytes, isOneLine, argument != "latest",
            argument.contains(where: { $0 != " " })
        else {
            return nil
        }
        text = argument
    }
}
