"""Begins the hash with another seed."""

KILLED_BY = ["a_key_goes_where_kafka_puts_it", "the_sign_of_a_hash_is_masked"]


def murmur2(data):
    factor, bits, whole = 0x5BD1E995, 0xFFFFFFFF, len(data) // 4 * 4
    h = len(data)
    for (k,) in struct.iter_unpack("<I", data[:whole]):
        k = k * factor & bits
        k = (k ^ k >> 24) * factor & bits
        h = h * factor & bits ^ k
    if rest := data[whole:]:
        h = (h ^ int.from_bytes(rest, "little")) * factor & bits
    h = (h ^ h >> 13) * factor & bits
    return h ^ h >> 15
