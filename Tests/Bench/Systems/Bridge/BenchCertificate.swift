import BenchMeasuring
import EventLoop
import Glibc
import Posix

/// The certificate of a measured bridge with TLS: for localhost, self-signed, valid until 2120. Its key protects
/// nothing.
enum BenchCertificate {
    static func file(in home: BridgeHome) -> String { home.path + "/localhost.pem" }

    /// Writes certificate and key into one file and returns its path.
    static func write(in home: BridgeHome) throws -> String {
        let file = file(in: home)
        let fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard fd >= 0 else { throw SystemError("open \(file)") }
        let descriptor = Descriptor(owning: fd)
        try BlockingWrite.all(Array(pem.utf8), to: descriptor.raw)
        return file
    }

    private static let pem = """
        -----BEGIN CERTIFICATE-----
        MIIBZjCCAQygAwIBAgIBbTAKBggqhkjOPQQDAjAaMRgwFgYDVQQDDA9hY3Bicmlk
        Z2UgdGVzdHMwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBoxGDAW
        BgNVBAMMD2FjcGJyaWRnZSB0ZXN0czBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IA
        BL9Z/xrCjSA1eOEyE++mpHJPk5h7WcA7FdEXaMA4lk65FrPsvvgMl4ErQloGD0Rk
        SGqS0EP5NoaKKi9CTBMzOTyjQTA/MCwGA1UdEQQlMCOCCWxvY2FsaG9zdIcEfwAA
        AYcQAAAAAAAAAAAAAAAAAAAAATAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMC
        A0gAMEUCIQDU5++VdJY0WVmi8G6uaaqBkqeFU8Od75atBGcsQDxA7gIgO7OvNRAY
        vW8l4MO+rwhGLVlvEKZAGPVW/IeLTtYIaXM=
        -----END CERTIFICATE-----
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgy6iqKHwueiXD8Fic
        dmcFqlt1cuOFBwhfy4fY/EofZFmhRANCAAS/Wf8awo0gNXjhMhPvpqRyT5OYe1nA
        OxXRF2jAOJZOuRaz7L74DJeBK0JaBg9EZEhqktBD+TaGiiovQkwTMzk8
        -----END PRIVATE KEY-----

        """
}
