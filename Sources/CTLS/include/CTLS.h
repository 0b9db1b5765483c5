#ifndef CTLS_H
#define CTLS_H

// TLS over a connected socket, by OpenSSL 3, which is loaded by `ctls_load` and not with the program: a process that
// speaks no TLS pays neither the time nor the memory. A session is for one thread at a time.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Whom we are, or whom we trust, for any number of sessions.
struct ctls_context;

/// One end of one connection. The socket stays the caller's.
struct ctls_session;

/// What could not be done.
enum ctls_stage {
    ctls_stage_none,
    ctls_stage_context,
    ctls_stage_certificate,
    ctls_stage_key,
    ctls_stage_match,  ///< the key is not the certificate's
    ctls_stage_authorities,
};

struct ctls_fault {
    enum ctls_stage stage;
    int code;  ///< an errno where the file could not be read, else 0
    bool key_is_encrypted;
    const char *reason;  ///< in the library's words, for good; NULL where it has none
};

/// Loads the library. Once, before anything else; NULL, or the loader's words for why it could not be.
const char *ctls_load(void);

/// The largest plaintext of one record (RFC 8446, section 5.1).
enum { ctls_record_bytes = 16384 };

/// Files in PEM: the certificate with those it was issued by behind it, and its key. NULL with `*fault` set.
struct ctls_context *ctls_server_context(
    const char *certificate_file, const char *key_file, struct ctls_fault *fault);

/// Trusts the certificates in `authorities_file`, or those of the system for NULL. NULL with `*fault` set.
struct ctls_context *ctls_client_context(const char *authorities_file, struct ctls_fault *fault);

void ctls_context_free(struct ctls_context *context);

/// Between which times a server's certificate is valid, in seconds since 1970. False when it does not say.
bool ctls_context_validity(const struct ctls_context *context, int64_t *not_before, int64_t *not_after);

/// NULL when memory is out. The handshake is made by the first reads and writes.
struct ctls_session *ctls_accepting_session(struct ctls_context *context, int socket);

/// `host` is the name or address that the peer's certificate must be for.
struct ctls_session *ctls_connecting_session(struct ctls_context *context, int socket, const char *host);

void ctls_session_free(struct ctls_session *session);

/// As recv(2) with MSG_DONTWAIT, at most one record at a time. 0 is the peer's orderly end; -1 with errno EPROTO is a
/// fault in its TLS. With room for a whole record nothing that has come is left where poll(2) does not see it.
ssize_t ctls_read(struct ctls_session *session, void *bytes, size_t count);

/// As send(2) with MSG_DONTWAIT. What is encrypted is as good as sent: what of it the socket does not take is held, a
/// record at most, and nothing more is taken until `ctls_flush` has sent that.
ssize_t ctls_write(struct ctls_session *session, const void *bytes, size_t count);

/// How many encrypted bytes are held.
size_t ctls_held(const struct ctls_session *session);

/// Sends what is held. 0 when all is sent; -1 with errno, EAGAIN among others.
int ctls_flush(struct ctls_session *session);

/// Says that nothing more will come, and shuts the socket down behind it. Reading goes on.
void ctls_finish(struct ctls_session *session);

/// The first byte that came is no TLS, but looks like the beginning of a plain request. Nothing was sent.
bool ctls_peer_is_plain(const struct ctls_session *session);

/// Why the session failed, in the library's words or the system's; NULL when it has not.
const char *ctls_failure(const struct ctls_session *session);

#endif
