import Tinyvex

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The id of a mutation or action. The bridge never runs two calls with the same id.
enum RequestIdentifier {
    static func next() -> String { UUID().uuidString.lowercased() }
}

/// The properties of actions that the protocol's catalogue defines.
enum KnownActions {
    static func isIdempotent(_ name: String) -> Bool { Catalogue.function(.action, name)?.isIdempotent ?? false }
}
