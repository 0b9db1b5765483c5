#include "CCrypto.h"

#include "CLibrary.h"

#include <dlfcn.h>
#include <limits.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/param_build.h>
#include <pthread.h>
#include <string.h>

// All functions of libcrypto that are used.
#define FUNCTIONS(use)                                                                                                  \
    use(BN_bin2bn) use(BN_bn2binpad) use(BN_clear_free)                                                                 \
    use(ECDSA_SIG_free) use(ECDSA_SIG_get0_r) use(ECDSA_SIG_get0_s) use(d2i_ECDSA_SIG) use(d2i_AutoPrivateKey)          \
    use(ERR_clear_error)                                                                                                \
    use(EVP_CIPHER_CTX_ctrl) use(EVP_CIPHER_CTX_free) use(EVP_CIPHER_CTX_new) use(EVP_EncryptFinal_ex)                  \
    use(EVP_EncryptInit_ex) use(EVP_EncryptUpdate) use(EVP_aes_128_gcm)                                                 \
    use(EVP_DigestSign) use(EVP_DigestSignInit) use(EVP_MD_CTX_free) use(EVP_MD_CTX_new) use(EVP_sha256) use(HMAC)      \
    use(EVP_PKEY_CTX_free) use(EVP_PKEY_CTX_new) use(EVP_PKEY_CTX_new_from_name) use(EVP_PKEY_Q_keygen)                 \
    use(EVP_PKEY_derive) use(EVP_PKEY_derive_init) use(EVP_PKEY_derive_set_peer) use(EVP_PKEY_free)                     \
    use(EVP_PKEY_fromdata) use(EVP_PKEY_fromdata_init) use(EVP_PKEY_get_bn_param)                                       \
    use(EVP_PKEY_get_group_name) use(EVP_PKEY_get_octet_string_param)                                                   \
    use(OSSL_PARAM_BLD_free) use(OSSL_PARAM_BLD_new) use(OSSL_PARAM_BLD_push_BN)                                        \
    use(OSSL_PARAM_BLD_push_octet_string) use(OSSL_PARAM_BLD_push_utf8_string) use(OSSL_PARAM_BLD_to_param)             \
    use(OSSL_PARAM_free)

static struct {
#define DECLARE(name) __typeof__(&name) name;
    FUNCTIONS(DECLARE)
} crypto;

static const char *load_error;
static char error_text[512];

static void load(void) {
    void *library = clibrary_open("libcrypto.so.3");
    if (!library) {
        strncpy(error_text, clibrary_failure(), sizeof error_text - 1);
        load_error = error_text;
        return;
    }
#define FIND(name)                                                                                                      \
    *(void **)&crypto.name = dlsym(library, #name);                                                                     \
    if (!crypto.name) load_error = "libcrypto is too old: " #name " is missing";
    FUNCTIONS(FIND)
}

const char *ccrypto_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return load_error;
}

static const char curve[] = "P-256";

/// Returns the result, and leaves no error for the library's next user.
static bool finished(bool result) {
    crypto.ERR_clear_error();
    return result;
}

/// Writes the two parts of a key pair.
static bool write_key(EVP_PKEY *key, uint8_t private_key[32], uint8_t public_key[65]) {
    BIGNUM *number = NULL;
    size_t length = 0;
    bool written = crypto.EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PRIV_KEY, &number) == 1 &&
                   crypto.BN_bn2binpad(number, private_key, ccrypto_private_bytes) == ccrypto_private_bytes &&
                   crypto.EVP_PKEY_get_octet_string_param(
                       key, OSSL_PKEY_PARAM_PUB_KEY, public_key, ccrypto_public_bytes, &length) == 1 &&
                   length == ccrypto_public_bytes;
    crypto.BN_clear_free(number);
    return written;
}

bool ccrypto_make_key(uint8_t private_key[32], uint8_t public_key[65]) {
    if (ccrypto_load()) return false;
    EVP_PKEY *key = crypto.EVP_PKEY_Q_keygen(NULL, NULL, "EC", curve);
    bool made = key && write_key(key, private_key, public_key);
    crypto.EVP_PKEY_free(key);
    return finished(made);
}

bool ccrypto_read_key(const uint8_t *der, size_t der_bytes, uint8_t private_key[32], uint8_t public_key[65]) {
    if (ccrypto_load() || der_bytes > LONG_MAX) return false;
    EVP_PKEY *key = crypto.d2i_AutoPrivateKey(NULL, &der, (long)der_bytes);
    char group[32] = "";
    // Both names of the curve are in use.
    bool is_right = key && crypto.EVP_PKEY_get_group_name(key, group, sizeof group, NULL) == 1 &&
                    (strcmp(group, "prime256v1") == 0 || strcmp(group, curve) == 0);
    bool is_read = is_right && write_key(key, private_key, public_key);
    crypto.EVP_PKEY_free(key);
    return finished(is_read);
}

