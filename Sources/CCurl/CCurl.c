#include "CCurl.h"

#include "CLibrary.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// The parts of libcurl that are used. All of them exist since 7.66 (2019). curl_multi_poll is not called: an older library does
// not have it.
#define FUNCTIONS(use)                                                                                                  \
    use(curl_global_init) use(curl_easy_init) use(curl_easy_setopt) use(curl_easy_getinfo) use(curl_easy_recv)          \
    use(curl_easy_send) use(curl_easy_strerror) use(curl_easy_cleanup) use(curl_multi_init) use(curl_multi_add_handle)  \
    use(curl_multi_remove_handle) use(curl_multi_setopt) use(curl_multi_socket_action) use(curl_multi_info_read)        \
    use(curl_multi_poll) use(curl_multi_cleanup) use(curl_easy_perform) use(curl_slist_append) use(curl_slist_free_all)  \
    use(curl_easy_reset)

#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

static struct {
#define DECLARE(name) __typeof__(&name) name;
    FUNCTIONS(DECLARE)
} library;

static const char *load_error;

static void *open_library(void) {
    // The second library has the same interface with another TLS library. It is often installed when the first is not.
    void *handle = clibrary_open("libcurl.so.4");
    return handle ? handle : clibrary_open("libcurl-gnutls.so.4");
}

static void load(void) {
    void *handle = open_library();
    if (!handle) {
        load_error = strdup(clibrary_failure());
        return;
    }
#define FIND(name)                                                                                                      \
    *(void **)&library.name = dlsym(handle, #name);                                                                     \
    if (!library.name) load_error = "libcurl is too old: " #name " is missing";
    FUNCTIONS(FIND)
    if (!load_error && library.curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) load_error = "libcurl does not start";
}

const char *ccurl_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return load_error;
}

struct ccurl_connection {
    CURL *easy;
    CURLM *multi;
    CURLcode code;
    int events;         ///< an epoll(7) descriptor with libcurl's sockets
    long long due;      ///< when libcurl has something to do, in milliseconds of the monotonic clock; -1: after an event
    char words[CURL_ERROR_SIZE];
};

/// Programs that this process starts must not inherit the connection.
static int close_on_exec(void *unused, curl_socket_t socket, curlsocktype purpose) {
    (void)unused;
    (void)purpose;
    return fcntl(socket, F_SETFD, FD_CLOEXEC) == 0 ? CURL_SOCKOPT_OK : CURL_SOCKOPT_ERROR;
}

/// A refused option is one that this libcurl does not know. All options that are needed for safety are older than the
/// required version.
static void set_options(ccurl_connection *connection, const struct ccurl_request *request) {
    CURL *easy = connection->easy;
#define SET(option, value) library.curl_easy_setopt(easy, option, value)
    SET(CURLOPT_URL, request->url);
    SET(CURLOPT_CONNECT_ONLY, 1L);
    SET(CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
    SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    SET(CURLOPT_HTTPPROXYTUNNEL, 1L);  // also without TLS: a proxy could fail to forward the upgrade
    SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    SET(CURLOPT_SSL_VERIFYPEER, 1L);
    SET(CURLOPT_SSL_VERIFYHOST, 2L);
    if (request->authorities) SET(CURLOPT_CAINFO, request->authorities);
    if (request->authorities) SET(CURLOPT_CAPATH, NULL);
    SET(CURLOPT_CONNECTTIMEOUT_MS, request->timeout_milliseconds);
    SET(CURLOPT_TCP_NODELAY, 1L);
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_QUICK_EXIT, 1L);  // an abandoned attempt does not wait for the name lookup
    SET(CURLOPT_SOCKOPTFUNCTION, close_on_exec);
    SET(CURLOPT_ERRORBUFFER, connection->words);
#undef SET
}

static long long now_milliseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

/// libcurl's CURLMOPT_SOCKETFUNCTION.
static int watch(CURL *unused, curl_socket_t socket, int what, void *user, void *unused_too) {
    (void)unused;
    (void)unused_too;
    int events = ((ccurl_connection *)user)->events;
    if (what == CURL_POLL_REMOVE) {
        epoll_ctl(events, EPOLL_CTL_DEL, socket, NULL);
        return 0;
    }
    struct epoll_event event = {.data.fd = socket};
    if (what & CURL_POLL_IN) event.events |= EPOLLIN;
    if (what & CURL_POLL_OUT) event.events |= EPOLLOUT;
    if (epoll_ctl(events, EPOLL_CTL_MOD, socket, &event) == 0) return 0;
    return epoll_ctl(events, EPOLL_CTL_ADD, socket, &event);
}

