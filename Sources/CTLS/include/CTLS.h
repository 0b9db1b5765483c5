#ifndef CTLS_H
#define CTLS_H

// TLS over a connected socket with OpenSSL 3. `ctls_load` loads the library at run time, so a process without TLS pays
// neither the time nor the memory. A session can be used by one thread at a time.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// A server's identity or a client's trusted certificates, for any number of sessions.
struct ctls_context;

/// One end of one connection. The caller keeps ownership of the socket.
struct ctls_session;

/// The operation that failed.
enum ctls_stage {
    ctls_stage_none,
    ctls_stage_context,
    ctls_stage_certificate,
    ctls_stage_key,
    ctls_stage_match,  ///< the key does not belong to the certificate
    ctls_stage_authorities,
};

struct ctls_fault {
    enum ctls_stage stage;
    int code;  ///< an errno if the file could not be read, else 0
    bool key_is_encrypted;
    const char *reason;  ///< the library's text, valid forever; NULL if it has none
};

/// Loads the library. Must be called once, before all other functions. Returns NULL, or the loader's error text.
const char *ctls_load(void);

/// The largest plaintext of one record (RFC 8446, section 5.1).
enum { ctls_record_bytes = 16384 };

/// Both files are PEM: the certificate followed by its issuers' certificates, and its key. On failure, returns NULL and
/// sets `*fault`.
struct ctls_context *ctls_server_context(
    const char *certificate_file, const char *key_file, struct ctls_fault *fault);

/// Trusts the certificates in `authorities_file`, or the system's if it is NULL. On failure, returns NULL and sets
/// `*fault`.
struct ctls_context *ctls_client_context(const char *authorities_file, struct ctls_fault *fault);

void ctls_context_free(struct ctls_context *context);

/// The validity period of a server's certificate, in seconds since 1970. Returns false if the certificate has none.
bool ctls_context_validity(const struct ctls_context *context, int64_t *not_before, int64_t *not_after);

/// Returns NULL when out of memory. The first reads and writes perform the handshake.
struct ctls_session *ctls_accepting_session(struct ctls_context *context, int socket);

/// The peer's certificate must be valid for the name or address in `host`.
struct ctls_session *ctls_connecting_session(struct ctls_context *context, int socket, const char *host);

void ctls_session_free(struct ctls_session *session);

/// Like recv(2) with MSG_DONTWAIT, at most one record at a time. Returns 0 after the peer's orderly close, and -1 with
/// errno EPROTO after a TLS error by the peer. If the buffer has room for a whole record, no received data stays where
/// poll(2) does not report it.
ssize_t ctls_read(struct ctls_session *session, void *bytes, size_t count);

/// Like send(2) with MSG_DONTWAIT. Encrypted data counts as sent. The part that the socket does not accept is held, at
/// most one record, and no more data is accepted until `ctls_flush` has sent it.
ssize_t ctls_write(struct ctls_session *session, const void *bytes, size_t count);

/// The number of encrypted bytes that are held.
size_t ctls_held(const struct ctls_session *session);

/// Sends the held bytes. Returns 0 when all were sent, and -1 with errno otherwise, for example EAGAIN.
int ctls_flush(struct ctls_session *session);

/// Sends the TLS close after all data and shuts down the sending side of the socket. Reading remains possible.
void ctls_finish(struct ctls_session *session);

/// True when the first received byte is not TLS but looks like the start of a plain request. Nothing was sent.
bool ctls_peer_is_plain(const struct ctls_session *session);

/// The reason why the session failed, as the library's or the system's text. NULL when it has not failed.
const char *ctls_failure(const struct ctls_session *session);

#endif
