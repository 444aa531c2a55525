"""GGUF version 3: a writer, and a reader of metadata. Needs numpy only.

Metadata values are Python values: str, bool, int (written as u32), float (f32), and lists of str or int (i32).
"""
import struct

import numpy as np

U32, I32, F32, BOOL, STRING, ARRAY = 4, 5, 6, 7, 8, 9
SCALARS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", U32: "<I", I32: "<i", F32: "<f", BOOL: "<?",
           10: "<Q", 11: "<q", 12: "<d"}
TENSOR_TYPES = {"f32": (0, "<f4"), "f16": (1, "<f2")}
ALIGNMENT = 32


def packed_string(text):
    data = text.encode("utf-8", "surrogateescape")
    return struct.pack("<Q", len(data)) + data


def packed_value(value):
    """Type number and bytes of one metadata value."""
    if isinstance(value, str):
        return STRING, packed_string(value)
    if isinstance(value, bool):
        return BOOL, struct.pack("<?", value)
    if isinstance(value, int):
        return U32, struct.pack("<I", value)
    if isinstance(value, float):
        return F32, struct.pack("<f", value)
    kind = STRING if isinstance(value[0], str) else I32
    body = b"".join(map(packed_string, value)) if kind == STRING else np.array(value, "<i4").tobytes()
    return ARRAY, struct.pack("<IQ", kind, len(value)) + body


def padding(size):
    return b"\0" * (-size % ALIGNMENT)


def write(path, metadata, tensors):
    """metadata: dict; tensors: list of (name, array, 'f32' | 'f16')."""
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(metadata))
    for key, value in metadata.items():
        kind, body = packed_value(value)
        head += packed_string(key) + struct.pack("<I", kind) + body
    blobs, offset = [], 0
    for name, array, kind in tensors:
        number, dtype = TENSOR_TYPES[kind]
        head += packed_string(name) + struct.pack("<I", array.ndim)
        head += b"".join(struct.pack("<Q", size) for size in reversed(array.shape))
        head += struct.pack("<IQ", number, offset)
        blob = array.astype(dtype).tobytes()
        blobs.append(blob + padding(len(blob)))
        offset += len(blobs[-1])
    with open(path, "wb") as file:
        file.write(head + padding(len(head)) + b"".join(blobs))