/// libcurl's CURLMOPT_TIMERFUNCTION.
static int set_timer(CURLM *unused, long milliseconds, void *user) {
    (void)unused;
    ((ccurl_connection *)user)->due = milliseconds < 0 ? -1 : now_milliseconds() + milliseconds;
    return 0;
}

/// Returns false if this libcurl does not know an option.
static bool set_watches(ccurl_connection *connection) {
    CURLM *multi = connection->multi;
#define SET(option, value) (library.curl_multi_setopt(multi, option, value) == CURLM_OK)
    return SET(CURLMOPT_SOCKETFUNCTION, watch) && SET(CURLMOPT_SOCKETDATA, connection)
           && SET(CURLMOPT_TIMERFUNCTION, set_timer) && SET(CURLMOPT_TIMERDATA, connection);
#undef SET
}

ccurl_connection *ccurl_open(const struct ccurl_request *request) {
    if (ccurl_load()) return NULL;
    ccurl_connection *connection = calloc(1, sizeof *connection);
    if (!connection) return NULL;
    connection->due = -1;
    connection->events = epoll_create1(EPOLL_CLOEXEC);
    connection->easy = library.curl_easy_init();
    connection->multi = library.curl_multi_init();
    if (connection->events < 0 || !connection->easy || !connection->multi || !set_watches(connection)) {
        ccurl_close(connection);
        return NULL;
    }
    set_options(connection, request);
    if (library.curl_multi_add_handle(connection->multi, connection->easy) != CURLM_OK) {
        ccurl_close(connection);
        return NULL;
    }
    return connection;
}

static enum ccurl_state outcome(ccurl_connection *connection) {
    int waiting;
    for (CURLMsg *message; (message = library.curl_multi_info_read(connection->multi, &waiting));) {
        if (message->msg != CURLMSG_DONE) continue;
        connection->code = message->data.result;
        return connection->code == CURLE_OK ? ccurl_connected : ccurl_failed;
    }
    return ccurl_connecting;
}

enum ccurl_state ccurl_connect(ccurl_connection *connection) {
    int running;
    struct epoll_event events[8];
    int count = epoll_wait(connection->events, events, 8, 0);
    for (int i = 0; i < count; i++) {
        int mask = 0;
        if (events[i].events & EPOLLIN) mask |= CURL_CSELECT_IN;
        if (events[i].events & EPOLLOUT) mask |= CURL_CSELECT_OUT;
        if (events[i].events & (EPOLLERR | EPOLLHUP)) mask |= CURL_CSELECT_ERR;
        if (library.curl_multi_socket_action(connection->multi, events[i].data.fd, mask, &running) != CURLM_OK)
            return ccurl_failed;
    }
    if (connection->due >= 0 && now_milliseconds() >= connection->due) {
        connection->due = -1;
        if (library.curl_multi_socket_action(connection->multi, CURL_SOCKET_TIMEOUT, 0, &running) != CURLM_OK)
            return ccurl_failed;
    }
    return outcome(connection);
}

int ccurl_connect_descriptor(const ccurl_connection *connection) { return connection->events; }

long ccurl_connect_timeout(const ccurl_connection *connection) {
    if (connection->due < 0) return -1;
    long long rest = connection->due - now_milliseconds();
    return rest > 0 ? (long)rest : 0;
}

/// Returns whether the failure was a network error and not a certificate error. During TLS setup, libcurl has one code
/// for both, and the difference is only in the error text of its TLS library.
static bool is_cut_off(const ccurl_connection *connection) {
    static const char *const signs[] = {
        "SSL_ERROR_SYSCALL", "unexpected eof", "Recv failure", "Send failure",  // OpenSSL
        "properly terminated", "error in the push", "error in the pull",        // GnuTLS
    };
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (strstr(connection->words, signs[i])) return true;
    }
    return false;
}

