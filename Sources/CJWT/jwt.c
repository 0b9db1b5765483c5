#include "CJWT.h"

#include "CLibrary.h"

#include <dlfcn.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <stddef.h>

// All functions of libjwt that are used. They are the same in soname 0 (Debian 12) and soname 2 (Debian 13).
struct jwt;
static int (*jwt_decode)(struct jwt **, const char *token, const unsigned char *key, int key_bytes);
static void (*jwt_free)(struct jwt *);
static int (*jwt_get_alg)(struct jwt *);
static int (*jwt_str_alg)(const char *);

// All functions of libcrypto that are used. libjwt leaves errors in its error queue, which the next user would see.
#define CRYPTO_FUNCTIONS(use)                                                                                           \
    use(BIO_free) use(BIO_new_mem_buf) use(ERR_clear_error) use(EVP_DigestVerify) use(EVP_DigestVerifyInit)             \
    use(EVP_MD_CTX_free) use(EVP_MD_CTX_new) use(EVP_PKEY_free) use(EVP_PKEY_is_a) use(PEM_read_bio_PUBKEY)

static struct {
#define DECLARE(name) __typeof__(&name) name;
    CRYPTO_FUNCTIONS(DECLARE)
} crypto;

/// Returns false if the library has not all functions.
static bool find_crypto(void *library) {
    bool has_all = true;
#define FIND(name) has_all = (*(void **)&crypto.name = dlsym(library, #name)) && has_all;
    CRYPTO_FUNCTIONS(FIND)
    return has_all;
}

const char *cjwt_load(void) {
    void *openssl = clibrary_open("libcrypto.so.3");
    void *library = openssl ? clibrary_open("libjwt.so.2") : NULL;
    if (openssl && !library) library = clibrary_open("libjwt.so.0");
    if (!library) return clibrary_failure();
    jwt_decode = (__typeof__(jwt_decode))dlsym(library, "jwt_decode");
    jwt_free = (__typeof__(jwt_free))dlsym(library, "jwt_free");
    jwt_get_alg = (__typeof__(jwt_get_alg))dlsym(library, "jwt_get_alg");
    jwt_str_alg = (__typeof__(jwt_str_alg))dlsym(library, "jwt_str_alg");
    return find_crypto(openssl) && jwt_decode && jwt_free && jwt_get_alg && jwt_str_alg ? NULL : dlerror();
}

bool cjwt_is_signed(const char *token, const char *algorithm, const unsigned char *key, int key_bytes) {
    struct jwt *jwt = NULL;
    // The library uses the algorithm in the token's header. It must equal the requested one: otherwise a token could
    // use a public key as an HMAC secret.
    bool is_signed = jwt_decode(&jwt, token, key, key_bytes) == 0 && jwt_get_alg(jwt) == jwt_str_alg(algorithm);
    jwt_free(jwt);
    crypto.ERR_clear_error();
    return is_signed;
}

bool cjwt_is_signed_ed25519(
    const unsigned char *text, size_t text_bytes, const unsigned char signature[64], const unsigned char *pem,
    int pem_bytes) {
    BIO *input = crypto.BIO_new_mem_buf(pem, pem_bytes);
    EVP_PKEY *key = input ? crypto.PEM_read_bio_PUBKEY(input, NULL, NULL, NULL) : NULL;
    EVP_MD_CTX *context = crypto.EVP_MD_CTX_new();
    // The type is checked, because a key of another one would be used with its own algorithm.
    bool is_signed = key && crypto.EVP_PKEY_is_a(key, "ED25519") && context &&
                     crypto.EVP_DigestVerifyInit(context, NULL, NULL, NULL, key) == 1 &&
                     crypto.EVP_DigestVerify(context, signature, cjwt_ed25519_bytes, text, text_bytes) == 1;
    crypto.EVP_MD_CTX_free(context);
    crypto.EVP_PKEY_free(key);
    crypto.BIO_free(input);
    crypto.ERR_clear_error();
    return is_signed;
}
