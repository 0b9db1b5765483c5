#include "relay.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

// Chunks of the usual size are reused. Otherwise each one would cost a page fault for every 4 KiB.
static const size_t usual_capacity = 512 << 10;
static struct chunk *free_chunks;

struct chunk *chunk_new(size_t capacity) {
    struct chunk *chunk = free_chunks;
    if (chunk && capacity <= usual_capacity) {
        free_chunks = chunk->next_free;
    } else {
        if (capacity < usual_capacity) capacity = usual_capacity;
        if (!(chunk = malloc(sizeof *chunk + capacity))) abort();
        chunk->capacity = capacity;
    }
    chunk->owners = 1;
    chunk->size = 0;
    return chunk;
}

void chunk_release(struct chunk *chunk) {
    if (--chunk->owners) return;
    if (chunk->capacity > usual_capacity) { free(chunk); return; }
    chunk->next_free = free_chunks;
    free_chunks = chunk;
}

void chunk_append_frame(struct chunk *chunk, const uint8_t *payload, size_t size) {
    uint8_t *out = chunk->bytes + chunk->size;
    size_t header = 2;
    out[0] = 0x81;
    if (size < 126) {
        out[1] = (uint8_t)size;
    } else if (size <= 0xffff) {
        out[1] = 126;
        out[2] = (uint8_t)(size >> 8);
        out[3] = (uint8_t)size;
        header = 4;
    } else {
        out[1] = 127;
        for (int i = 0; i < 8; i++) out[2 + i] = (uint8_t)(size >> (56 - 8 * i));
        header = 10;
    }
    memcpy(out + header, payload, size);
    chunk->size += header + size;
}

void outbox_add(struct outbox *box, struct chunk *chunk, size_t sent) {
    if (box->count == box->capacity) {
        size_t capacity = box->capacity ? 2 * box->capacity : 16;
        struct chunk **chunks = malloc(capacity * sizeof *chunks);
        if (!chunks) abort();
        for (size_t i = 0; i < box->count; i++) chunks[i] = box->chunks[(box->first + i) % box->capacity];
        free(box->chunks);
        box->chunks = chunks;
        box->capacity = capacity;
        box->first = 0;
    }
    if (!box->count) box->sent = sent;
    box->chunks[(box->first + box->count++) % box->capacity] = chunk;
    box->queued_bytes += chunk->size - sent;
    chunk->owners++;
}

static void outbox_advance(struct outbox *box, size_t written) {
    box->queued_bytes -= written;
    while (written) {
        struct chunk *chunk = box->chunks[box->first];
        size_t left = chunk->size - box->sent;
        if (written < left) { box->sent += written; return; }
        written -= left;
        box->sent = 0;
        box->first = (box->first + 1) % box->capacity;
        box->count--;
        chunk_release(chunk);
    }
}

bool outbox_write(struct outbox *box, int fd) {
    enum { most = 64 };
    while (box->count) {
        struct iovec parts[most];
        size_t count = box->count < most ? box->count : most;
        for (size_t i = 0; i < count; i++) {
            struct chunk *chunk = box->chunks[(box->first + i) % box->capacity];
            size_t sent = i ? 0 : box->sent;
            parts[i] = (struct iovec){chunk->bytes + sent, chunk->size - sent};
        }
        struct msghdr message = {.msg_iov = parts, .msg_iovlen = count};
        ssize_t written = sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (written < 0) return errno == EAGAIN || errno == EINTR;
        outbox_advance(box, (size_t)written);
    }
    return true;
}

void outbox_free(struct outbox *box) {
    while (box->count) {
        chunk_release(box->chunks[box->first]);
        box->first = (box->first + 1) % box->capacity;
        box->count--;
    }
    free(box->chunks);
    *box = (struct outbox){0};
}