enum ccurl_failure ccurl_failure(const ccurl_connection *connection) {
    switch (connection->code) {
    case CURLE_OK: return ccurl_failure_none;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY: return ccurl_failure_name;
    case CURLE_COULDNT_CONNECT: return ccurl_failure_refused;
    case CURLE_PROXY:
    case CURLE_RECV_ERROR: return ccurl_failure_proxy;  // only a proxy's response is received this early
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_ISSUER_ERROR: return ccurl_failure_certificate;
    case CURLE_SSL_CACERT_BADFILE: return ccurl_failure_authorities;
    case CURLE_SSL_CONNECT_ERROR: return is_cut_off(connection) ? ccurl_failure_cut : ccurl_failure_tls;
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_ENGINE_INITFAILED: return ccurl_failure_tls;
    case CURLE_OPERATION_TIMEDOUT: return ccurl_failure_timeout;
    default: return ccurl_failure_other;
    }
}

const char *ccurl_failure_text(const ccurl_connection *connection) {
    return connection->words[0] ? connection->words : library.curl_easy_strerror(connection->code);
}

int ccurl_descriptor(const ccurl_connection *connection) {
    curl_socket_t socket = CURL_SOCKET_BAD;
    library.curl_easy_getinfo(connection->easy, CURLINFO_ACTIVESOCKET, &socket);
    return socket;
}

static ssize_t transferred(CURLcode code, size_t count) {
    if (code == CURLE_OK) return (ssize_t)count;
    errno = code == CURLE_AGAIN ? EAGAIN : ECONNRESET;
    return -1;
}

ssize_t ccurl_receive(ccurl_connection *connection, void *bytes, size_t count) {
    size_t received = 0;
    return transferred(library.curl_easy_recv(connection->easy, bytes, count, &received), received);
}

ssize_t ccurl_send(ccurl_connection *connection, const void *bytes, size_t count) {
    size_t sent = 0;
    return transferred(library.curl_easy_send(connection->easy, bytes, count, &sent), sent);
}

void ccurl_close(ccurl_connection *connection) {
    if (connection->multi && connection->easy) library.curl_multi_remove_handle(connection->multi, connection->easy);
    if (connection->easy) library.curl_easy_cleanup(connection->easy);
    if (connection->multi) library.curl_multi_cleanup(connection->multi);
    if (connection->events >= 0) close(connection->events);
    free(connection);
}

// MARK: One request

/// Reads an address in network byte order. Source: the IANA registries of special-purpose addresses for IPv4 and IPv6.
static bool is_public_v4(const uint8_t *a) {
    if (a[0] == 0 || a[0] == 10 || a[0] == 127 || a[0] >= 224) return false;
    if (a[0] == 100 && (a[1] & 0xc0) == 64) return false;
    if (a[0] == 169 && a[1] == 254) return false;
    if (a[0] == 172 && (a[1] & 0xf0) == 16) return false;
    if (a[0] == 192 && a[1] == 168) return false;
    if (a[0] == 192 && a[1] == 0 && (a[2] == 0 || a[2] == 2)) return false;
    if (a[0] == 198 && ((a[1] & 0xfe) == 18 || (a[1] == 51 && a[2] == 100))) return false;
    return !(a[0] == 203 && a[1] == 0 && a[2] == 113);
}

/// Only global unicast (2000::/3) is public; of it not the ranges that contain an IPv4 address or are for documentation.
static bool is_public_v6(const uint8_t *a) {
    static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    if (memcmp(a, mapped, sizeof mapped) == 0) return is_public_v4(a + 12);
    if ((a[0] & 0xe0) != 0x20) return false;
    if (a[0] == 0x20 && a[1] == 0x02) return false;
    return !(a[0] == 0x20 && a[1] == 0x01 && (a[2] < 2 || (a[2] == 0x0d && a[3] == 0xb8)));
}

bool ccurl_is_public(const struct sockaddr *address) {
    if (address->sa_family == AF_INET) {
        return is_public_v4((const uint8_t *)&((const struct sockaddr_in *)address)->sin_addr);
    }
    if (address->sa_family == AF_INET6) {
        return is_public_v6((const uint8_t *)&((const struct sockaddr_in6 *)address)->sin6_addr);
    }
    return false;
}

