"""Hashes whole words only, where the length is no multiple of four."""

KILLED_BY = ["a_key_goes_where_kafka_puts_it", "the_sign_of_a_hash_is_masked"]


murmur2_of_words = murmur2


def murmur2(data):
    whole = len(data) // 4 * 4
    return murmur2_of_words(data) if whole == len(data) else murmur2_of_words(data[:whole] + bytes([len(data)] * 4))
