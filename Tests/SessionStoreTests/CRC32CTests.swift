import CVector
import Testing

@testable import SessionStore

@Suite struct CRC32CTests {
    /// Source of the vectors: RFC 3720, appendix B.4, and the check value in the catalogues of CRCs.
    private static let vectors: [(bytes: [UInt8], sum: UInt32)] = [
        ([UInt8](repeating: 0, count: 32), 0x8a91_36aa), ([UInt8](repeating: 0xff, count: 32), 0x62a8_ab43),
        (Array(0..<32), 0x46dd_794e), ((0..<32).reversed(), 0x113f_db5c), (Array("123456789".utf8), 0xe306_9283),
        ([], 0),
    ]

    @Test func theChecksumMatchesTheStandardsVectors() {
        for (bytes, sum) in Self.vectors {
            #expect(bytes.withUnsafeBytes { CRC32C.of($0) } == sum)
            #expect(bytes.withUnsafeBytes { cvector_crc32c_by_table($0.baseAddress, $0.count) } == sum)
        }
    }

    @Test func bothImplementationsAgreeAtEveryLength() {
        // From 6 KiB on, three parts are summed at once.
        let bytes = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 37 ^ $0 >> 7) }
        for count in Array(0..<300) + Array(stride(from: 300, to: bytes.count, by: 97)) {
            bytes.withUnsafeBytes { buffer in
                let part = UnsafeRawBufferPointer(rebasing: buffer[count / 3..<count])
                #expect(CRC32C.of(part) == cvector_crc32c_by_table(part.baseAddress, part.count))
            }
        }
    }
}
