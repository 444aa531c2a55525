// The abilities a model has shown: a probe asks it a few small questions, and the answers choose its graph.

import type { Agent } from '../agent/agent.ts';
import { type Graph, guided, unified } from '../agent/graph.ts';
import { whileBusy } from '../model/speed.ts';
import { fenced } from '../report/reportText.ts';

/** How a model writes the tool calls that it is asked for. */
export type Calling =
  /** Within the marks of its chat template, by itself. */
  | 'marks'
  /** In another dress, which is read. */
  | 'dressed'
  /** Sensible ones, but only where it may write nothing else. */
  | 'forced'
  | 'none';

export interface ModelAbilities {
  readonly calls: Calling;
  /** The beginning of a call as it wrote it; empty where it wrote none. */
  readonly wrote: string;
  /** Answers from lines that stand before it, and calls nothing. */
  readonly answers: boolean;
  /** Comes to an end by itself. */
  readonly ends: boolean;
  /** The mark that opens its thoughts; empty where it does not think aloud. */
  readonly thinks: string;
  /** Tokens per second, of prompts and of what it writes. */
  readonly reading: number;
  readonly writing: number;
  /** Other programs took cores during the test, so that these are too low. */
  readonly busy?: true;
}

/** Tokens per second. */
export type ModelPace = Pick<ModelAbilities, 'reading' | 'writing'>;

/** Goes up with the questions, so that they are asked again. */
export const abilitiesVersion = 1;

/**
 * The agent's own graph, or the one that suits the model: tools for one that calls them by itself and leaves them where it
 * needs none; for any other, and while nothing is known, the program finds.
 */
export function graphFor({ graph }: Pick<Agent, 'graph'>, nature: ModelAbilities | null): Graph {
  if (graph !== null) return graph;
  return nature?.calls === 'marks' && nature.answers && nature.ends ? unified : guided;
}

/** A sentence or two on what was seen, for the user. */
export function abilitiesInWords(nature: ModelAbilities): string {
  const notes = [
    callingWords[nature.calls],
    nature.answers ? '' : 'Often ignores the code that it is shown.',
    nature.ends ? '' : 'Does not come to an end by itself.',
    nature.thinks === '' ? '' : 'Thinks before it answers.',
  ];
  return notes.filter((note) => note !== '').join(' ');
}

/** Tokens per second, never as none: other work may have slowed a test down. */
function rate(tokens: number): string {
  return tokens < 10 ? Math.max(0.1, tokens).toFixed(1) : tokens.toFixed(0);
}

/** Markdown: all that a test found. */
export function abilitiesText(nature: ModelAbilities): string {
  const graph = graphFor({ graph: null }, nature);
  const asked = 'Its first call, as it wrote it:';
  return [
    abilitiesInWords(nature),
    `In this test it read ${rate(nature.reading)} and wrote ${rate(nature.writing)} tokens per second${nature.busy ? `, ${whileBusy}` : ''}. The Context view shows the times of real turns.`,
    `It answers with the graph \`${graph.name}\`, unless \`tidemark.agent\` names another.`,
    ...(nature.wrote === '' ? [] : [asked, fenced(nature.wrote.trim())]),
  ].join('\n\n');
}

const callingWords: Readonly<Record<Calling, string>> = {
  marks: 'Calls tools by itself.',
  dressed: 'Uses its own format for tool calls, which Tidemark understands; Tidemark looks things up for it.',
  forced: 'Calls tools only when it must; Tidemark looks things up for it.',
  none: 'Does not call tools; Tidemark looks things up for it.',
};

/** Probe results by the fingerprint of the model's file. Each function may throw a `storeUnavailable` FaultError. */
export interface StoredAbilities {
  nature(fingerprint: string): ModelAbilities | null;
  keepNature(fingerprint: string, nature: ModelAbilities): void;
  /** Tokens per second that each of them reads, by fingerprint. */
  paces(): Readonly<Record<string, number>>;
}
