import Tinyvex

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The id of a mutation. The bridge runs a mutation once per id, however often it arrives.
package enum RequestIdentifier {
    package static func next() -> String { UUID().uuidString.lowercased() }
}

/// The properties of actions that the protocol's catalogue defines.
package enum KnownActions {
    package static func isIdempotent(_ name: String) -> Bool {
        Catalogue.function(.action, name)?.isIdempotent ?? false
    }
}
