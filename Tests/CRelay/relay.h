// c-relay: the program that acpbridge's speed is compared with. It frames each line that a command prints and writes it
// to every client, as fast as C can: one epoll loop, one encoded copy for all clients, nothing stored, nothing
// inspected.
#ifndef RELAY_H
#define RELAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Bytes that several clients still have to receive.
struct chunk {
    int owners;
    size_t size, capacity;
    struct chunk *next_free;
    uint8_t bytes[];
};

struct chunk *chunk_new(size_t capacity);
void chunk_release(struct chunk *chunk);

// Appends one text frame of a server. The chunk has room for the payload and 10 bytes.
void chunk_append_frame(struct chunk *chunk, const uint8_t *payload, size_t size);

// The bytes that one client has not accepted yet: a ring of chunks. The first chunk is sent up to `sent`.
struct outbox {
    struct chunk **chunks;
    size_t first, count, capacity, sent, queued_bytes;
};

void outbox_add(struct outbox *box, struct chunk *chunk, size_t sent);
// Returns false when the client has closed.
bool outbox_write(struct outbox *box, int fd);
void outbox_free(struct outbox *box);

// Answers an opening handshake. Returns false until the request is complete.
bool handshake_answer(const char *request, char *answer, size_t room);

// Consumes one masked text frame with a payload of less than 64 KiB at the start of `bytes`, and unmasks it in place.
// Returns the number of consumed bytes, 0 when more bytes are needed, or -1 when the client must be disconnected.
ssize_t frame_take(uint8_t *bytes, size_t size, uint8_t **payload, size_t *payload_size);

#endif
