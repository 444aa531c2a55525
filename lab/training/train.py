"""Trains the pocket model on the shards in lab/training/data (see data.py) for a given wall-clock time.

Two processes, one core each, compute the gradients of one batch each; their sum makes a step.

    /usr/bin/python3 lab/training/train.py --minutes 60 [--resume | --from FILE] [--lr 1.5e-3] [--seed 1] [--plain]
"""
import argparse
import math
import os
import random
import signal
import sys
import time
from collections import deque
from multiprocessing import get_context

JEMALLOC = "/usr/lib/x86_64-linux-gnu/libjemalloc.so.2"
# Freed pages are kept: giving them back and faulting them in again costs half the time.
ENVIRONMENT = {"OMP_NUM_THREADS": "1", "GOMP_SPINCOUNT": "0",
               "MALLOC_CONF": "dirty_decay_ms:10000,muzzy_decay_ms:10000,thp:always"}
if os.path.exists(JEMALLOC):
    ENVIRONMENT["LD_PRELOAD"] = JEMALLOC
if __name__ == "__main__" and any(os.environ.get(k) != v for k, v in ENVIRONMENT.items()):
    os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **ENVIRONMENT})

import numpy as np
import torch

import bpe
import data
from disguise import Disguise
from model import CONFIG, Model

CHECKPOINT = os.path.join(bpe.OUT_DIR, "checkpoint.pt")
WARM_UP_STEPS, LOG_STEPS, SAVE_SECONDS, EVAL_SECONDS, EVAL_CONVERSATIONS = 50, 50, 300, 900, 150
WEIGHT_DECAY, CLIP = 0.05, 1.0
KNOWING_PART = 0.3  # where the schedule begins for weights that copy already: short beginnings are behind them
DISGUISED_SHARE = 0.7  # of the workspaces: new ones are dear, new names are not


def share_of_whole_prefixes(part):
    """What part of the steps has the whole prefix, which costs more than what follows it; `part` of the time is over."""
    return 0.35 if part < 0.3 else 0.65 if part < 0.8 else 0.8


def longest_conversation(part, rng):
    """Tokens; long ones have few targets."""
    return 500 if part < 0.3 or rng.random() < 0.7 else 1500


class Feed:
    """Endless groups of batches over all workspaces in turn. New shards are looked for now and then."""

    def __init__(self, folder, cap, workers, seed):
        self.folder, self.cap, self.workers, self.rng = folder, cap, workers, random.Random(seed)
        self.shards, self.names, self.passes, self.part = {}, {}, 0, 0.0
        self.queue, self.waiting, self.looked = deque(), [], 0.0
        self.tokenizer, self.disguise = bpe.load(), None

    def next_group(self):
        """One (workspace, conversations) per worker, of similar cost."""
        while not self.queue:
            self.refill()
        return self.queue.popleft()

    def look(self):
        for path in data.encode_missing(self.folder, self.shards):
            self.shards[path] = data.load_cache(path, self.names)
            self.waiting += self.shards[path]
        self.rng.shuffle(self.waiting)
        self.looked = time.time()

    def refill(self):
        if time.time() - self.looked > 120:
            self.look()
        if not self.waiting:
            self.waiting = [w for shard in self.shards.values() for w in shard]
            self.rng.shuffle(self.waiting)
            self.passes += 1
            print(f"pass {self.passes} over {len(self.waiting)} workspaces", flush=True)
        if not self.waiting:
            raise SystemExit(f"no train-*.jsonl in {self.folder}")
        some, self.waiting = self.waiting[:40], self.waiting[40:]
        items = []
        self.disguise = self.disguise or Disguise(self.tokenizer, [w for shard in self.shards.values() for w in shard])
        for workspace in some:
            if self.rng.random() < DISGUISED_SHARE:
                workspace = self.disguise.applied(workspace, self.rng.getrandbits(32))
            whole = self.rng.random() < share_of_whole_prefixes(self.part)
            most = longest_conversation(self.part, self.rng)
            kept = [c for c in workspace.conversations if len(c[0]) <= most]
            shown = workspace if whole else data.shortened(workspace, self.tokenizer)
            items += [(shown, g) for g in data.buckets(shown._replace(conversations=kept), self.cap + len(shown.ids), self.rng)
                      if any((tasks[1:] >= 0).any() for _, tasks in g)]
        self.queue.extend(self.pair(items))

    def pair(self, items):
        """Shuffles, then groups items of similar token count within windows, so that no worker waits long."""
        self.rng.shuffle(items)
        groups = []
        for start in range(0, len(items), 64):
            window = sorted(items[start:start + 64],
                            key=lambda item: len(item[0].ids) + len(item[1]) * max(len(c[0]) for c in item[1]))
            groups += [window[i:i + self.workers] for i in range(0, len(window), self.workers)]
        self.rng.shuffle(groups)
        return groups


