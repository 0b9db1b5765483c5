#ifndef CCURL_H
#define CCURL_H

// Uses libcurl to establish connections (CURLOPT_CONNECT_ONLY), and to send single requests. libcurl handles names,
// proxies, TLS and certificates, but not the data on a connection. It is loaded when it is first used, never at the start
// of the program: with its dependencies it takes several milliseconds and megabytes.
//
// A connection can be used by one thread at a time.

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/// Loads libcurl if it is not loaded yet. Returns null on success, otherwise the linker's error text.
const char *ccurl_load(void);

struct ccurl_request {
    const char *url;           ///< `https://host:port` or `http://host:port`; only scheme, host and port are used
    const char *authorities;   ///< a file of certificates in PEM form to trust, instead of the system's; or null
    long timeout_milliseconds; ///< for everything until the connection stands, TLS and proxy included
};

/// A connection, or the attempt to establish one.
typedef struct ccurl_connection ccurl_connection;

/// Starts to connect. Returns null when memory or libcurl is missing.
ccurl_connection *ccurl_open(const struct ccurl_request *request);

enum ccurl_state { ccurl_connecting, ccurl_connected, ccurl_failed };

/// Continues to connect, without waiting.
enum ccurl_state ccurl_connect(ccurl_connection *connection);

/// While connecting: when this descriptor is readable, there is something to do.
int ccurl_connect_descriptor(const ccurl_connection *connection);

/// While connecting: after this time in milliseconds, there is something to do, too. -1: only after an event.
long ccurl_connect_timeout(const ccurl_connection *connection);

enum ccurl_failure {
    ccurl_failure_none,
    ccurl_failure_name,        ///< the host's or proxy's name is not known
    ccurl_failure_refused,     ///< nobody answers there
    ccurl_failure_proxy,       ///< the proxy does not let us through
    ccurl_failure_certificate, ///< the certificate is not one to trust, or names another host
    ccurl_failure_authorities, ///< the file of certificates cannot be used
    ccurl_failure_tls,         ///< no TLS connection comes about for another reason
    ccurl_failure_cut,         ///< the connection broke while TLS was being set up
    ccurl_failure_timeout,
    ccurl_failure_other,
};

/// The reason of the failure and libcurl's text, which is valid as long as the connection.
enum ccurl_failure ccurl_failure(const ccurl_connection *connection);
const char *ccurl_failure_text(const ccurl_connection *connection);

/// The descriptor for poll(2), valid once connected. It can be unreadable although bytes that TLS has already read can
/// be received.
int ccurl_descriptor(const ccurl_connection *connection);

/// Returns the number of received bytes, 0 at the end of the stream, or -1 with `errno`. `EAGAIN` means none are
/// available yet.
ssize_t ccurl_receive(ccurl_connection *connection, void *bytes, size_t count);

/// Returns the number of sent bytes, or -1 with `errno`. `EAGAIN` means none can be sent now; pass the same bytes again
/// later.
ssize_t ccurl_send(ccurl_connection *connection, const void *bytes, size_t count);

/// Ends the connection or the attempt at once.
void ccurl_close(ccurl_connection *connection);

/// A POST request.
struct ccurl_post {
    const char *url;
    const char *const *fields; ///< `name: value`, without line ends
    size_t field_count;
    const void *body;
    size_t body_bytes;
    long timeout_milliseconds; ///< for everything
    const char *authorities;   ///< as in `struct ccurl_request`; or null
    bool public_only;          ///< only https, without a proxy, and to no private address, checked after the name lookup
    bool uses_http2;           ///< HTTP/2 (RFC 9113), also on a plain connection; an open connection with TLS is used again
    char *answer;              ///< receives the beginning of the answer's body, as text; or null
    size_t answer_bytes;       ///< with the closing zero
    long retry_after_seconds;  ///< set by the request: the field `Retry-After`, if it is a number; else 0
};

/// Sends the request and waits for the answer, on the calling thread. No redirect is followed. Returns the answer's
/// status. Returns 0 if there was no answer, and writes the reason to `failure`.
int ccurl_perform_post(struct ccurl_post *post, char *failure, size_t failure_bytes);

/// A GET request.
struct ccurl_get {
    const char *url;
    const char *field;         ///< `name: value`, without line ends
    long timeout_milliseconds; ///< for everything
    void *body;                ///< receives the answer's body
    size_t body_limit_bytes;   ///< a longer body is a failure
    size_t body_bytes;         ///< set by the request
    char *cache_control;       ///< receives the answer's first `Cache-Control`, as text; empty if there is none
    size_t cache_control_bytes; ///< with the closing zero; a longer field is cut off
};

/// Sends the request and waits for the whole answer, on the calling thread. No redirect is followed. Returns the answer's
/// status. Returns 0 if there was no complete answer, and writes the reason to `failure`.
int ccurl_perform_get(struct ccurl_get *get, char *failure, size_t failure_bytes);

struct sockaddr;

/// Returns whether an address of IPv4 or IPv6 is on the public internet.
bool ccurl_is_public(const struct sockaddr *address);

#endif