/// Returns null if the point is not on the curve. `private_key` can be null.
static EVP_PKEY *read_key(const uint8_t *private_key, const uint8_t public_key[65]) {
    EVP_PKEY *key = NULL;
    OSSL_PARAM_BLD *builder = crypto.OSSL_PARAM_BLD_new();
    BIGNUM *number = private_key ? crypto.BN_bin2bn(private_key, ccrypto_private_bytes, NULL) : NULL;
    bool is_complete =
        builder && crypto.OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, curve, 0) == 1 &&
        crypto.OSSL_PARAM_BLD_push_octet_string(
            builder, OSSL_PKEY_PARAM_PUB_KEY, public_key, ccrypto_public_bytes) == 1 &&
        (!private_key ||
         (number && crypto.OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_PRIV_KEY, number) == 1));
    OSSL_PARAM *parameters = is_complete ? crypto.OSSL_PARAM_BLD_to_param(builder) : NULL;
    EVP_PKEY_CTX *context = crypto.EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    if (parameters && context && crypto.EVP_PKEY_fromdata_init(context) == 1) {
        int selection = private_key ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY;
        if (crypto.EVP_PKEY_fromdata(context, &key, selection, parameters) != 1) key = NULL;
    }
    crypto.EVP_PKEY_CTX_free(context);
    crypto.OSSL_PARAM_free(parameters);
    crypto.OSSL_PARAM_BLD_free(builder);
    crypto.BN_clear_free(number);
    return key;
}

/// Converts a signature from DER to r and s.
static bool flatten(const uint8_t *der, size_t length, uint8_t signature[64]) {
    ECDSA_SIG *parts = crypto.d2i_ECDSA_SIG(NULL, &der, (long)length);
    bool is_flat = parts && crypto.BN_bn2binpad(crypto.ECDSA_SIG_get0_r(parts), signature, 32) == 32 &&
                   crypto.BN_bn2binpad(crypto.ECDSA_SIG_get0_s(parts), signature + 32, 32) == 32;
    crypto.ECDSA_SIG_free(parts);
    return is_flat;
}

bool ccrypto_sign(
    const uint8_t private_key[32], const uint8_t public_key[65], const uint8_t *message, size_t message_bytes,
    uint8_t signature[64]) {
    if (ccrypto_load()) return false;
    EVP_PKEY *key = read_key(private_key, public_key);
    EVP_MD_CTX *context = crypto.EVP_MD_CTX_new();
    uint8_t der[128];
    size_t length = sizeof der;
    bool is_signed = key && context &&
                     crypto.EVP_DigestSignInit(context, NULL, crypto.EVP_sha256(), NULL, key) == 1 &&
                     crypto.EVP_DigestSign(context, der, &length, message, message_bytes) == 1 &&
                     flatten(der, length, signature);
    crypto.EVP_MD_CTX_free(context);
    crypto.EVP_PKEY_free(key);
    return finished(is_signed);
}

bool ccrypto_agree(
    const uint8_t private_key[32], const uint8_t public_key[65], const uint8_t peer_public_key[65],
    uint8_t secret[32]) {
    if (ccrypto_load()) return false;
    EVP_PKEY *own = read_key(private_key, public_key);
    EVP_PKEY *peer = read_key(NULL, peer_public_key);
    EVP_PKEY_CTX *context = own ? crypto.EVP_PKEY_CTX_new(own, NULL) : NULL;
    size_t length = 32;
    bool agreed = peer && context && crypto.EVP_PKEY_derive_init(context) == 1 &&
                  crypto.EVP_PKEY_derive_set_peer(context, peer) == 1 &&
                  crypto.EVP_PKEY_derive(context, secret, &length) == 1 && length == 32;
    crypto.EVP_PKEY_CTX_free(context);
    crypto.EVP_PKEY_free(peer);
    crypto.EVP_PKEY_free(own);
    return finished(agreed);
}

bool ccrypto_hmac(
    const uint8_t *key, size_t key_bytes, const uint8_t *message, size_t message_bytes, uint8_t digest[32]) {
    if (ccrypto_load() || key_bytes > INT_MAX) return false;
    unsigned length = 0;
    return finished(
        crypto.HMAC(crypto.EVP_sha256(), key, (int)key_bytes, message, message_bytes, digest, &length) != NULL);
}

bool ccrypto_seal(
    const uint8_t key[16], const uint8_t nonce[12], const uint8_t *text, size_t text_bytes, uint8_t *output) {
    if (ccrypto_load() || text_bytes > INT_MAX) return false;
    EVP_CIPHER_CTX *context = crypto.EVP_CIPHER_CTX_new();
    int length = 0, rest = 0;
    bool is_sealed = context &&
                     crypto.EVP_EncryptInit_ex(context, crypto.EVP_aes_128_gcm(), NULL, key, nonce) == 1 &&
                     crypto.EVP_EncryptUpdate(context, output, &length, text, (int)text_bytes) == 1 &&
                     crypto.EVP_EncryptFinal_ex(context, output + length, &rest) == 1 &&
                     (size_t)(length + rest) == text_bytes &&
                     crypto.EVP_CIPHER_CTX_ctrl(
                         context, EVP_CTRL_GCM_GET_TAG, ccrypto_tag_bytes, output + text_bytes) == 1;
    crypto.EVP_CIPHER_CTX_free(context);
    return finished(is_sealed);
}
