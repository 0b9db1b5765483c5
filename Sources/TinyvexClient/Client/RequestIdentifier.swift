import Tinyvex

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Names a mutation or action, for good: under the same one it is never run twice.
enum RequestIdentifier {
    static func next() -> String { UUID().uuidString.lowercased() }
}

/// What the protocol's own catalogue says of an action.
enum KnownActions {
    static func isIdempotent(_ name: String) -> Bool { Catalogue.function(.action, name)?.isIdempotent ?? false }
}
