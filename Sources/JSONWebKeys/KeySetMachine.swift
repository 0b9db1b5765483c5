import Posix

/// Decides when a key set is fetched, and keeps the keys of the last good answer. Pure: the caller passes in the time.
///
/// The set is fetched at the start, when the answer's age reaches its `max-age`, and when a token names an unknown key. A
/// failed request leaves the keys as they are, and is repeated. A good answer replaces all keys, so a key that the issuer
/// has removed is no longer accepted.
package struct KeySetMachine: Sendable {
    /// The result of a request.
    package enum Outcome: Sendable, Equatable {
        /// - Parameter maxAge: from `Cache-Control`; nil if the answer has none.
        case fetched([JSONWebKey], maxAge: Duration?)
        case failed(String)
    }

    private enum State: Equatable {
        case fetching
        case waiting(until: Instant)
    }

    /// Tokens of strangers can name unknown keys, so they cause at most one request in this time.
    package static let unknownKeyPause = Duration.seconds(60)
    /// The age at which a set is fetched again if the answer has no `max-age`.
    static let standardAge = Duration.seconds(3600)
    /// The limits of `max-age`. A removed key is accepted for a day at most, unless requests fail.
    static let ages = Duration.seconds(60)...Duration.seconds(86_400)
    /// The time until a failed request is repeated. It doubles with each failure in a row.
    static let failurePauses = Duration.seconds(5)...Duration.seconds(300)

    /// The keys of the last good answer.
    package private(set) var keys: [JSONWebKey] = []
    /// The reason why the last request failed, or why its answer is of no use; nil if there is none.
    package private(set) var fault: String?
    private var state: State
    private var pause = failurePauses.lowerBound
    /// When an unknown key last caused a request.
    private var lastAsked: Instant?

    package init(at now: Instant) { state = .waiting(until: now) }

    package var isFetching: Bool { state == .fetching }

    /// The time of the next request; nil while one is under way.
    package var due: Instant? {
        if case .waiting(let time) = state { return time }
        return nil
    }

    /// Returns true if the caller must send a request now. The machine then waits for ``finished(_:at:)``.
    package mutating func begins(at now: Instant) -> Bool {
        guard let due, due <= now else { return false }
        state = .fetching
        return true
    }

    /// A token names a key that is not in the set. Its claims are valid otherwise.
    package mutating func notedUnknownKey(at now: Instant) {
        guard let due else { return }
        if let lastAsked, now < lastAsked + Self.unknownKeyPause { return }
        lastAsked = now
        state = .waiting(until: min(due, now))
    }

    package mutating func finished(_ outcome: Outcome, at now: Instant) {
        switch outcome {
        case .fetched(let keys, let maxAge):
            self.keys = keys
            fault = keys.isEmpty ? "the key set has no key for \(JSONWebKey.Algorithm.list)" : nil
            pause = Self.failurePauses.lowerBound
            let age = maxAge ?? Self.standardAge
            state = .waiting(until: now + min(max(age, Self.ages.lowerBound), Self.ages.upperBound))
        case .failed(let reason):
            fault = reason
            state = .waiting(until: now + pause)
            pause = min(pause * 2, Self.failurePauses.upperBound)
        }
    }
}

extension KeySetMachine.Outcome {
    /// - Parameters:
    ///   - failure: the reason why there is no answer, if `status` is 0.
    ///   - cacheControl: the field `Cache-Control`.
    package init(status: Int, failure: String, body: [UInt8], cacheControl: String) {
        guard status == 200 else {
            self = .failed(status == 0 ? failure : "the issuer answered \(status)")
            return
        }
        do throws(JSONWebKeySet.Fault) {
            self = .fetched(try JSONWebKeySet.keys(in: body), maxAge: CacheAge.maxAge(in: cacheControl))
        } catch {
            self = .failed(error.description)
        }
    }
}

/// The age that `Cache-Control` permits. Source: RFC 9111, section 5.2.2.
enum CacheAge {
    /// A year, which is the longest age in use.
    private static let longestSeconds: Int64 = 31_536_000

    /// Returns zero for `no-store` and `no-cache`, and nil if the field has no age.
    static func maxAge(in field: String) -> Duration? {
        var age: Duration?
        for part in field.split(separator: ",") {
            let words = part.split(separator: "=", maxSplits: 1).map { trimmed($0) }
            switch words.first?.lowercased() {
            case "no-store", "no-cache": return .zero
            case "max-age":
                guard words.count == 2, words[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return .zero }
                age = .seconds(min(Int64(words[1]) ?? longestSeconds, longestSeconds))
            default: break
            }
        }
        return age
    }

    private static func trimmed(_ text: Substring) -> String {
        let blanks: Set<Character> = [" ", "\t", "\r", "\n", "\r\n", "\""]
        let start = text.drop { blanks.contains($0) }
        let end = start.lastIndex { !blanks.contains($0) }
        return end.map { String(start[...$0]) } ?? ""
    }
}
