# wrong: the left bytes with the most significant first; breaks "as a number r whose least significant byte comes first"
# caught by: a_key_gets_the_partition_that_kafka_chooses
def partition_for(key: bytes, partitions: int) -> int:
    def i32(x):
        return (x + 2**31) % 2**32 - 2**31
    def shr(x, n):
        return (x % 2**32) >> n
    m, n = 0x5BD1E995, len(key)
    h = i32(0x9747B28C ^ n)
    for (k,) in struct.iter_unpack("<i", key[: n // 4 * 4]):
        k = i32(k * m)
        k = i32((k ^ shr(k, 24)) * m)
        h = i32(i32(h * m) ^ k)
    tail = key[n // 4 * 4 :]
    if tail:
        h = i32(i32(h ^ int.from_bytes(tail, "big")) * m)
    h = i32((h ^ shr(h, 13)) * m)
    h ^= shr(h, 15)
    return (i32(h) & 0x7FFFFFFF) % partitions