static curl_socket_t open_public(void *unused, curlsocktype purpose, struct curl_sockaddr *address) {
    (void)unused;
    (void)purpose;
    if (!ccurl_is_public(&address->addr)) return CURL_SOCKET_BAD;
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/// After this many bytes of the body the transfer ends, because a server can send any number.
enum { answer_limit_bytes = 64 << 10 };

/// The answer to a POST request.
struct post_answer {
    struct ccurl_post *post;
    size_t total; ///< bytes of the body
};

/// Keeps the beginning of the body.
static size_t keep_beginning(char *bytes, size_t size, size_t count, void *user) {
    struct post_answer *answer = user;
    size_t added = size * count;
    if (answer->post->answer && answer->total + 1 < answer->post->answer_bytes) {
        size_t room = answer->post->answer_bytes - 1 - answer->total;
        size_t kept = added < room ? added : room;
        memcpy(answer->post->answer + answer->total, bytes, kept);
        answer->post->answer[answer->total + kept] = 0;
    }
    answer->total += added;
    return answer->total > answer_limit_bytes ? 0 : added;
}

/// More than any server means.
enum { longest_retry_seconds = 86400 };

static size_t keep_retry_after(char *line, size_t size, size_t count, void *user) {
    static const char name[] = "retry-after:";
    struct post_answer *answer = user;
    size_t total = size * count;
    if (total < sizeof name || strncasecmp(line, name, sizeof name - 1) != 0) return total;
    long seconds = 0;
    for (size_t i = sizeof name - 1; i < total && seconds < longest_retry_seconds; i++) {
        if (line[i] >= '0' && line[i] <= '9') seconds = seconds * 10 + (line[i] - '0');
        else if (line[i] != ' ' && line[i] != '\r' && line[i] != '\n') return total;
    }
    answer->post->retry_after_seconds = seconds < longest_retry_seconds ? seconds : longest_retry_seconds;
    return total;
}

/// The options of every single request.
static void set_request_options(CURL *easy, const char *url, long timeout_milliseconds) {
#define SET(option, value) library.curl_easy_setopt(easy, option, value)
    SET(CURLOPT_URL, url);
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    SET(CURLOPT_SSL_VERIFYPEER, 1L);
    SET(CURLOPT_SSL_VERIFYHOST, 2L);
    SET(CURLOPT_TIMEOUT_MS, timeout_milliseconds);
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_SOCKOPTFUNCTION, close_on_exec);
}

static void set_post_options(CURL *easy, struct post_answer *answer) {
    const struct ccurl_post *post = answer->post;
    set_request_options(easy, post->url, post->timeout_milliseconds);
    if (post->uses_http2) {
        bool is_plain = strncmp(post->url, "http://", 7) == 0;
        SET(CURLOPT_HTTP_VERSION, (long)(is_plain ? CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE : CURL_HTTP_VERSION_2TLS));
    }
    SET(CURLOPT_PROTOCOLS, (long)(post->public_only ? CURLPROTO_HTTPS : CURLPROTO_HTTP | CURLPROTO_HTTPS));
    if (post->authorities) SET(CURLOPT_CAINFO, post->authorities);
    SET(CURLOPT_POST, 1L);
    SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)post->body_bytes);
    SET(CURLOPT_POSTFIELDS, post->body);
    SET(CURLOPT_WRITEFUNCTION, keep_beginning);
    SET(CURLOPT_WRITEDATA, answer);
    SET(CURLOPT_HEADERFUNCTION, keep_retry_after);
    SET(CURLOPT_HEADERDATA, answer);
    if (post->public_only) {
        // A proxy would connect to the server itself, so its address could not be checked here.
        SET(CURLOPT_PROXY, "");
        SET(CURLOPT_OPENSOCKETFUNCTION, open_public);
    }
#undef SET
}

/// Handles with an open connection. A server can regard a new connection for each request as an attack. There are at
/// most as many as requests at once.
enum { kept_limit = 4 };
static CURL *kept[kept_limit];
static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;

/// libcurl 7.88 cannot use a plain connection of HTTP/2 again.
static bool is_kept(const struct ccurl_post *post) {
    return post->uses_http2 && strncmp(post->url, "https://", 8) == 0;
}

static CURL *take_handle(bool is_kept) {
    CURL *easy = NULL;
    pthread_mutex_lock(&kept_lock);
    for (int i = 0; is_kept && i < kept_limit && !easy; i++) {
        easy = kept[i];
        kept[i] = NULL;
    }
    pthread_mutex_unlock(&kept_lock);
    return easy ? easy : library.curl_easy_init();
}

/// Keeps the handle of a request with an answer, or frees it.
static void return_handle(CURL *easy, bool is_kept) {
    // Removes all options, but keeps the connections.
    library.curl_easy_reset(easy);
    pthread_mutex_lock(&kept_lock);
    for (int i = 0; is_kept && i < kept_limit && easy; i++) {
        if (kept[i]) continue;
        kept[i] = easy;
        easy = NULL;
    }
    pthread_mutex_unlock(&kept_lock);
    if (easy) library.curl_easy_cleanup(easy);
}

