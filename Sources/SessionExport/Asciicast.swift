import JSONScan
import TerminalText

/// The lines of a recording for `asciinema play`. Source: asciicast v2, https://docs.asciinema.org/manual/asciicast/v2/
package enum Asciicast {
    /// - Parameter startTs: Milliseconds since 1970.
    package static func head(startTs: Int64, title: String?) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("version", 2)
            writer.member("width", 100)
            writer.member("height", 30)
            writer.member("timestamp", startTs / 1000)
            writer.member("title", ifPresent: title.map(TerminalFilter.oneLine))
        }
    }

    /// `[1.5,"o","Hello"]`
    package static func output(_ text: TerminalText, atMilliseconds elapsed: Int64) -> [UInt8] {
        let fraction = String(elapsed % 1000 + 1000).dropFirst()
        return JSONWriter.array { writer in
            writer.element(raw: Array("\(elapsed / 1000).\(fraction)".utf8))
            writer.element("o")
            writer.element(withCarriageReturns(text))
        }
    }

    /// Adds carriage returns, because a player has no terminal driver between itself and the screen.
    private static func withCarriageReturns(_ text: TerminalText) -> String {
        String(decoding: text.text.utf8.flatMap { $0 == 0x0a ? [0x0d, 0x0a] : [$0] }, as: UTF8.self)
    }
}
