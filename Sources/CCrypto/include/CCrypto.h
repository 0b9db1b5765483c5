#ifndef CCRYPTO_H
#define CCRYPTO_H

// The cryptography of notifications, with OpenSSL 3: signatures of webhooks and of Web Push. The library is loaded on
// first use. All functions return false if the library is missing, an argument is not a valid key, or memory is short.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Loads the library if it is not loaded yet. Returns null on success, otherwise the reason.
const char *ccrypto_load(void);

enum {
    ccrypto_private_bytes = 32,    ///< a private key of P-256
    ccrypto_public_bytes = 65,     ///< a public key of P-256: 4, x, y (SEC 1, section 2.3.3, uncompressed)
    ccrypto_signature_bytes = 64,  ///< r and s (RFC 7518, section 3.4)
    ccrypto_digest_bytes = 32,
    ccrypto_tag_bytes = 16,
};

/// Makes a key pair of P-256.
bool ccrypto_make_key(uint8_t private_key[32], uint8_t public_key[65]);

/// Reads a private key of P-256 in DER: PKCS #8 (RFC 5958) or SEC 1.
bool ccrypto_read_key(const uint8_t *der, size_t der_bytes, uint8_t private_key[32], uint8_t public_key[65]);

/// Signs with ECDSA, P-256 and SHA-256: ES256.
bool ccrypto_sign(
    const uint8_t private_key[32], const uint8_t public_key[65], const uint8_t *message, size_t message_bytes,
    uint8_t signature[64]);

/// The shared secret of ECDH on P-256: the x coordinate.
bool ccrypto_agree(
    const uint8_t private_key[32], const uint8_t public_key[65], const uint8_t peer_public_key[65],
    uint8_t secret[32]);

/// HMAC with SHA-256 (RFC 2104).
bool ccrypto_hmac(
    const uint8_t *key, size_t key_bytes, const uint8_t *message, size_t message_bytes, uint8_t digest[32]);

/// Encrypts with AES-128-GCM. Writes the ciphertext and a tag of 16 bytes to `output`.
bool ccrypto_seal(
    const uint8_t key[16], const uint8_t nonce[12], const uint8_t *text, size_t text_bytes, uint8_t *output);

#endif
