import Tinyvex

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The id of a mutation or action. The bridge never runs two calls with the same id.
package enum RequestIdentifier {
    package static func next() -> String { UUID().uuidString.lowercased() }
}

/// The properties of actions that the protocol's catalogue defines.
package enum KnownActions {
    package static func isIdempotent(_ name: String) -> Bool {
        Catalogue.function(.action, name)?.isIdempotent ?? false
    }
}
