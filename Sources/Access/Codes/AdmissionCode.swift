import JSONScan
import Posix
import Tinyvex

/// A code by which a browser gets a token of its own, once: the text, which only the requester of the code receives.
package struct AdmissionCode: Sendable, Equatable {
    package let text: String
    /// The time during which the code can be used.
    package let life: Duration

    /// 128 bits, in hexadecimal: for the fragment of a URL.
    static let longBytes = 16
    /// 50 bits, in ten letters and digits: for a person who types it. With 30 attempts per minute, an address that
    /// guesses for the ten minutes of a code's life succeeds with a probability of less than 1 in 10¹².
    static let shortCharacters = 10
    /// Crockford's base 32, without letters that look like digits.
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

    /// - Parameter random: at least 10 random bytes for a short code.
    static func shortText(_ random: [UInt8]) -> String {
        let symbols = random.prefix(shortCharacters).map { alphabet[Int($0 & 31)] }
        return String(symbols.prefix(5)) + "-" + String(symbols.dropFirst(5))
    }

    /// The spelling under which a code is stored. A typed code can have small letters, spaces and no hyphen, and `O`, `I`
    /// and `L` for `0` and `1`.
    static func canonical(_ typed: String) -> String {
        var text = ""
        for character in typed.uppercased() where character != "-" && character != " " {
            switch character {
            case "O": text.append("0")
            case "I", "L": text.append("1")
            default: text.append(character)
            }
        }
        return text
    }

    /// `{"code":"…","expiresInMs":60000}`
    package func json() -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("code", text)
            writer.member("expiresInMs", life.components.seconds * 1000)
        }
    }
}

/// A request for a code: `{"role":"control","name":"phone","ttlSeconds":2592000,"lifeSeconds":60,"short":false}`.
package struct CodeOrder: Sendable, Equatable {
    /// The token that the code is exchanged for.
    package let token: TokenOrder
    let life: Duration
    let isShort: Bool

    /// The default: a browser on this machine opens at once.
    static let standardLifeSeconds: Int64 = 60
    /// Ten minutes: a code is for a person who waits for it.
    static let longestLifeSeconds: Int64 = 600
    /// 30 days. A browser keeps its token where every script of the page's origin can read it, so the token must end.
    package static let standardTokenSeconds: Int64 = 30 * 86_400

    package init(_ arguments: Parameters) throws(Rejection) {
        let token = try TokenOrder(arguments)
        self.token = try TokenOrder(
            role: token.role, name: token.name, lifeSeconds: token.lifeSeconds ?? Self.standardTokenSeconds)
        life = .seconds(
            try arguments.optionalInteger("lifeSeconds", in: 1...Self.longestLifeSeconds) ?? Self.standardLifeSeconds)
        isShort = try arguments.optionalBool("short") ?? false
    }
}

/// The token that a code is exchanged for, and the user who requested the code.
struct CodeGrant: Sendable {
    enum Token: Sendable {
        /// A token that is made when the code is used.
        case ordered(TokenOrder)
        /// A token that exists. It can be revoked before the code is used.
        case issued(IssuedToken)
    }

    let token: Token
    let issuer: String
}
