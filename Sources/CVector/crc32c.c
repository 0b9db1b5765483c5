#include "cvector.h"

#include <string.h>

// CRC-32C (Castagnoli, reflected), as defined in RFC 3720, section 12.1. Both functions take the remainder so far.

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>
#include <stdatomic.h>

static inline uint64_t word_at(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    return word;
}

#define INSTRUCTIONS __attribute__((target("sse4.2,pclmul")))

INSTRUCTIONS static uint32_t by_one_stream(uint32_t crc, const uint8_t *bytes, size_t count) {
    uint64_t remainder = crc;
    for (; count >= 8; bytes += 8, count -= 8) remainder = _mm_crc32_u64(remainder, word_at(bytes));
    crc = (uint32_t)remainder;
    for (; count > 0; bytes++, count--) crc = _mm_crc32_u8(crc, *bytes);
    return crc;
}

/// The remainder after further zeros. `factor` is x^(8 n - 33) modulo the polynomial, where n is their number: the product
/// is shifted by one bit, because both factors are reflected, and the instruction multiplies by x^32.
INSTRUCTIONS static uint32_t after_zeros(uint64_t remainder, uint32_t factor) {
    __m128i product = _mm_clmulepi64_si128(_mm_cvtsi64_si128(remainder), _mm_cvtsi32_si128(factor), 0);
    return (uint32_t)_mm_crc32_u64(0, _mm_cvtsi128_si64(product));
}

enum { part_bytes = 2048 };
static const uint32_t after_one_part = 0xa51b6135, after_two_parts = 0x82f89c77;

/// The instruction has a result after three cycles, but one can begin in each. So three parts are summed at once:
/// https://www.intel.com/content/dam/www/public/us/en/documents/white-papers/crc-iscsi-polynomial-crc32-instruction-paper.pdf
INSTRUCTIONS static uint32_t by_instruction(uint32_t crc, const uint8_t *bytes, size_t count) {
    for (; count >= 3 * part_bytes; bytes += 3 * part_bytes, count -= 3 * part_bytes) {
        uint64_t first = crc, second = 0, third = 0;
        for (size_t offset = 0; offset < part_bytes; offset += 8) {
            first = _mm_crc32_u64(first, word_at(bytes + offset));
            second = _mm_crc32_u64(second, word_at(bytes + part_bytes + offset));
            third = _mm_crc32_u64(third, word_at(bytes + 2 * part_bytes + offset));
        }
        crc = after_zeros(first, after_two_parts) ^ after_zeros(second, after_one_part) ^ (uint32_t)third;
    }
    return by_one_stream(crc, bytes, count);
}

/// Asks the processor at the first call. `__builtin_cpu_supports` would ask for all of its facts at each start of the program,
/// which takes 50 µs in a virtual machine.
static int has_instruction(void) {
    enum { unknown, absent, present };
    static atomic_int state = unknown;
    int known = atomic_load_explicit(&state, memory_order_relaxed);
    if (known == unknown) {
        unsigned eax, ebx, ecx = 0, edx;
        unsigned needed = bit_SSE4_2 | bit_PCLMUL;
        known = __get_cpuid(1, &eax, &ebx, &ecx, &edx) && (ecx & needed) == needed ? present : absent;
        atomic_store_explicit(&state, known, memory_order_relaxed);
    }
    return known == present;
}

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
