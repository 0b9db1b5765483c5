/// Certificates and keys in PEM for tests. They protect nothing.
package enum TestCertificate {
    /// For localhost, 127.0.0.1 and ::1, valid until 2120. It is self-signed.
    package static let certificate = """
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

        """

    /// The key of ``certificate`` and ``expiredCertificate``.
    package static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgy6iqKHwueiXD8Fic
        dmcFqlt1cuOFBwhfy4fY/EofZFmhRANCAAS/Wf8awo0gNXjhMhPvpqRyT5OYe1nA
        OxXRF2jAOJZOuRaz7L74DJeBK0JaBg9EZEhqktBD+TaGiiovQkwTMzk8
        -----END PRIVATE KEY-----

        """

    /// For other.example.
    package static let otherCertificate = """
        -----BEGIN CERTIFICATE-----
        MIIBUjCB+KADAgECAgFtMAoGCCqGSM49BAMCMBoxGDAWBgNVBAMMD2FjcGJyaWRn
        ZSB0ZXN0czAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowGjEYMBYG
        A1UEAwwPYWNwYnJpZGdlIHRlc3RzMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE
        vW6zjFesiizZDzYaqbvg29fYwQVsYR42XNan7y5dWOtbLq35KVFxnwfDbug0+6ba
        CgjQ7rIiTQy22QjEAnQ/ZKMtMCswGAYDVR0RBBEwD4INb3RoZXIuZXhhbXBsZTAP
        BgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0kAMEYCIQDU6cNRs4eRS5wQiysd
        BEjrsBeMMoa7IPQ5CrhN1llocwIhAL2+IozXxNqZB1H8UW0dPvcoRy7fBHqsQa6f
        cKQLuJfA
        -----END CERTIFICATE-----

        """

    /// The key of ``otherCertificate``.
    package static let otherKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgCIA6n4a1DW5kV1DR
        2Hh53JN4FeVJIio/Pm0d3P9r6l6hRANCAAS9brOMV6yKLNkPNhqpu+Db19jBBWxh
        HjZc1qfvLl1Y61surfkpUXGfB8Nu6DT7ptoKCNDusiJNDLbZCMQCdD9k
        -----END PRIVATE KEY-----

        """

    /// Valid until 2021.
    package static let expiredCertificate = """
        -----BEGIN CERTIFICATE-----
        MIIBZDCCAQugAwIBAgICAMAwCgYIKoZIzj0EAwIwGjEYMBYGA1UEAwwPYWNwYnJp
        ZGdlIHRlc3RzMB4XDTIwMDEwMTAwMDAwMFoXDTIxMDEwMTAwMDAwMFowGjEYMBYG
        A1UEAwwPYWNwYnJpZGdlIHRlc3RzMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE
        v1n/GsKNIDV44TIT76akck+TmHtZwDsV0RdowDiWTrkWs+y++AyXgStCWgYPRGRI
        apLQQ/k2hooqL0JMEzM5PKNBMD8wLAYDVR0RBCUwI4IJbG9jYWxob3N0hwR/AAAB
        hxAAAAAAAAAAAAAAAAAAAAABMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwID
        RwAwRAIgYypj0AQ9FeUGuPm+HZ+kCeFSMHdfla2i5ZLdt2SYWH0CIEqpGjwKXeoQ
        tGDbZ8hwxiOgRiMB+AarC2WsImPlNPoG
        -----END CERTIFICATE-----

        """

    /// ``key``, encrypted with a passphrase.
    package static let encryptedKey = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAi82OGXxvTrjwICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEKPMOd8uS/SAG3fuqQ+7VRQEgZBi
        ti2TKnb3ls7HC5FThMTlH2DBfFnalwBBA/ku4kNxbkcwcnDqquEi5VOuDPbl97dg
        KkbmjATlFg4SeX5HaEwhgmaQXb1vjDHTvbTZQej0KtfOkqYFDgfQk7NR5Rt2hsPB
        CBcz1awL1eqMLA4/FbRH5/ve11S99ZW3jfrhf2q0lfbZngpt42gBpM+jpYfKbjg=
        -----END ENCRYPTED PRIVATE KEY-----

        """
}
