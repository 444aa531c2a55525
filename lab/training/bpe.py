"""Byte-level BPE tokenizer of the pocket model.

Text is cut as llama.cpp's pre-tokenizer "deepseek-coder" cuts it, then merged by rank. Merges stay inside
UNIT (a run of letters of one case shape, a run of blanks, one punctuation mark), so that an identifier has the
same tokens behind a space, a quote, a bracket or a slash. A few dozen late merges join a space to a frequent
word of prose or to a frequent mark.

    /usr/bin/python3 lab/training/bpe.py lab/training/data/train-000.jsonl ...    writes lab/training/out/bpe.json
"""
import json
import os
import re
import sys
import time
import unicodedata
from collections import Counter

VOCAB_SIZE = 3072
LATE_WORDS, LATE_MARKS = 50, 10
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>",
           "<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>"]
OUT_DIR = os.path.join(os.path.dirname(os.path.abspath(__file__)), "out")
DEFAULT_PATH = os.path.join(OUT_DIR, "bpe.json")
SAMPLE_CHARS = 24_000_000  # text counted for training, over all shards


def unicode_class(first_letter):
    """Regex character class body of all code points whose category starts with first_letter (L, P or N)."""
    ranges, start, previous = [], None, None
    for code in range(sys.maxunicode + 1):
        if unicodedata.category(chr(code))[0] != first_letter:
            continue
        if previous is None or code != previous + 1:
            if start is not None:
                ranges.append((start, previous))
            start = code
        previous = code
    ranges.append((start, previous))
    return "".join(f"\\U{a:08x}-\\U{b:08x}" for a, b in ranges)


def pretokenizer():
    """One left-to-right regex equal to llama.cpp's chain for "deepseek-coder":
    [\\r\\n], then \\s?\\p{L}+, then \\s?\\p{P}+, then \\p{N}. Its fourth step, a split between non-ASCII blocks,
    changes no token here because merges are ASCII only."""
    letter, mark, number = (unicode_class(c) for c in "LPN")
    blank = r"[^\S\r\n]?"
    return re.compile(rf"[\r\n]|{blank}[{letter}]+|{blank}[{mark}]+|[{number}]"
                      rf"|(?:(?!{blank}[{letter}{mark}])[^\r\n{number}])+")


PRETOKEN = pretokenizer()
UNIT = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[A-Z]|\d|\s+|[_./\\-]|[^\sA-Za-z0-9_./\\-]+")
SPECIAL_SPLIT = re.compile("(" + "|".join(re.escape(s) for s in SPECIAL) + ")")


