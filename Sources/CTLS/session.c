#include "library.h"

#include "CTLS.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/// The limit for data that a peer can make us queue without reading it: responses to its key updates. The connection is
/// closed above it.
enum { held_limit_bytes = 64 << 10 };

struct ctls_session {
    SSL *ssl;
    int socket;
    int code;               ///< the errno of a socket that failed
    unsigned long failure;  ///< the library's code of a fault in the peer's TLS
    bool has_read;
    bool is_plain;
    bool is_finishing;
    unsigned char *held;  ///< encrypted, and not taken by the socket yet; NULL when there is nothing
    size_t held_count;
    size_t held_sent;
};

// MARK: The socket

/// Sends as much as possible. Returns the count, or -1 with errno. All temporary conditions become EAGAIN.
static ssize_t send_some(struct ctls_session *session, const void *bytes, size_t count) {
    ssize_t sent = send(session->socket, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent >= 0) return sent;
    if (errno == EWOULDBLOCK || errno == EINTR) errno = EAGAIN;
    if (errno != EAGAIN) session->code = errno;
    return -1;
}

static bool hold(struct ctls_session *session, const unsigned char *bytes, size_t count) {
    if (count > held_limit_bytes - session->held_count) return false;
    unsigned char *grown = realloc(session->held, session->held_count + count);
    if (!grown) return false;
    memcpy(grown + session->held_count, bytes, count);
    session->held = grown;
    session->held_count += count;
    return true;
}

/// Never makes the library wait: bytes that the socket does not accept are held.
static int transport_write(BIO *bio, const char *bytes, size_t count, size_t *written) {
    struct ctls_session *session = tls.BIO_get_data(bio);
    size_t sent = 0;
    tls.BIO_clear_flags(bio, BIO_FLAGS_RWS | BIO_FLAGS_SHOULD_RETRY);
    if (!session->held) {
        ssize_t taken = send_some(session, bytes, count);
        if (taken < 0 && errno != EAGAIN) return 0;
        sent = taken > 0 ? (size_t)taken : 0;
    }
    if (sent < count && !hold(session, (const unsigned char *)bytes + sent, count - sent)) {
        session->code = ENOBUFS;
        return 0;
    }
    *written = count;
    return 1;
}

/// A handshake record begins with 22. An HTTP request begins with a letter.
static bool looks_plain(unsigned char first) { return (first | 0x20) >= 'a' && (first | 0x20) <= 'z'; }

static int transport_read(BIO *bio, char *bytes, size_t count, size_t *read) {
    struct ctls_session *session = tls.BIO_get_data(bio);
    tls.BIO_clear_flags(bio, BIO_FLAGS_RWS | BIO_FLAGS_SHOULD_RETRY);
    ssize_t received = recv(session->socket, bytes, count, MSG_DONTWAIT);
    if (received < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) {
        tls.BIO_set_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY);
    } else if (received < 0) {
        session->code = errno;
    } else if (received == 0) {
        session->code = ECONNRESET;  // the connection was cut off: an orderly close is a TLS alert
    }
    if (received <= 0) return 0;
    if (!session->has_read) session->is_plain = looks_plain((unsigned char)bytes[0]);
    session->has_read = true;
    if (session->is_plain) return 0;
    *read = (size_t)received;
    return 1;
}

static long transport_control(BIO *bio, int command, long number, void *pointer) {
    (void)bio, (void)number, (void)pointer;
    return command == BIO_CTRL_FLUSH;
}

static int transport_create(BIO *bio) {
    tls.BIO_set_init(bio, 1);
    return 1;
}

BIO_METHOD *ctls_make_transport(void) {
    BIO_METHOD *method = tls.BIO_meth_new(tls.BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "non-blocking socket");
    if (!method) return NULL;
    tls.BIO_meth_set_create(method, transport_create);
    tls.BIO_meth_set_ctrl(method, transport_control);
    tls.BIO_meth_set_read_ex(method, transport_read);
    tls.BIO_meth_set_write_ex(method, transport_write);
    return method;
}

// MARK: Sessions

static struct ctls_session *make(struct ctls_context *context, int socket) {
    struct ctls_session *session = calloc(1, sizeof *session);
    if (!session) return NULL;
    session->socket = socket;
    session->ssl = tls.SSL_new((SSL_CTX *)context);
    BIO *bio = session->ssl ? tls.BIO_new(ctls_transport) : NULL;
    if (!bio) {
        tls.SSL_free(session->ssl);
        free(session);
        return NULL;
    }
    tls.BIO_set_data(bio, session);
    tls.SSL_set_bio(session->ssl, bio, bio);
    return session;
}

