import EventLoop
import Glibc
import Posix
import TestSupport
import Testing

@Suite struct TLSContextTests {
    private static let certificate = TestCertificate.certificate
    private static let key = TestCertificate.key
    private let folder = TemporaryFolder()

    private func fault(certificate: String, key: String) -> TLSFault? {
        do throws(TLSFault) {
            _ = try TLSContext(certificate: certificate, key: key)
            return nil
        } catch {
            return error
        }
    }

    @Test func aCertificateAndItsKeyCanBeInOneFile() {
        let file = folder.file("both.pem", Self.certificate + Self.key)
        #expect(fault(certificate: file, key: file) == nil)
    }

    @Test func aMissingFileIsNamedInTheError() {
        let file = folder.file("cert.pem", Self.certificate)
        let missing = folder.path + "/missing.pem"
        let error = SystemError("open", code: ENOENT)
        #expect(fault(certificate: missing, key: file) == .unreadable(file: missing, error))
        #expect(fault(certificate: file, key: missing) == .unreadable(file: missing, error))
    }

    @Test func aFileWithOtherContentsIsNamedInTheError() throws {
        let certificate = folder.file("cert.pem", Self.certificate)
        let key = folder.file("key.pem", Self.key)
        let asCertificate = try #require(fault(certificate: key, key: key))
        #expect("\(asCertificate)".hasPrefix("\(key) cannot be used as a certificate in PEM"))
        let asKey = try #require(fault(certificate: certificate, key: certificate))
        #expect("\(asKey)".hasPrefix("\(certificate) cannot be used as a private key in PEM"))
    }

    @Test func aKeyOfAnotherCertificateIsDistinguishedFromAnInvalidKey() {
        let certificate = folder.file("cert.pem", Self.certificate)
        let key = folder.file("key.pem", TestCertificate.otherKey)
        #expect(fault(certificate: certificate, key: key) == .keyOfAnother(certificate: certificate, key: key))
    }

    @Test func anEncryptedKeyIsRefusedWithoutAPrompt() {
        let certificate = folder.file("cert.pem", Self.certificate)
        let key = folder.file("key.pem", TestCertificate.encryptedKey)
        #expect(fault(certificate: certificate, key: key) == .keyEncrypted(file: key))
    }

    @Test func theValidityPeriodIsReturned() throws {
        let context = try TLSContext(
            certificate: folder.file("cert.pem", TestCertificate.expiredCertificate),
            key: folder.file("key.pem", Self.key))
        // 2020-01-01 and 2021-01-01.
        #expect(context.validity == 1_577_836_800_000...1_609_459_200_000)
    }
}
