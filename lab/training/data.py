"""Token caches of the data shards, and the batches made of them.

A shard is a .jsonl file, one workspace a line: {"prefix": [piece...], "conversations": [[piece...], ...]} with
piece = [text, flags, task]. Its cache is a .npz file beside it:
    ids      uint16 (tokens,)    all segments one behind the other: prefix, conversation, ..., prefix, ...
    tasks    int8   (tokens,)    index into names, -1 for context
    lengths  int32  (segments,)  tokens of each segment
    counts   int32  (workspaces,) conversations of each workspace
    names    str    (tasks,)     task names;  tokenizer: the fingerprint of the merges

    /usr/bin/python3 lab/training/data.py [FOLDER]     encodes what has no cache yet
"""
import hashlib
import json
import os
import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

import numpy as np

import bpe

DATA_DIR = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
SPECIAL_FLAG = 1


class Batch(NamedTuple):
    """One prefix and `count` conversations after it, as flat tokens: prefix, then the padded conversations."""
    tokens: np.ndarray       # int64 (prefix + count * length,)
    prefix: int              # tokens of the prefix
    count: int               # conversations
    length: int              # tokens of each conversation, padded on the right
    rows: np.ndarray         # int64 (targets,) rows of `tokens` that predict a target
    targets: np.ndarray      # int64 (targets,) the tokens they must predict
    tasks: np.ndarray        # int8 (targets,) task of each target
    spans: np.ndarray        # bool (targets,) true where a new span begins


class Workspace(NamedTuple):
    ids: np.ndarray          # uint16 (prefix,)
    conversations: list      # of (ids uint16, tasks int8)


def fingerprint(tokenizer):
    return hashlib.sha256(json.dumps(tokenizer.merges).encode()).hexdigest()[:16]


def encode_shard(path):
    """Writes the cache of one shard; returns (path, tokens, seconds, workspaces whose whole text cuts otherwise)."""
    started, tokenizer = time.time(), bpe.load()
    ids, tasks, lengths, counts, names, odd = [], [], [], [], {}, 0
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            workspace = json.loads(line)
            segments = [workspace["prefix"], *workspace["conversations"]]
            counts.append(len(segments) - 1)
            odd += not same_as_whole(tokenizer, segments[0] + segments[-1])
            for pieces in segments:
                segment_ids, segment_tasks = encode_pieces(tokenizer, pieces, names)
                ids.append(np.array(segment_ids, np.uint16))
                tasks.append(np.array(segment_tasks, np.int8))
                lengths.append(len(segment_ids))
    target = cache_path(path)
    with open(target + ".part", "wb") as file:
        np.savez(file, ids=np.concatenate(ids), tasks=np.concatenate(tasks), lengths=np.array(lengths, np.int32),
                 counts=np.array(counts, np.int32), names=np.array(list(names) or [""]),
                 tokenizer=fingerprint(tokenizer))
    os.replace(target + ".part", target)
    return path, sum(lengths), time.time() - started, odd


def encode_pieces(tokenizer, pieces, names):
    """(ids, tasks) of a segment; names maps task names to indexes and grows."""
    ids, tasks = [], []
    for text, flags, task in pieces:
        piece = tokenizer.encode(text, bool(flags & SPECIAL_FLAG))
        ids += piece
        tasks += [names.setdefault(task, len(names)) if task else -1] * len(piece)
    return ids, tasks


def same_as_whole(tokenizer, pieces):
    """Whether joining neighbours of equal flags leaves the tokens as they are (llama.cpp sees joined text)."""
    joined = []
    for text, flags, _ in pieces:
        if joined and joined[-1][1] == flags & SPECIAL_FLAG:
            joined[-1][0] += text
        else:
            joined.append([text, flags & SPECIAL_FLAG, ""])
    return encode_pieces(tokenizer, joined, {})[0] == encode_pieces(tokenizer, pieces, {"": 0})[0]


def cache_path(path):
    return path[:-len(".jsonl")] + ".npz"