struct ctls_session *ctls_accepting_session(struct ctls_context *context, int socket) {
    struct ctls_session *session = make(context, socket);
    if (session) tls.SSL_set_accept_state(session->ssl);
    return session;
}

struct ctls_session *ctls_connecting_session(struct ctls_context *context, int socket, const char *host) {
    struct ctls_session *session = make(context, socket);
    if (!session) return NULL;
    // A name is sent to the server, but an address must not be (RFC 6066, section 3). The certificate must contain the
    // name or address.
    bool is_address = strchr(host, ':') || strspn(host, "0123456789.") == strlen(host);
    if (!is_address) tls.SSL_ctrl(session->ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, (void *)host);
    if (tls.SSL_set1_host(session->ssl, host) != 1) {
        ctls_session_free(session);
        return NULL;
    }
    tls.SSL_set_connect_state(session->ssl);
    return session;
}

void ctls_session_free(struct ctls_session *session) {
    tls.SSL_free(session->ssl);
    free(session->held);
    free(session);
}

/// Converts the `outcome` of an operation to an errno. Returns 0 for the peer's orderly close.
static int meaning(struct ctls_session *session, int outcome) {
    switch (tls.SSL_get_error(session->ssl, outcome)) {
    case SSL_ERROR_ZERO_RETURN: return 0;
    case SSL_ERROR_WANT_READ: return EAGAIN;
    default:
        if (session->code) return session->code;
        session->failure = tls.ERR_peek_error();
        return session->code = EPROTO;
    }
}

ssize_t ctls_read(struct ctls_session *session, void *bytes, size_t count) {
    size_t read = 0;
    if (session->code) return errno = session->code, -1;
    tls.ERR_clear_error();
    int outcome = tls.SSL_read_ex(session->ssl, bytes, count, &read);
    if (outcome == 1) return (ssize_t)read;
    int code = meaning(session, outcome);
    if (code == 0) return 0;
    errno = code;
    return -1;
}

ssize_t ctls_write(struct ctls_session *session, const void *bytes, size_t count) {
    size_t total = 0;
    if (session->code) return errno = session->code, -1;
    if (count == 0) return 0;
    while (total < count && !session->held) {
        size_t written = 0;
        tls.ERR_clear_error();
        int outcome = tls.SSL_write_ex(session->ssl, (const char *)bytes + total, count - total, &written);
        if (outcome != 1) {
            int code = meaning(session, outcome);
            if (total > 0) break;  // the next call returns the same outcome
            errno = code ? code : EPIPE;
            return -1;
        }
        total += written;
    }
    if (total > 0) return (ssize_t)total;
    errno = EAGAIN;
    return -1;
}

size_t ctls_held(const struct ctls_session *session) { return session->held_count - session->held_sent; }

int ctls_flush(struct ctls_session *session) {
    while (ctls_held(session) > 0) {
        ssize_t sent = send_some(session, session->held + session->held_sent, ctls_held(session));
        if (sent < 0) return -1;
        session->held_sent += (size_t)sent;
    }
    free(session->held);
    session->held = NULL;
    session->held_count = session->held_sent = 0;
    if (session->is_finishing) shutdown(session->socket, SHUT_WR);
    return 0;
}

void ctls_finish(struct ctls_session *session) {
    if (session->is_finishing) return;
    session->is_finishing = true;
    tls.ERR_clear_error();
    // Before the end of the handshake and after a failure, no TLS close can be sent.
    if (!session->code && tls.SSL_is_init_finished(session->ssl)) tls.SSL_shutdown(session->ssl);
    if (ctls_held(session) == 0) shutdown(session->socket, SHUT_WR);
}

bool ctls_peer_is_plain(const struct ctls_session *session) { return session->is_plain; }

const char *ctls_failure(const struct ctls_session *session) {
    if (!session->failure) return session->code ? strerror(session->code) : NULL;
    long verification = tls.SSL_get_verify_result(session->ssl);
    return verification == X509_V_OK ? tls.ERR_reason_error_string(session->failure)
                                     : tls.X509_verify_cert_error_string(verification);
}
