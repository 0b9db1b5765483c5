#ifndef CVECTOR_H
#define CVECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/// Sixteen bytes by value; Swift imports it as `SIMD16<UInt8>`. The caller loads the bytes and checks the bounds.
typedef uint8_t cvector_bytes16 __attribute__((ext_vector_type(16)));

#if !defined(__SSE2__)
/// The same sixteen bytes as two words, for machines without the instructions below. The masks count bytes from the
/// lowest, in the order in which a little-endian machine loads them.
typedef uint64_t cvector_words2 __attribute__((ext_vector_type(2)));

/// A word with `byte` in each of its eight bytes.
static inline uint64_t cvector_repeat(uint8_t byte) {
    return 0x0101010101010101u * byte;
}

/// 0x80 for each byte of `word` that is zero, and 0 for all others.
static inline uint64_t cvector_zero_bytes(uint64_t word) {
    const uint64_t low_bits = 0x7f7f7f7f7f7f7f7fu;
    return ~(((word & low_bits) + low_bits) | word | low_bits);
}

/// One bit for each byte that is 0x80. All other bytes must be 0.
static inline uint32_t cvector_mask(uint64_t low, uint64_t high) {
    const uint64_t gather = 0x0002040810204081u;
    return (uint32_t)((low * gather) >> 56 | ((high * gather) >> 56) << 8);
}

static inline uint64_t cvector_string_stops_in(uint64_t word) {
    return cvector_zero_bytes(word ^ cvector_repeat('"')) | cvector_zero_bytes(word ^ cvector_repeat('\\'))
        | cvector_zero_bytes(word & cvector_repeat(0xe0)) | (word & cvector_repeat(0x80));
}
#endif

/// Bit i is set when byte i cannot be copied unchanged inside a JSON string, or needs a closer look: a quote, a
/// backslash, a control byte, or a byte of a multi-byte UTF-8 sequence.
static inline uint32_t cvector_string_stops(cvector_bytes16 bytes) {
#if defined(__SSE2__)
    __m128i v = (__m128i)bytes;
    __m128i quote = _mm_cmpeq_epi8(v, _mm_set1_epi8('"'));
    __m128i backslash = _mm_cmpeq_epi8(v, _mm_set1_epi8('\\'));
    // The comparison is signed, so bytes of 0x80 and above count as below 0x20 too.
    __m128i control_or_high = _mm_cmplt_epi8(v, _mm_set1_epi8(0x20));
    return (uint32_t)_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quote, backslash), control_or_high));
#else
    cvector_words2 words = (cvector_words2)bytes;
    return cvector_mask(cvector_string_stops_in(words[0]), cvector_string_stops_in(words[1]));
#endif
}

/// Bit i is set when byte i equals `wanted`.
static inline uint32_t cvector_equals(cvector_bytes16 bytes, uint8_t wanted) {
#if defined(__SSE2__)
    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8((__m128i)bytes, _mm_set1_epi8((char)wanted)));
#else
    cvector_words2 words = (cvector_words2)bytes;
    uint64_t repeated = cvector_repeat(wanted);
    return cvector_mask(cvector_zero_bytes(words[0] ^ repeated), cvector_zero_bytes(words[1] ^ repeated));
#endif
}

/// Whether the bytes at both places are the same.
static inline bool cvector_is_equal(const void *a, const void *b, size_t count) { return __builtin_memcmp(a, b, count) == 0; }

/// Whether this many bytes can be allocated now, within the limits of the process (setrlimit(2)) and the system.
int cvector_can_allocate(size_t count);

/// The CRC-32C of bytes. About 8 GB/s if the processor has an instruction for it. Source: RFC 3720, section 12.1.
uint32_t cvector_crc32c(const void *bytes, size_t count);

/// The CRC-32C without the instruction, for tests.
uint32_t cvector_crc32c_by_table(const void *bytes, size_t count);

#endif
