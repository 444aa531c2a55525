"""Writes a checkpoint as an F16 GGUF file that llama.cpp loads.

    /usr/bin/python3 lab/training/export.py lab/training/out/checkpoint.pt OUT.gguf [--template FILE.jinja] [--card key=value...]
"""
import argparse
import os

import torch

import bpe
import data
import gguf

DEFAULT_TEMPLATE = os.path.join(data.DATA_DIR, "template.jinja")
NORMAL, CONTROL, USER_DEFINED, UNUSED = 1, 3, 4, 5   # llama.cpp's token types
CONTROL_TOKENS = 3                                   # the first of bpe.SPECIAL; the tool marks must stay visible
LAYER_TENSORS = {  # llama.cpp's name: (field of model.Layer, type)
    "attn_norm.weight": ("attn_norm", "f32"), "ffn_norm.weight": ("ffn_norm", "f32"),
    "attn_q.weight": ("q", "f16"), "attn_q.bias": ("q_bias", "f32"),
    "attn_k.weight": ("k", "f16"), "attn_k.bias": ("k_bias", "f32"),
    "attn_v.weight": ("v", "f16"), "attn_v.bias": ("v_bias", "f32"),
    "attn_output.weight": ("attn_out", "f16"), "ffn_gate.weight": ("gate", "f16"),
    "ffn_up.weight": ("up", "f16"), "ffn_down.weight": ("down", "f16"),
}


def model_metadata(config):
    values = {"block_count": config["layers"], "context_length": config["context"],
              "embedding_length": config["width"], "feed_forward_length": config["ff"],
              "attention.head_count": config["heads"], "attention.head_count_kv": config["heads"],
              "attention.layer_norm_rms_epsilon": float(config["eps"]), "rope.freq_base": float(config["rope_base"])}
    return {"general.architecture": "qwen2", "general.name": "pocket", "general.file_type": 1,
            "general.quantization_version": 2, **{f"qwen2.{key}": value for key, value in values.items()}}


def tokenizer_metadata(tokenizer, vocab):
    tokens = tokenizer.tokens + bpe.SPECIAL
    kinds = [NORMAL] * len(tokenizer.tokens) + [CONTROL if i < CONTROL_TOKENS else USER_DEFINED
                                                for i in range(len(bpe.SPECIAL))]
    missing = vocab - len(tokens)
    tokens = tokens + [f"[PAD{vocab - missing + i}]" for i in range(missing)]
    end_of_text, end_of_turn = (tokenizer.special_ids[t] for t in ("<|endoftext|>", "<|im_end|>"))
    values = {"model": "gpt2", "pre": "deepseek-coder", "tokens": tokens, "token_type": kinds + [UNUSED] * missing,
              "merges": [f"{a} {b}" for a, b in tokenizer.merges], "bos_token_id": end_of_text,
              "eos_token_id": end_of_turn, "padding_token_id": end_of_text, "add_bos_token": False}
    return {f"tokenizer.ggml.{key}": value for key, value in values.items()}


def model_tensors(weights, config):
    array = lambda name: weights[name].detach().float().cpu().numpy()
    tensors = [("token_embd.weight", array("embedding"), "f16"), ("output_norm.weight", array("final_norm"), "f32")]
    for layer in range(config["layers"]):
        tensors += [(f"blk.{layer}.{name}", array(f"layers.{layer}.{field}"), kind)
                    for name, (field, kind) in LAYER_TENSORS.items()]
    return tensors


def main():
    parser = argparse.ArgumentParser(description="Writes a checkpoint as F16 GGUF.")
    parser.add_argument("checkpoint")
    parser.add_argument("out")
    parser.add_argument("--template", default=DEFAULT_TEMPLATE, help="the chat template, as generate.ts writes it")
    parser.add_argument("--card", nargs="*", default=[], metavar="KEY=VALUE", help="string metadata, as tidemark.KEY")
    options = parser.parse_args()
    state, tokenizer = torch.load(options.checkpoint, map_location="cpu"), bpe.load()
    if state["tokenizer"] != data.fingerprint(tokenizer):
        raise SystemExit(f"{options.checkpoint} was trained with another bpe.json")
    with open(options.template, encoding="utf-8") as file:
        template = file.read()
    card = {f"tidemark.{key}": value for key, value in (pair.split("=", 1) for pair in options.card)}
    metadata = {**model_metadata(state["config"]), **card, **tokenizer_metadata(tokenizer, state["config"]["vocab"]),
                "tokenizer.chat_template": template}
    gguf.write(options.out, metadata, model_tensors(state["model"], state["config"]))
    print(f"{options.out}: {os.path.getsize(options.out) / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
