import Hashing
import JSONScan
import Posix

/// The place of the next line in the audit log's chain: each line has a number, and the hash of the line before it.
/// Pure.
package struct AuditChain: Sendable, Equatable {
    /// `prev` of a first line: 64 zeros.
    static let beginning = String(repeating: "0", count: 2 * SHA256.digestBytes)

    private(set) var nextNumber: Int64 = 1
    /// The SHA-256 of the last line without its LF, as 64 lower-case hexadecimal digits.
    private(set) var head = beginning

    init() {}

    /// Continues after a line of an earlier program. A line without a number is not part of a chain, so a chain begins
    /// after it.
    init(after line: [UInt8]) {
        nextNumber = (Self.number(of: try? JSONValue(validating: line)) ?? 0) &+ 1
        head = Self.hash(of: line)
    }

    /// - Parameter line: Without its LF.
    mutating func appended(_ line: [UInt8]) {
        nextNumber &+= 1
        head = Self.hash(of: line)
    }

    func write(to writer: inout JSONWriter) {
        writer.member("seq", nextNumber)
        writer.member("prev", head)
    }

    static func hash(of line: [UInt8]) -> String { Hexadecimal.text(of: SHA256.digest(of: line)) }

    static func number(of line: JSONValue?) -> Int64? {
        guard let number = line?["seq"]?.int64Value, number > 0, number < .max else { return nil }
        return number
    }
}

/// A line of the audit log that is known from outside the log: its number and its hash.
package struct AuditAnchor: Sendable, Equatable {
    package let number: Int64
    /// 64 lower-case hexadecimal digits.
    package let hash: String

    package init(number: Int64, hash: String) { (self.number, self.hash) = (number, hash) }
}

/// Checks the chain of an audit log. Pure: the caller passes each line once, in order, from the oldest file on.
///
/// A chain shows that lines were changed, removed or added between two lines that are trusted. A user who can write the
/// file can write a whole new chain, and can remove lines at its ends: only an ``AuditAnchor`` reveals that.
package struct AuditVerifier: Sendable {
    package struct Fault: Error, Equatable, Sendable {
        /// A part of a sentence.
        package let reason: String
    }

    private let anchors: [Int64: String]
    private let lastAnchor: Int64?
    private var previousHash: String?
    private var lastNumber: Int64?
    /// Lines with a number.
    package private(set) var chainedLines = 0
    /// Lines before the chain, which earlier versions wrote.
    package private(set) var unchainedLines = 0
    package private(set) var firstNumber: Int64?

    package init(anchors: [AuditAnchor] = []) {
        self.anchors = Dictionary(anchors.map { ($0.number, $0.hash) }) { _, last in last }
        lastAnchor = anchors.map(\.number).max()
    }

    /// The number and the hash of the last line; nil without a chain.
    package var head: AuditAnchor? {
        guard let lastNumber, let previousHash else { return nil }
        return AuditAnchor(number: lastNumber, hash: previousHash)
    }

    /// Anchors that are older than the oldest line.
    package var uncheckedAnchors: Int { anchors.keys.count { $0 < firstNumber ?? .max } }

    /// - Parameter line: Without its LF.
    package mutating func read(_ line: [UInt8]) throws(Fault) {
        let hash = AuditChain.hash(of: line)
        guard let value = try? JSONValue(validating: line), value.kind == .object else {
            throw Fault(reason: "is not a complete line")
        }
        guard let number = AuditChain.number(of: value), let before = value["prev"]?.stringValue else {
            guard firstNumber == nil else { throw Fault(reason: "is not part of the chain") }
            unchainedLines += 1
            previousHash = hash
            return
        }
        if let previousHash, before != previousHash {
            throw Fault(
                reason:
                    "does not continue the line before it: one of them was changed, or lines between them were removed"
            )
        }
        if let lastNumber, number != lastNumber + 1 { throw Fault(reason: "has number \(number) after \(lastNumber)") }
        if number == 1, previousHash == nil, before != AuditChain.beginning {
            throw Fault(reason: "is the first line, but names one before it")
        }
        if let expected = anchors[number], expected != hash {
            throw Fault(reason: "is not the line with number \(number) that the anchor names")
        }
        firstNumber = firstNumber ?? number
        lastNumber = number
        previousHash = hash
        chainedLines += 1
    }

    /// Call after the last line.
    package func finish() throws(Fault) {
        guard let lastAnchor, lastAnchor > lastNumber ?? 0 else { return }
        throw Fault(
            reason:
                "lines are missing at the end: an anchor names number \(lastAnchor), and the last is \(lastNumber ?? 0)"
        )
    }
}
