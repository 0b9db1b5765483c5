#ifndef CTLS_LIBRARY_H
#define CTLS_LIBRARY_H

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>

// All OpenSSL functions that are used. OpenSSL's macros call functions by their plain names, which are not linked here.
// Instead of a macro, call its underlying function through `tls`.
#define CTLS_FUNCTIONS(F) \
    F(ASN1_TIME_to_tm) \
    F(BIO_clear_flags) F(BIO_free) F(BIO_get_data) F(BIO_get_new_index) F(BIO_meth_new) F(BIO_meth_set_create) \
    F(BIO_meth_set_ctrl) F(BIO_meth_set_read_ex) F(BIO_meth_set_write_ex) F(BIO_new) F(BIO_set_data) F(BIO_set_flags) \
    F(BIO_set_init) \
    F(ERR_clear_error) F(ERR_peek_error) F(ERR_peek_last_error) F(ERR_reason_error_string) \
    F(SSL_CTX_check_private_key) F(SSL_CTX_ctrl) F(SSL_CTX_free) F(SSL_CTX_get0_certificate) \
    F(SSL_CTX_load_verify_locations) F(SSL_CTX_new) F(SSL_CTX_set_alpn_select_cb) F(SSL_CTX_set_cipher_list) \
    F(SSL_CTX_set_default_passwd_cb) F(SSL_CTX_set_default_passwd_cb_userdata) F(SSL_CTX_set_default_verify_paths) \
    F(SSL_CTX_set_options) F(SSL_CTX_set_verify) F(SSL_CTX_use_PrivateKey_file) F(SSL_CTX_use_certificate_chain_file) \
    F(SSL_ctrl) F(SSL_free) F(SSL_get_error) F(SSL_get_verify_result) F(SSL_is_init_finished) F(SSL_new) \
    F(SSL_read_ex) F(SSL_select_next_proto) F(SSL_set1_host) F(SSL_set_accept_state) F(SSL_set_bio) \
    F(SSL_set_connect_state) F(SSL_shutdown) F(SSL_write_ex) \
    F(TLS_client_method) F(TLS_server_method) \
    F(X509_get0_notAfter) F(X509_get0_notBefore) F(X509_verify_cert_error_string)

struct ctls_functions {
#define CTLS_MEMBER(name) __typeof__(name) *name;
    CTLS_FUNCTIONS(CTLS_MEMBER)
#undef CTLS_MEMBER
};

/// Set by ctls_load.
extern struct ctls_functions tls;

/// Connects a session to its socket. Created by ctls_load.
extern BIO_METHOD *ctls_transport;
BIO_METHOD *ctls_make_transport(void);

#endif
