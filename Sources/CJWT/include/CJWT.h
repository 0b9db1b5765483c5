#ifndef CJWT_H
#define CJWT_H

// Checks signatures of JSON Web Tokens (RFC 7519) with libjwt 1.x, which `cjwt_load` loads at run time. The contents of
// a token are not checked here. For one thread only.

#include <stdbool.h>

/// Returns NULL, or the reason why the library cannot be loaded. Must be called first.
const char *cjwt_load(void);

/// True when the token is signed with this key and exactly this algorithm.
///
/// - algorithm: the name as in a token's header, for example `HS256`.
/// - key: the secret, or a public key in PEM.
bool cjwt_is_signed(const char *token, const char *algorithm, const unsigned char *key, int key_bytes);

#endif
