// c-relay: what acpbridge's speed is held against. It frames each line that a command prints and writes it to every
// client, as fast as C can: one epoll loop, one encoded copy for all, nothing stored, nothing looked into.
#ifndef RELAY_H
#define RELAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Bytes that several clients are still to be sent.
struct chunk {
    int owners;
    size_t size, capacity;
    struct chunk *next_free;
    uint8_t bytes[];
};

struct chunk *chunk_new(size_t capacity);
void chunk_release(struct chunk *chunk);

// Appends one text frame, as a server sends it. The chunk has room for payload and 10 bytes.
void chunk_append_frame(struct chunk *chunk, const uint8_t *payload, size_t size);

// What one client has not taken yet: a ring of chunks, the first of them sent up to `sent`.
struct outbox {
    struct chunk **chunks;
    size_t first, count, capacity, sent, queued_bytes;
};

void outbox_add(struct outbox *box, struct chunk *chunk, size_t sent);
// False when the client has gone.
bool outbox_write(struct outbox *box, int fd);
void outbox_free(struct outbox *box);

// Answers an opening handshake. False until all of it is there.
bool handshake_answer(const char *request, char *answer, size_t room);

// Takes one masked text frame with a payload of less than 64 KiB off the front of `bytes`, unmasked in place.
// Returns how many bytes it took, 0 when more must come first, -1 when the client is to be let go.
ssize_t frame_take(uint8_t *bytes, size_t size, uint8_t **payload, size_t *payload_size);

#endif
