#ifndef CJWT_H
#define CJWT_H

// Checks signatures of JSON Web Tokens (RFC 7519) with libjwt 1.x, and those of Ed25519, which libjwt 1.x does not have,
// with OpenSSL 3. `cjwt_load` loads both at run time. The contents of a token are not checked here. For one thread only.

#include <stdbool.h>
#include <stddef.h>

/// Returns NULL, or the reason why the library cannot be loaded. Must be called first.
const char *cjwt_load(void);

/// True when the token is signed with this key and exactly this algorithm.
///
/// - algorithm: the name as in a token's header, for example `HS256`.
/// - key: the secret, or a public key in PEM.
bool cjwt_is_signed(const char *token, const char *algorithm, const unsigned char *key, int key_bytes);

/// The length of a signature (RFC 8032, section 5.1.6).
enum { cjwt_ed25519_bytes = 64 };

/// True if the text is signed with Ed25519 (RFC 8037, section 3.1) and this key.
///
/// - text: the token's header and claims as they are encoded, and the dot between them.
/// - pem: a public key. A key of another kind has signed nothing.
bool cjwt_is_signed_ed25519(
    const unsigned char *text, size_t text_bytes, const unsigned char signature[64], const unsigned char *pem,
    int pem_bytes);

#endif
