import EventLoop
import Posix

extension SocketAddress {
    /// The address in `echo --listen HOST:PORT` or `echo --socket PATH`. Port 0 selects a free one.
    static func listening(parsing words: inout ArgumentWords) throws(UsageError) -> SocketAddress {
        var address: SocketAddress?
        while let word = words.next() {
            switch word {
            case "--listen": address = try .authority(words.value(for: word))
            case "--socket": address = .unix(path: try words.value(for: word))
            default: throw .unknown(word)
            }
        }
        guard let address else { throw .missingValue("--listen") }
        return address
    }

    /// The address in `echo-client URL`: `ws://127.0.0.1:9001` or `unix:/run/fuzzing.sock`.
    static func server(parsing words: inout ArgumentWords) throws(UsageError) -> SocketAddress {
        let url = try words.value(for: "echo-client")
        if let word = words.next() { throw .unknown(word) }
        if url.hasPrefix("unix:") { return .unix(path: String(url.dropFirst("unix:".count))) }
        guard url.hasPrefix("ws://") else { throw .notAnAddress(url) }
        return try .authority(String(url.dropFirst("ws://".count).prefix { $0 != "/" }))
    }

    /// Parses `127.0.0.1:9001`, `[::1]:9001` or `localhost:9001`.
    private static func authority(_ text: String) throws(UsageError) -> SocketAddress {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            throw .notAnAddress(text)
        }
        let host = text[..<colon]
        if host == "localhost" { return .ip(host: "127.0.0.1", port: port) }
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        return .ip(host: String(isBracketed ? host.dropFirst().dropLast() : host), port: port)
    }
}