def byte_alphabet():
    """GPT-2's map of the 256 bytes to printable characters."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [b for b in range(256) if b not in printable]
    return {**{b: chr(b) for b in printable}, **{b: chr(256 + i) for i, b in enumerate(others)}}


BYTE_TO_CHAR = byte_alphabet()
CHAR_TO_BYTE = {c: b for b, c in BYTE_TO_CHAR.items()}
SPACE = BYTE_TO_CHAR[32]


class Tokenizer:
    """Ids: 256 bytes, then one per merge, then SPECIAL; the rest up to VOCAB_SIZE is padding."""

    def __init__(self, merges):
        self.merges = [tuple(m) for m in merges]
        self.tokens = list(BYTE_TO_CHAR[b] for b in range(256)) + [a + b for a, b in self.merges]
        assert len(set(self.tokens)) == len(self.tokens), "a token has two merges"
        self.special_ids = {t: len(self.tokens) + i for i, t in enumerate(SPECIAL)}
        assert len(self.tokens) + len(SPECIAL) <= VOCAB_SIZE
        self.token_id = {t: i for i, t in enumerate(self.tokens)}
        self.rank = {m: i for i, m in enumerate(self.merges)}
        self.cache = {}

    def encode_word(self, word):
        """Token ids of one pre-token."""
        known = self.cache.get(word)
        if known is not None:
            return known
        parts = [BYTE_TO_CHAR[b] for b in word.encode("utf-8", "surrogatepass")]
        while len(parts) > 1:
            ranks = [self.rank.get(pair, VOCAB_SIZE) for pair in zip(parts, parts[1:])]
            best = min(ranks)
            if best == VOCAB_SIZE:
                break
            i = ranks.index(best)
            parts[i:i + 2] = [parts[i] + parts[i + 1]]
        ids = [self.token_id[p] for p in parts]
        if len(self.cache) < 500_000:
            self.cache[word] = ids
        return ids

    def encode(self, text, special=True):
        """Token ids of a text; with special, the special strings become their single ids."""
        ids = []
        for part in SPECIAL_SPLIT.split(text) if special else [text]:
            if special and part in self.special_ids:
                ids.append(self.special_ids[part])
            elif part:
                for word in PRETOKEN.findall(part):
                    ids += self.cache.get(word) or self.encode_word(word)
        return ids

    def decode(self, ids):
        """Text of token ids; padding ids are an error."""
        first_special = len(self.tokens)
        data = b"".join(SPECIAL[i - first_special].encode() if i >= first_special
                        else bytes(CHAR_TO_BYTE[c] for c in self.tokens[i]) for i in ids)
        return data.decode("utf-8", "replace")


def count_words(texts):
    """Counter of pre-tokens, the special strings left out."""
    words = Counter()
    for text in texts:
        for part in SPECIAL_SPLIT.split(text):
            if part not in SPECIAL:
                words.update(PRETOKEN.findall(part))
    return words


def learn_merges(unit_counts, limit):
    """The usual BPE merges of the units, most frequent pair first."""
    words = [([BYTE_TO_CHAR[b] for b in u.encode()], c) for u, c in unit_counts.items()]
    pairs, users = Counter(), {}
    for index, (parts, count) in enumerate(words):
        for pair in zip(parts, parts[1:]):
            pairs[pair] += count
            users.setdefault(pair, set()).add(index)
    merges, made = [], set()
    while len(merges) < limit:
        best = max(pairs, key=lambda p: (pairs[p], p))
        if pairs[best] <= 0:
            break
        if best[0] + best[1] in made:  # the same string by another split: leave it
            pairs[best] = 0
            continue
        merges.append(best)
        made.add(best[0] + best[1])
        for index in users[best]:
            merge_in_word(words[index], best, index, pairs, users)
        pairs.pop(best, None)
    return merges


def merge_in_word(word, pair, index, pairs, users):
    """Applies one merge to one word and keeps the pair counts true."""
    parts, count = word
    for old in zip(parts, parts[1:]):
        pairs[old] -= count
    i = 0
    while i < len(parts) - 1:
        if (parts[i], parts[i + 1]) == pair:
            parts[i:i + 2] = [parts[i] + parts[i + 1]]
        i += 1
    for new in zip(parts, parts[1:]):
        pairs[new] += count
        users.setdefault(new, set()).add(index)


def late_merges(words, merges):
    """(space, token) merges: words that nearly always follow a space (prose, not identifiers), and marks."""
    have = {a + b for a, b in merges} | set(BYTE_TO_CHAR.values())
    prose, marks = [], []
    for word, count in words.most_common(20_000):
        bare = word[1:]
        if word[0] != " " or bare not in have or not bare.isascii() or SPACE + bare in have:
            continue
        if bare.isalpha() and bare.islower() and words[bare] < 0.05 * count:
            prose.append((SPACE, bare))
        elif not bare.isalnum():
            marks.append((SPACE, bare))
    return prose[:LATE_WORDS] + marks[:LATE_MARKS]


def train(texts):
    """Merges learnt from the texts, filling VOCAB_SIZE."""
    words = count_words(texts)
    units = Counter()
    for word, count in words.items():
        for unit in UNIT.findall(word):
            if len(unit) > 1 and unit.isascii():
                units[unit] += count
    merges = learn_merges(units, VOCAB_SIZE - 256 - len(SPECIAL) - LATE_WORDS - LATE_MARKS)
    return merges + late_merges(words, merges)


def sample_texts(paths):
    """Prefix and every fourth conversation of the workspaces, evenly from the shards, up to SAMPLE_CHARS."""
    for path in paths:
        left = SAMPLE_CHARS // len(paths)
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                workspace = json.loads(line)
                for pieces in [workspace["prefix"], *workspace["conversations"][::4]]:
                    text = "".join(piece[0] for piece in pieces)
                    left -= len(text)
                    yield text
                if left < 0:
                    break


def load(path=DEFAULT_PATH):
    with open(path, encoding="utf-8") as file:
        return Tokenizer(json.load(file))


def main():
    started = time.time()
    tokenizer = Tokenizer(train(sample_texts(sys.argv[1:])))
    os.makedirs(OUT_DIR, exist_ok=True)
    with open(DEFAULT_PATH, "w", encoding="utf-8") as file:
        json.dump(tokenizer.merges, file)
    chars = tokens = 0
    for number, text in enumerate(sample_texts(sys.argv[1:2])):
        ids = tokenizer.encode(text)
        assert tokenizer.decode(ids) == text
        chars, tokens = chars + len(text), tokens + len(ids)
        if number > 300:
            break
    late = [b for a, b in tokenizer.merges[-LATE_WORDS - LATE_MARKS:] if a == SPACE]
    print(f"{len(tokenizer.merges)} merges, {chars / tokens:.2f} characters a token, {time.time() - started:.0f} s")
    print("joined to a space:", " ".join(late))


if __name__ == "__main__":
    main()