def is_cached(path, wanted):
    cache = cache_path(path)
    if not os.path.exists(cache) or os.path.getmtime(cache) < os.path.getmtime(path):
        return False
    with np.load(cache) as arrays:
        return str(arrays["tokenizer"]) == wanted


def encode_missing(folder, known=()):
    """Encodes the shards without a cache, two at a time; returns the caches not in known, unseen.npz left out."""
    wanted = fingerprint(bpe.load())
    shards = sorted(f for f in os.listdir(folder) if f.endswith(".jsonl") and (f[:6] == "train-" or f == "unseen.jsonl"))
    paths = [os.path.join(folder, f) for f in shards if os.path.join(folder, f[:-6] + ".npz") not in known]
    missing = [p for p in paths if not is_cached(p, wanted)]
    if missing:
        with ProcessPoolExecutor(min(2, len(missing))) as pool:
            for path, tokens, seconds, odd in pool.map(encode_shard, missing):
                print(f"encoded {os.path.basename(path)}: {tokens} tokens, {seconds:.0f} s"
                      + (f", {odd} workspaces would be cut otherwise as whole text" if odd else ""), flush=True)
    return [cache_path(p) for p in paths if os.path.basename(p) != "unseen.jsonl"]


def load_cache(path, names):
    """Workspaces of a cache; its task numbers are mapped to those of names (a dict that grows)."""
    with np.load(path) as arrays:
        ids, tasks, lengths, counts = (arrays[k] for k in ("ids", "tasks", "lengths", "counts"))
        table = [names.setdefault(str(n), len(names)) for n in arrays["names"]]
    tasks = np.array(table + [-1], np.int8)[tasks]
    ends = np.concatenate([[0], np.cumsum(lengths)])
    segments = [(ids[a:b], tasks[a:b]) for a, b in zip(ends, ends[1:])]
    workspaces, at = [], 0
    for count in counts:
        workspaces.append(Workspace(segments[at][0], segments[at + 1:at + 1 + count]))
        at += 1 + count
    return workspaces


def shortened(workspace, tokenizer):
    """The workspace with the least of its prefix: the frame, and whether there is a tool for problems."""
    ids = workspace.ids.tolist()
    name = tokenizer.encode("get_diagnostics", False)
    end = len(ids) - 1 - ids[::-1].index(tokenizer.special_ids["<|im_end|>"])
    at = next((i for i in range(len(ids)) if ids[i:i + len(name)] == name), None)
    kept = [] if at is None else ids[at - 6:at + 24]
    return workspace._replace(ids=np.array(ids[:3] + kept + ids[end:], np.uint16))


def buckets(workspace, cap, rng=random):
    """Lists of conversations of similar length with prefix + count * longest <= cap (at least one each)."""
    order = sorted(workspace.conversations, key=lambda c: -len(c[0]) * rng.uniform(0.95, 1.05))
    groups, group, longest = [], [], 0
    for conversation in order:
        width = max(longest, len(conversation[0]))
        if group and len(workspace.ids) + (len(group) + 1) * width > cap:
            groups.append(group)
            group, width = [], len(conversation[0])
        group.append(conversation)
        longest = width
    return groups + [group] if group else groups


def collate(workspace, group):
    """The Batch of a bucket."""
    prefix, count, length = len(workspace.ids), len(group), max(len(c[0]) for c in group)
    tokens = np.zeros(prefix + count * length, np.int64)
    tokens[:prefix] = workspace.ids
    rows, targets, tasks, spans = [], [], [], []
    for index, (ids, task) in enumerate(group):
        start = prefix + index * length
        tokens[start:start + len(ids)] = ids
        at = np.nonzero(task[1:] >= 0)[0] + 1    # the first token has its predictor in the shared prefix: no target
        rows.append(start + at - 1)
        targets.append(ids[at].astype(np.int64))
        tasks.append(task[at])
        fresh = task[at] != task[at - 1]
        spans.append(fresh | (np.arange(len(at)) == 0))
    return Batch(tokens, prefix, count, length, *(np.concatenate(x) for x in (rows, targets, tasks, spans)))


if __name__ == "__main__":
    encode_missing(sys.argv[1] if len(sys.argv) > 1 else DATA_DIR)
