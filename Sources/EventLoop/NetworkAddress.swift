import Glibc

/// The IPv4 or IPv6 address of a machine.
package struct NetworkAddress: Hashable, Sendable, CustomStringConvertible {
    /// In network byte order. An IPv4 address is stored in its IPv6 form: `::ffff:127.0.0.1`.
    private let high: UInt64
    private let low: UInt64

    private static let v4Prefix: UInt64 = 0xffff

    /// The other end of a connected TCP socket, or nil for any other socket.
    package init?(peerOf fd: Int32) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let failed = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(fd, $0, &length) }
        }
        guard failed == 0 else { return nil }
        let bytes = withUnsafeBytes(of: storage) { Array($0) }
        switch Int32(storage.ss_family) {
        case AF_INET: self.init(v4: bytes[4..<8])
        case AF_INET6: self.init(v6: bytes[8..<24])
        default: return nil
        }
    }

    /// Parses text such as `127.0.0.1` or `::1`. Nil for any other text.
    package init?(_ text: String) {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 {
            self.init(v4: bytes[..<4])
        } else if inet_pton(AF_INET6, text, &bytes) == 1 {
            self.init(v6: bytes[...])
        } else {
            return nil
        }
    }

    private init(v4: ArraySlice<UInt8>) {
        high = 0
        low = Self.v4Prefix << 32 | Self.number(v4)
    }

    private init(v6: ArraySlice<UInt8>) {
        high = Self.number(v6.prefix(8))
        low = Self.number(v6.dropFirst(8))
    }

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    private var isV4: Bool { high == 0 && low >> 32 == Self.v4Prefix }

    /// True for addresses of this machine only: `127.0.0.0/8` or `::1`.
    package var isLoopback: Bool { isV4 ? low >> 24 & 0xff == 127 : high == 0 && low == 1 }

    /// The unit that limits count: an IPv4 address, or an IPv6 /64 network, because one machine can use all of its 2⁶⁴
    /// addresses. The addresses of this machine, `127.0.0.0/8` and `::1`, are one unit: each user can use all of them.
    package var household: NetworkAddress {
        if isLoopback { return Self.loopback }
        return isV4 ? self : NetworkAddress(high: high, low: 0)
    }

    private static let loopback = NetworkAddress(v4: [127, 0, 0, 1])

    /// The number of leading bits that two addresses of one family share, 0 to 32 or 128; nil for different families.
    fileprivate func sharedPrefixBits(_ other: NetworkAddress) -> Int? {
        guard isV4 == other.isV4 else { return nil }
        let (highBits, lowBits) = ((high ^ other.high).leadingZeroBitCount, (low ^ other.low).leadingZeroBitCount)
        if isV4 { return lowBits - 32 }
        return highBits < 64 ? highBits : 64 + lowBits
    }

    fileprivate var bitCount: Int { isV4 ? 32 : 128 }

    package var description: String {
        let numbers = isV4 ? [UInt8](Self.bytes(low).suffix(4)) : Self.bytes(high) + Self.bytes(low)
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(isV4 ? AF_INET : AF_INET6, numbers, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt64($0)) }
    }
}

/// A network of addresses: `10.0.0.0/8`, `fd00::/8`, or one address.
package struct NetworkRange: Hashable, Sendable {
    private let base: NetworkAddress
    /// The bits of `base` that an address of the network shares.
    private let prefixBits: Int

    /// Nil for any other text. Bits of the address after the prefix have no effect.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let base = NetworkAddress(String(parts[0])) else { return nil }
        self.base = base
        guard parts.count == 2 else {
            prefixBits = base.bitCount
            return
        }
        let isNumber = !parts[1].isEmpty && parts[1].utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard isNumber, let bits = Int(parts[1]), bits <= base.bitCount else { return nil }
        prefixBits = bits
    }

    /// An IPv4 address in its IPv6 form, `::ffff:10.0.0.1`, counts as the IPv4 address.
    package func contains(_ address: NetworkAddress) -> Bool {
        base.sharedPrefixBits(address).map { $0 >= prefixBits } ?? false
    }
}
