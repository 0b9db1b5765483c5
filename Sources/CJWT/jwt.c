#include "CJWT.h"

#include "CLibrary.h"

#include <dlfcn.h>
#include <stddef.h>

// All functions of libjwt that are used. They are the same in soname 0 (Debian 12) and soname 2 (Debian 13).
struct jwt;
static int (*jwt_decode)(struct jwt **, const char *token, const unsigned char *key, int key_bytes);
static void (*jwt_free)(struct jwt *);
static int (*jwt_get_alg)(struct jwt *);
static int (*jwt_str_alg)(const char *);
// An OpenSSL function: libjwt leaves errors in OpenSSL's error queue, which the next user would see.
static void (*clear_errors)(void);

const char *cjwt_load(void) {
    void *crypto = clibrary_open("libcrypto.so.3");
    void *library = crypto ? clibrary_open("libjwt.so.2") : NULL;
    if (crypto && !library) library = clibrary_open("libjwt.so.0");
    if (!library) return clibrary_failure();
    jwt_decode = (__typeof__(jwt_decode))dlsym(library, "jwt_decode");
    jwt_free = (__typeof__(jwt_free))dlsym(library, "jwt_free");
    jwt_get_alg = (__typeof__(jwt_get_alg))dlsym(library, "jwt_get_alg");
    jwt_str_alg = (__typeof__(jwt_str_alg))dlsym(library, "jwt_str_alg");
    clear_errors = (__typeof__(clear_errors))dlsym(crypto, "ERR_clear_error");
    return jwt_decode && jwt_free && jwt_get_alg && jwt_str_alg && clear_errors ? NULL : dlerror();
}

bool cjwt_is_signed(const char *token, const char *algorithm, const unsigned char *key, int key_bytes) {
    struct jwt *jwt = NULL;
    // The library uses the algorithm in the token's header. It must equal the requested one: otherwise a token could
    // use a public key as an HMAC secret.
    bool is_signed = jwt_decode(&jwt, token, key, key_bytes) == 0 && jwt_get_alg(jwt) == jwt_str_alg(algorithm);
    jwt_free(jwt);
    clear_errors();
    return is_signed;
}
