#include "cvector.h"

#include <string.h>

// CRC-32C (Castagnoli, reflected), as defined in RFC 3720, section 12.1. Both functions take the remainder so far.

#if defined(__x86_64__)

__attribute__((target("sse4.2")))
static uint32_t by_instruction(uint32_t crc, const uint8_t *bytes, size_t count) {
    uint64_t remainder = crc;
    for (; count >= 8; bytes += 8, count -= 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        remainder = __builtin_ia32_crc32di(remainder, word);
    }
    crc = (uint32_t)remainder;
    for (; count > 0; bytes++, count--) crc = __builtin_ia32_crc32qi(crc, *bytes);
    return crc;
}

static int has_instruction(void) { return __builtin_cpu_supports("sse4.2"); }

#elif defined(__aarch64__) && defined(__linux__)

#include <sys/auxv.h>

__attribute__((target("crc")))
static uint32_t by_instruction(uint32_t crc, const uint8_t *bytes, size_t count) {
    for (; count >= 8; bytes += 8, count -= 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        crc = __builtin_arm_crc32cd(crc, word);
    }
    for (; count > 0; bytes++, count--) crc = __builtin_arm_crc32cb(crc, *bytes);
    return crc;
}

/// Tests `HWCAP_CRC32`.
static int has_instruction(void) { return (getauxval(AT_HWCAP) & (1 << 7)) != 0; }

#else

static uint32_t by_instruction(uint32_t crc, const uint8_t *bytes, size_t count) { return crc; }
static int has_instruction(void) { return 0; }

#endif

/// The remainders of four bits. The table is small, and a tenth as fast as the instruction.
static const uint32_t remainders[16] = {
    0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1, 0x417b1dbc, 0x5125dad3, 0x61c69362, 0x7198540d,
    0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9, 0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75,
};

static uint32_t by_table(uint32_t crc, const uint8_t *bytes, size_t count) {
    for (; count > 0; bytes++, count--) {
        crc ^= *bytes;
        crc = (crc >> 4) ^ remainders[crc & 15];
        crc = (crc >> 4) ^ remainders[crc & 15];
    }
    return crc;
}

uint32_t cvector_crc32c_by_table(const void *bytes, size_t count) { return ~by_table(~0u, bytes, count); }

uint32_t cvector_crc32c(const void *bytes, size_t count) {
    return has_instruction() ? ~by_instruction(~0u, bytes, count) : cvector_crc32c_by_table(bytes, count);
}
