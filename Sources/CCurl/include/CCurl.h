#ifndef CCURL_H
#define CCURL_H

// libcurl as a maker of connections (CURLOPT_CONNECT_ONLY): names, proxies, TLS and certificates are its work, what goes
// over the connection is not. It is loaded when the first such connection is made, never at the program's start: with
// what it needs itself it takes several milliseconds and megabytes.
//
// A connection belongs to one thread at a time.

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/// Loads libcurl unless that is done. Null when it is there; otherwise why not, in the linker's words.
const char *ccurl_load(void);

struct ccurl_request {
    const char *url;           ///< `https://host:port` or `http://host:port`; only scheme, host and port are used
    const char *authorities;   ///< a file of certificates in PEM form to trust, instead of the system's; or null
    long timeout_milliseconds; ///< for everything until the connection stands, TLS and proxy included
};

/// A connection, or the attempt at one.
typedef struct ccurl_connection ccurl_connection;

/// Begins to connect. Null when memory, or libcurl, is missing.
ccurl_connection *ccurl_open(const struct ccurl_request *request);

enum ccurl_state { ccurl_connecting, ccurl_connected, ccurl_failed };

/// Goes on connecting until there is an outcome, `wake_descriptor` becomes readable, or the time is over.
enum ccurl_state ccurl_connect(ccurl_connection *connection, int wake_descriptor, int milliseconds);

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

/// Why it failed, and libcurl's sentence about it, which lives as long as the connection.
enum ccurl_failure ccurl_failure(const ccurl_connection *connection);
const char *ccurl_failure_text(const ccurl_connection *connection);

/// For poll(2), once connected. Bytes that TLS has already taken from it wait to be received although it is not readable.
int ccurl_descriptor(const ccurl_connection *connection);

/// Bytes received, 0 at the end of the stream, or -1 with `errno`; `EAGAIN` when there are none yet.
ssize_t ccurl_receive(ccurl_connection *connection, void *bytes, size_t count);

/// Bytes sent, or -1 with `errno`; `EAGAIN` when none can be sent now: the same bytes are to be offered again.
ssize_t ccurl_send(ccurl_connection *connection, const void *bytes, size_t count);

/// Ends the connection, or the attempt, at once.
void ccurl_close(ccurl_connection *connection);

#endif
