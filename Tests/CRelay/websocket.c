#include "relay.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static uint32_t rotate(uint32_t value, int bits) { return value << bits | value >> (32 - bits); }

static void sha1_block(uint32_t state[5], const uint8_t *block) {
    uint32_t w[80], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8
            | block[4 * i + 3];
    for (int i = 16; i < 80; i++) w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    for (int i = 0; i < 80; i++) {
        uint32_t f = i < 20 ? (b & c) | (~b & d) : i < 40 || i >= 60 ? b ^ c ^ d : (b & c) | (b & d) | (c & d);
        uint32_t k = i < 20 ? 0x5a827999 : i < 40 ? 0x6ed9eba1 : i < 60 ? 0x8f1bbcdc : 0xca62c1d6;
        uint32_t next = rotate(a, 5) + f + e + k + w[i];
        e = d, d = c, c = rotate(b, 30), b = a, a = next;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d, state[4] += e;
}

// The message has at most 119 bytes, which is two blocks.
static void sha1(const char *text, uint8_t digest[20]) {
    uint32_t state[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    uint8_t blocks[128] = {0};
    size_t size = strlen(text), end = size < 56 ? 64 : 128;
    memcpy(blocks, text, size);
    blocks[size] = 0x80;
    blocks[end - 2] = (uint8_t)(size * 8 >> 8);
    blocks[end - 1] = (uint8_t)(size * 8);
    for (size_t offset = 0; offset < end; offset += 64) sha1_block(state, blocks + offset);
    for (int i = 0; i < 20; i++) digest[i] = (uint8_t)(state[i / 4] >> (24 - i % 4 * 8));
}

static void base64_of_digest(const uint8_t digest[20], char text[29]) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint8_t padded[21] = {0};
    memcpy(padded, digest, 20);
    for (int i = 0; i < 28; i++) {
        int group = i / 4 * 3;
        uint32_t bits = (uint32_t)padded[group] << 16 | (uint32_t)padded[group + 1] << 8 | padded[group + 2];
        text[i] = letters[bits >> (18 - i % 4 * 6) & 63];
    }
    text[27] = '=';
    text[28] = 0;
}

bool handshake_answer(const char *request, char *answer, size_t room) {
    static const char field[] = "\r\nSec-WebSocket-Key:";
    if (!strstr(request, "\r\n\r\n")) return false;
    const char *value = strcasestr(request, field);
    if (!value) return false;
    value += sizeof field - 1;
    value += strspn(value, " \t");
    char text[64], accept[29];
    uint8_t digest[20];
    snprintf(text, sizeof text, "%.24s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", value);
    sha1(text, digest);
    base64_of_digest(digest, accept);
    snprintf(answer, room,
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Accept: %s\r\n\r\n", accept);
    return true;
}

ssize_t frame_take(uint8_t *bytes, size_t size, uint8_t **payload, size_t *payload_size) {
    if (size < 6) return 0;
    size_t length = bytes[1] & 0x7f, header = 6;
    if (bytes[0] != 0x81 || !(bytes[1] & 0x80) || length == 127) return -1;
    if (length == 126) {
        if (size < 8) return 0;
        length = (size_t)bytes[2] << 8 | bytes[3];
        header = 8;
    }
    if (size < header + length) return 0;
    for (size_t i = 0; i < length; i++) bytes[header + i] ^= bytes[header - 4 + i % 4];
    *payload = bytes + header;
    *payload_size = length;
    return (ssize_t)(header + length);
}
