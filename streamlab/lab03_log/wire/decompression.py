"""Decompression of record batches that kafka-python cannot read without further packages: snappy, lz4 and zstd.

Spark's jars contain these codecs. A small Java process with them starts at the first such batch and ends with this
Python.
"""

import os
import struct
from functools import cache
from typing import Any

from kafka.errors import UnsupportedCompressionTypeError
from kafka.record.default_records import DefaultRecordBatch

from streamlab.java.finder import find_java, pyspark_jars

_ATTRIBUTES, _ATTRIBUTES_AT, _RECORDS_AT = struct.Struct(">h"), 21, 61
_JARS = ("py4j-", "snappy-java-", "lz4-java-", "zstd-jni-")
_MOST_MEMORY = "-Xmx512m"
_STREAMS = {
    DefaultRecordBatch.CODEC_SNAPPY: lambda java: (
        java.org.xerial.snappy.SnappyInputStream
    ),  # with or without xerial's frames
    DefaultRecordBatch.CODEC_LZ4: lambda java: java.net.jpountz.lz4.LZ4FrameInputStream,
    DefaultRecordBatch.CODEC_ZSTD: lambda java: java.com.github.luben.zstd.ZstdInputStream,
}


def decompressed(batch: bytes) -> bytes:
    """Return the batch with its records decompressed if their codec is snappy, lz4 or zstd; the CRC is not updated.

    Raises UnsupportedCompressionTypeError if Java does not run here, ValueError if the records are damaged.
    """
    (attributes,) = _ATTRIBUTES.unpack_from(batch, _ATTRIBUTES_AT)
    stream_of = _STREAMS.get(attributes & DefaultRecordBatch.CODEC_MASK)
    if stream_of is None:
        return batch
    plain = _ATTRIBUTES.pack(attributes & ~DefaultRecordBatch.CODEC_MASK)
    head = batch[:_ATTRIBUTES_AT] + plain + batch[_ATTRIBUTES_AT + _ATTRIBUTES.size : _RECORDS_AT]
    return head + _read(stream_of, batch[_RECORDS_AT:])


def _read(stream_of: Any, compressed: bytes) -> bytes:
    from py4j.protocol import Py4JJavaError

    try:
        java = _gateway().jvm
        return bytes(stream_of(java)(java.java.io.ByteArrayInputStream(compressed)).readAllBytes())
    except Py4JJavaError as problem:
        raise ValueError(f"the compressed records are damaged: {problem.java_exception.toString()}") from None
    except Exception as problem:  # Java is missing, did not start, or was killed
        _gateway.cache_clear()
        raise UnsupportedCompressionTypeError(f"Java is needed to decompress the records: {problem}") from problem


@cache
def _gateway() -> Any:
    from py4j.java_gateway import JavaGateway

    jars = [str(jar) for jar in pyspark_jars() if jar.name.startswith(_JARS)]
    return JavaGateway.launch_gateway(
        jarpath=next(jar for jar in jars if "py4j-" in jar),
        classpath=os.pathsep.join(jars),
        javaopts=[_MOST_MEMORY, "-XX:+UseSerialGC"],
        java_path=find_java().program,
        create_new_process_group=True,  # an interrupt of the notebook is for Python, not for Java
        die_on_exit=True,
        enable_auth=True,
    )
