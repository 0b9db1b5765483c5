#include "library.h"

#include "CTLS.h"

#include <string.h>
#include <time.h>

// Only ciphers with forward secrecy and authenticated encryption for TLS 1.2. TLS 1.3 has only such ciphers (RFC 9325,
// section 4.2).
static const char ciphers_of_tls12[] = "ECDHE+AESGCM:ECDHE+CHACHA20";

/// The reason is the library's first error. Later errors only describe the place at which the library noticed it.
static void fail(struct ctls_fault *fault, enum ctls_stage stage) {
    unsigned long error = tls.ERR_peek_error();
    fault->stage = stage;
    fault->code = ERR_SYSTEM_ERROR(error) ? ERR_GET_REASON(error) : 0;
    fault->reason = ERR_SYSTEM_ERROR(error) ? NULL : tls.ERR_reason_error_string(error);
}

/// The passphrase callback. Nobody can enter a passphrase, so the key is not read and the fault reports that it is
/// encrypted.
static int note_encryption(char *buffer, int size, int writing, void *fault) {
    (void)buffer, (void)size, (void)writing;
    ((struct ctls_fault *)fault)->key_is_encrypted = true;
    return -1;
}

static bool load_identity(SSL_CTX *ssl, const char *certificate, const char *key, struct ctls_fault *fault) {
    tls.SSL_CTX_set_default_passwd_cb(ssl, note_encryption);
    tls.SSL_CTX_set_default_passwd_cb_userdata(ssl, fault);
    enum ctls_stage failed = ctls_stage_none;
    if (tls.SSL_CTX_use_certificate_chain_file(ssl, certificate) != 1) failed = ctls_stage_certificate;
    else if (tls.SSL_CTX_use_PrivateKey_file(ssl, key, SSL_FILETYPE_PEM) != 1) failed = ctls_stage_key;
    else if (tls.SSL_CTX_check_private_key(ssl) != 1) failed = ctls_stage_match;
    // The library compares the key with the certificate when it reads the key.
    if (failed == ctls_stage_key && ERR_GET_LIB(tls.ERR_peek_last_error()) == ERR_LIB_X509) failed = ctls_stage_match;
    if (failed) fail(fault, failed);
    // `fault` belongs to the caller and is invalid after this function returns.
    tls.SSL_CTX_set_default_passwd_cb_userdata(ssl, NULL);
    return failed == ctls_stage_none;
}

/// A client that lists protocols must include HTTP/1.1 (RFC 7301, section 3.2).
static int choose_http(
    SSL *ssl, const unsigned char **chosen, unsigned char *size, const unsigned char *offered, unsigned int count,
    void *unused) {
    static const unsigned char ours[] = "\x08http/1.1";
    (void)ssl, (void)unused;
    int outcome = tls.SSL_select_next_proto((unsigned char **)chosen, size, ours, sizeof ours - 1, offered, count);
    return outcome == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

/// A `struct ctls_context` is an SSL_CTX. Callers never access its contents.
static SSL_CTX *make(const SSL_METHOD *method, struct ctls_fault *fault) {
    memset(fault, 0, sizeof *fault);
    tls.ERR_clear_error();
    SSL_CTX *ssl = tls.SSL_CTX_new(method);
    if (!ssl || tls.SSL_CTX_set_cipher_list(ssl, ciphers_of_tls12) != 1) {
        fail(fault, ctls_stage_context);
        tls.SSL_CTX_free(ssl);
        return NULL;
    }
    tls.SSL_CTX_set_options(ssl, SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE);
    tls.SSL_CTX_ctrl(ssl, SSL_CTRL_SET_MIN_PROTO_VERSION, TLS1_2_VERSION, NULL);
    long mode = SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS;
    tls.SSL_CTX_ctrl(ssl, SSL_CTRL_MODE, mode, NULL);
    // A session is resumed by its ticket, which the client keeps. The server stores nothing.
    tls.SSL_CTX_ctrl(ssl, SSL_CTRL_SET_SESS_CACHE_MODE, SSL_SESS_CACHE_OFF, NULL);
    return ssl;
}

struct ctls_context *ctls_server_context(
    const char *certificate_file, const char *key_file, struct ctls_fault *fault) {
    SSL_CTX *ssl = make(tls.TLS_server_method(), fault);
    if (ssl && !load_identity(ssl, certificate_file, key_file, fault)) {
        tls.SSL_CTX_free(ssl);
        ssl = NULL;
    }
    if (ssl) tls.SSL_CTX_set_alpn_select_cb(ssl, choose_http, NULL);
    return (struct ctls_context *)ssl;
}

static bool load_authorities(SSL_CTX *ssl, const char *file) {
    return (file ? tls.SSL_CTX_load_verify_locations(ssl, file, NULL) : tls.SSL_CTX_set_default_verify_paths(ssl)) == 1;
}

struct ctls_context *ctls_client_context(const char *authorities_file, struct ctls_fault *fault) {
    SSL_CTX *ssl = make(tls.TLS_client_method(), fault);
    if (ssl && !load_authorities(ssl, authorities_file)) {
        fail(fault, ctls_stage_authorities);
        tls.SSL_CTX_free(ssl);
        ssl = NULL;
    }
    if (ssl) tls.SSL_CTX_set_verify(ssl, SSL_VERIFY_PEER, NULL);
    return (struct ctls_context *)ssl;
}

void ctls_context_free(struct ctls_context *context) { tls.SSL_CTX_free((SSL_CTX *)context); }

static bool seconds(const ASN1_TIME *time, int64_t *seconds) {
    struct tm parts;
    if (!time || tls.ASN1_TIME_to_tm(time, &parts) != 1) return false;
    *seconds = timegm(&parts);
    return true;
}

bool ctls_context_validity(const struct ctls_context *context, int64_t *not_before, int64_t *not_after) {
    X509 *certificate = tls.SSL_CTX_get0_certificate((const SSL_CTX *)context);
    return certificate && seconds(tls.X509_get0_notBefore(certificate), not_before) &&
           seconds(tls.X509_get0_notAfter(certificate), not_after);
}
