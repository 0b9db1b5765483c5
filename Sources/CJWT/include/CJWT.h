#ifndef CJWT_H
#define CJWT_H

// Signatures of JSON Web Tokens (RFC 7519), checked by libjwt 1.x, which is loaded by `cjwt_load` and not with the
// program. What a token says is not looked at here. For one thread.

#include <stdbool.h>

/// NULL, or why it cannot be loaded. Before anything else.
const char *cjwt_load(void);

/// Whether the token is signed with this key, by this algorithm and no other.
///
/// - algorithm: as a token's head names it: `HS256`.
/// - key: the secret, or a public key in PEM.
bool cjwt_is_signed(const char *token, const char *algorithm, const unsigned char *key, int key_bytes);

#endif
