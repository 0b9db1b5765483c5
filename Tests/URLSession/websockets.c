// Gives Foundation on Linux the WebSockets that it was built without, for Tests/urlsession.sh. The library is preloaded,
// so that Foundation calls these functions instead of its own and libcurl's. It needs libcurl 8.11 or newer.
#include <curl/curl.h>
#include <curl/websockets.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct easy_code {
    int value;
};

bool CFURLSessionWebSocketsSupported(void) { return true; }

struct easy_code CFURLSessionEasyHandleWebSocketsSend(
    CURL *handle, const char *bytes, size_t count, size_t *sent, long long frame_size, unsigned flags) {
    return (struct easy_code){(int)curl_ws_send(handle, bytes, count, sent, frame_size, flags)};
}

const struct curl_ws_frame *CFURLSessionEasyHandleWebSocketsMetadata(CURL *handle) { return curl_ws_meta(handle); }

const int CFURLSessionWebSocketsText = CURLWS_TEXT;
const int CFURLSessionWebSocketsBinary = CURLWS_BINARY;
const int CFURLSessionWebSocketsCont = CURLWS_CONT;
const int CFURLSessionWebSocketsClose = CURLWS_CLOSE;
const int CFURLSessionWebSocketsPing = CURLWS_PING;
const int CFURLSessionWebSocketsPong = CURLWS_PONG;

// Keeps OpenSSL until the process has ended. Threads of Foundation close their connections while the main thread is in
// exit(3); OpenSSL's handler would take its locks away from them. The flag (OPENSSL_INIT_NO_ATEXIT) counts in the first call.
__attribute__((constructor)) static void keep_openssl(void) {
    int (*initialize)(uint64_t, const void *) = (__typeof__(initialize))dlsym(RTLD_DEFAULT, "OPENSSL_init_crypto");
    if (initialize) initialize(0x00080000, NULL);
}

// Foundation sets this field for each request. It would replace the one of the handshake.
struct curl_slist *curl_slist_append(struct curl_slist *list, const char *field) {
    static struct curl_slist *(*append)(struct curl_slist *, const char *);
    if (!append) append = (__typeof__(append))dlsym(RTLD_NEXT, "curl_slist_append");
    return append(list, strcasecmp(field, "Connection: keep-alive") == 0 ? "Connection: Upgrade" : field);
}

// libcurl passes a frame on in parts. Foundation takes each part for a message, so the parts are collected here.
struct receiver {
    CURL *handle;
    curl_write_callback write;
    void *user;
    char *frame;
    size_t count;
    struct receiver *next;
};

// Returns the receiver of a handle. The tests use few handles, so receivers are never released.
static struct receiver *receiver_of(CURL *handle) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static struct receiver *all;
    pthread_mutex_lock(&mutex);
    struct receiver *found = all;
    while (found && found->handle != handle) found = found->next;
    if (!found && (found = calloc(1, sizeof *found))) {
        *found = (struct receiver){.handle = handle, .next = all};
        all = found;
    }
    pthread_mutex_unlock(&mutex);
    return found;
}

static size_t receive(char *bytes, size_t size, size_t count, void *context) {
    struct receiver *receiver = context;
    const struct curl_ws_frame *frame = curl_ws_meta(receiver->handle);
    bool is_message = frame && frame->flags & (CURLWS_TEXT | CURLWS_BINARY);
    bool is_part = is_message && (frame->bytesleft > 0 || frame->flags & CURLWS_CONT);
    if (!is_part && !receiver->count) return receiver->write(bytes, size, count, receiver->user);
    if (!is_message) return receiver->write(bytes, size, count, receiver->user);
    char *grown = realloc(receiver->frame, receiver->count + size * count);
    if (!grown) return 0;
    receiver->frame = grown;
    memcpy(grown + receiver->count, bytes, size * count);
    receiver->count += size * count;
    if (is_part) return size * count;
    size_t length = receiver->count;
    receiver->count = 0;
    return receiver->write(receiver->frame, 1, length, receiver->user) == length ? size * count : 0;
}

#undef curl_easy_setopt
CURLcode curl_easy_setopt(CURL *handle, CURLoption option, ...) {
    static CURLcode (*set)(CURL *, CURLoption, ...);
    if (!set) set = (__typeof__(set))dlsym(RTLD_NEXT, "curl_easy_setopt");
    va_list list;
    va_start(list, option);
    // All values are integers or pointers of 64 bits.
    void *value = va_arg(list, void *);
    va_end(list);
    struct receiver *receiver = receiver_of(handle);
    if (option == CURLOPT_WRITEDATA && receiver) {
        receiver->user = value;
        receiver->count = 0;
        return set(handle, option, receiver);
    }
    if (option == CURLOPT_WRITEFUNCTION && receiver) {
        receiver->write = (curl_write_callback)value;
        return set(handle, option, value ? receive : NULL);
    }
    return set(handle, option, value);
}