def tensors(batch, device):
    """The arguments of Model.loss for a Batch."""
    move = lambda array: torch.from_numpy(array).to(device)
    return move(batch.tokens), batch.prefix, batch.count, batch.length, move(batch.rows), move(batch.targets)


def gradients(model, parameters, batch, total, device):
    """(gradients of loss / total, summed loss, hits of each target) of one batch."""
    loss, hits = model.loss(*tensors(batch, device))
    return torch.autograd.grad(loss / total, parameters), float(loss.detach()), hits


def serve(pipe, model, flat):
    """A second process: batches in, gradients into the shared `flat` out. The weights are shared."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    torch.set_num_threads(1)
    parameters = list(model.parameters())
    while (asked := pipe.recv()) is not None:
        batch, total = asked
        grads, loss, hits = gradients(model, parameters, batch, total, "cpu")
        torch.cat([g.reshape(-1) for g in grads], out=flat)
        pipe.send((loss, float(hits.sum())))


class Trainer:
    def __init__(self, options):
        self.options = options
        path = options.weights or (options.checkpoint if options.resume else None)
        state = torch.load(path, map_location=options.device) if path else {"config": CONFIG}
        self.model = Model(state["config"], plain=options.plain, seed=options.seed).to(options.device)
        self.parameters = list(self.model.parameters())
        decayed = [p for p in self.parameters if p.dim() == 2 and p is not self.model.embedding]
        others = [p for p in self.parameters if p.dim() != 2 or p is self.model.embedding]
        self.optimizer = torch.optim.AdamW([{"params": decayed, "weight_decay": WEIGHT_DECAY},
                                            {"params": others, "weight_decay": 0.0}],
                                           lr=options.lr, betas=(0.9, 0.98), eps=1e-8)
        self.step, self.elapsed_before, self.part_before, self.stopped = 0, 0.0, 0.0, False
        self.flat, self.pipe = None, None
        if path:
            self.restore(path, state)
        if options.workers > 1:
            self.start_second()
        self.feed = Feed(options.data, options.cap, options.workers, options.seed + int(time.time()))

    def restore(self, path, state):
        if state["tokenizer"] != data.fingerprint(bpe.load()):
            raise SystemExit(f"{path} was trained with another bpe.json")
        self.model.load_state_dict(state["model"])
        if "optimizer" in state:
            self.optimizer.load_state_dict(state["optimizer"])
        if self.options.resume:
            self.step, self.elapsed_before, self.part_before = state["step"], state["elapsed"], state["part"]
        else:
            self.part_before = KNOWING_PART

    def save(self, elapsed):
        os.makedirs(os.path.dirname(self.options.checkpoint), exist_ok=True)
        state = {"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict(), "step": self.step,
                 "elapsed": self.elapsed_before + elapsed, "part": self.feed.part, "config": self.model.config,
                 "tokenizer": data.fingerprint(bpe.load())}
        torch.save(state, self.options.checkpoint + ".part")
        os.replace(self.options.checkpoint + ".part", self.options.checkpoint)

    def start_second(self):
        """Forks the process for the other core, before anything has been computed here."""
        self.model.share_memory()
        self.flat = torch.zeros(sum(p.numel() for p in self.parameters)).share_memory_()
        self.pipe, theirs = get_context("fork").Pipe()
        second = get_context("fork").Process(target=serve, args=(theirs, self.model, self.flat), daemon=True)
        second.start()

    def train_step(self, lr):
        """One step; returns (loss sum, hits, targets, tokens computed)."""
        batches = [data.collate(*item) for item in self.feed.next_group()]
        total = sum(len(b.targets) for b in batches)
        if len(batches) > 1:
            self.pipe.send((batches[1], total))
        grads, loss, hits = gradients(self.model, self.parameters, batches[0], total, self.options.device)
        sums = np.array([loss, float(hits.sum()), total, sum(len(b.tokens) for b in batches)], float)
        at = 0
        if len(batches) > 1:
            sums[:2] += self.pipe.recv()
        for parameter, grad in zip(self.parameters, grads):
            parameter.grad = grad
            if len(batches) > 1:
                grad += self.flat[at:at + grad.numel()].view_as(grad)
            at += grad.numel()
        torch.nn.utils.clip_grad_norm_(self.parameters, CLIP)
        for group in self.optimizer.param_groups:
            group["lr"] = lr
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        self.step += 1
        return sums

    @torch.no_grad()
    def evaluate(self):
        """Prints, per task of unseen.jsonl, how many spans have every token's argmax right (teacher-forced)."""
        path = os.path.join(self.options.data, "unseen.npz")
        if not os.path.exists(path):
            return
        names, started = {}, time.time()
        workspaces = data.load_cache(path, names)
        share = max(1, EVAL_CONVERSATIONS // len(workspaces))
        batches = []
        for workspace in workspaces[:EVAL_CONVERSATIONS]:
            some = workspace._replace(conversations=workspace.conversations[:share])
            batches += [data.collate(some, group) for group in data.buckets(some, self.options.cap)]

        right, count = {}, {}
        for batch in batches:
            found = self.model.loss(*tensors(batch, self.options.device))[1].cpu().numpy()
            starts = np.nonzero(batch.spans)[0]
            for task, exact in zip(batch.tasks[starts], np.minimum.reduceat(found, starts) if len(starts) else []):
                right[task], count[task] = right.get(task, 0) + int(exact), count.get(task, 0) + 1
        table = "  ".join(f"{n} {right[i]}/{count[i]}" for n, i in sorted(names.items()) if i in count)
        print(f"eval step {self.step}, {time.time() - started:.0f} s: all {sum(right.values())}/{sum(count.values())}  "
              + table, flush=True)

    def run(self):
        budget, first = self.options.minutes * 60, self.step
        self.feed.look()
        started = last_log = last_save = last_eval = time.time()
        sums = np.zeros(4)
        while not self.stopped and (elapsed := time.time() - started) < budget:
            part = self.part_before + (1 - self.part_before) * elapsed / budget
            lr = self.options.lr * min(1, (self.step - first + 1) / WARM_UP_STEPS) * (1 + math.cos(math.pi * part)) / 2
            self.feed.part = part
            sums += self.train_step(lr)
            if self.step % LOG_STEPS == 0:
                now = time.time()
                print(f"step {self.step} {elapsed:.0f} s lr {lr:.2e} loss {sums[0] / sums[2]:.4f} accuracy "
                      f"{sums[1] / sums[2]:.4f} {sums[3] / (now - last_log):.0f} tokens/s {sums[2]:.0f} targets",
                      flush=True)
                sums, last_log = np.zeros(4), now
            if time.time() - last_save > SAVE_SECONDS:
                self.save(elapsed)
                last_save = time.time()
            if time.time() - last_eval > EVAL_SECONDS:
                self.evaluate()
                last_eval = time.time()
        if self.pipe is not None:
            self.pipe.send(None)
        self.save(time.time() - started)
        print(f"saved {self.options.checkpoint} at step {self.step}", flush=True)
        if not self.stopped:
            self.evaluate()

    def stop(self, *_):
        self.stopped = True


def main():
    parser = argparse.ArgumentParser(description="Trains the pocket model.")
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--resume", action="store_true", help="go on from --checkpoint, with its optimiser, where its schedule stood")
    parser.add_argument("--from", dest="weights", help="start from the weights of this checkpoint")
    parser.add_argument("--lr", type=float, default=1.5e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cap", type=int, default=2400, help="tokens of a batch behind its prefix, padded")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--plain", action="store_true", help="torch only, in fp32")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--data", default=data.DATA_DIR)
    parser.add_argument("--checkpoint", default=CHECKPOINT)
    options = parser.parse_args()
    if options.device != "cpu":
        options.plain, options.workers = True, 1
    torch.set_num_threads(1)
    trainer = Trainer(options)
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, trainer.stop)
    trainer.run()


if __name__ == "__main__":
    main()
