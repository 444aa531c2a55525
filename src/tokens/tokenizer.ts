// js-tiktoken with its ranks, more than a megabyte: a file of its own in dist, read when the first text is estimated.
import { Tiktoken } from 'js-tiktoken/lite';
import ranks from 'js-tiktoken/ranks/cl100k_base';

/** Tokens of a short text as content. */
export function createEncoder(): (text: string) => number {
  const tokenizer = new Tiktoken(ranks);
  return (text) => tokenizer.encode(text, [], []).length;
}