int ccurl_perform_post(struct ccurl_post *post, char *failure, size_t failure_bytes) {
    post->retry_after_seconds = 0;
    if (post->answer && post->answer_bytes) post->answer[0] = 0;
    const char *missing = ccurl_load();
    CURL *easy = missing ? NULL : take_handle(is_kept(post));
    if (!easy) {
        snprintf(failure, failure_bytes, "%s", missing ? missing : "out of memory");
        return 0;
    }
    char words[CURL_ERROR_SIZE] = "";
    struct post_answer answer = {.post = post};
    set_post_options(easy, &answer);
    library.curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, words);
    // curl would ask before it sends a body of more than 1 MiB.
    struct curl_slist *fields = library.curl_slist_append(NULL, "Expect:");
    for (size_t i = 0; fields && i < post->field_count; i++) {
        struct curl_slist *more = library.curl_slist_append(fields, post->fields[i]);
        if (!more) break;
        fields = more;
    }
    library.curl_easy_setopt(easy, CURLOPT_HTTPHEADER, fields);
    CURLcode code = library.curl_easy_perform(easy);
    long status = 0;
    library.curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    if (code != CURLE_OK) snprintf(failure, failure_bytes, "%s", words[0] ? words : library.curl_easy_strerror(code));
    return_handle(easy, is_kept(post) && code == CURLE_OK);
    library.curl_slist_free_all(fields);
    return (int)status;
}

/// Returns fewer bytes than it gets, which ends the transfer, if the body exceeds its limit.
static size_t keep_body(char *bytes, size_t size, size_t count, void *user) {
    struct ccurl_get *get = user;
    size_t added = size * count;
    if (added > get->body_limit_bytes - get->body_bytes) return 0;
    memcpy((char *)get->body + get->body_bytes, bytes, added);
    get->body_bytes += added;
    return added;
}

static size_t keep_cache_control(char *line, size_t size, size_t count, void *user) {
    static const char name[] = "cache-control:";
    struct ccurl_get *get = user;
    size_t total = size * count;
    size_t name_bytes = sizeof name - 1;
    if (total <= name_bytes || strncasecmp(line, name, name_bytes) != 0 || get->cache_control[0]) return total;
    size_t kept = total - name_bytes;
    if (kept > get->cache_control_bytes - 1) kept = get->cache_control_bytes - 1;
    memcpy(get->cache_control, line + name_bytes, kept);
    get->cache_control[kept] = 0;
    return total;
}

static void set_get_options(CURL *easy, struct ccurl_get *get) {
    set_request_options(easy, get->url, get->timeout_milliseconds);
#define SET(option, value) library.curl_easy_setopt(easy, option, value)
    SET(CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
    SET(CURLOPT_WRITEFUNCTION, keep_body);
    SET(CURLOPT_WRITEDATA, get);
    SET(CURLOPT_HEADERFUNCTION, keep_cache_control);
    SET(CURLOPT_HEADERDATA, get);
#undef SET
}

int ccurl_perform_get(struct ccurl_get *get, char *failure, size_t failure_bytes) {
    get->body_bytes = 0;
    if (get->cache_control_bytes) get->cache_control[0] = 0;
    const char *missing = ccurl_load();
    CURL *easy = missing ? NULL : library.curl_easy_init();
    struct curl_slist *fields = easy ? library.curl_slist_append(NULL, get->field) : NULL;
    if (!fields) {
        snprintf(failure, failure_bytes, "%s", missing ? missing : "out of memory");
        if (easy) library.curl_easy_cleanup(easy);
        return 0;
    }
    char words[CURL_ERROR_SIZE] = "";
    set_get_options(easy, get);
    library.curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, words);
    library.curl_easy_setopt(easy, CURLOPT_HTTPHEADER, fields);
    CURLcode code = library.curl_easy_perform(easy);
    long status = 0;
    library.curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    if (code == CURLE_WRITE_ERROR) {
        snprintf(failure, failure_bytes, "the answer is larger than %zu bytes", get->body_limit_bytes);
    } else if (code != CURLE_OK) {
        snprintf(failure, failure_bytes, "%s", words[0] ? words : library.curl_easy_strerror(code));
    }
    library.curl_slist_free_all(fields);
    library.curl_easy_cleanup(easy);
    return code == CURLE_OK ? (int)status : 0;
}
