// The library's own chat session on a trace: its wrapper, its function calls, its context shift. A process of its own that prints
// one line for each call, at once, because its context shift may never come back. It cannot be told what to say: it generates one token, which the recorded message then replaces.
import { writeSync } from 'node:fs';
import {
  type ChatHistoryItem,
  type ChatModelResponse,
  type GbnfJsonSchema,
  getLlama,
  type LLamaChatGenerateResponseOptions,
  LlamaChat,
  LlamaLogLevel,
  LlamaText,
  type LlamaTextJSON,
} from 'node-llama-cpp';
import type { RecordedStep, Trace } from '../../cli/trace/trace.ts';
import { createKind, type Kind } from '../kinds.ts';
import { sum } from '../result.ts';
import { resultText } from '../rivals.ts';

type Evaluation = Awaited<ReturnType<LlamaChat['generateResponse']>>['lastEvaluation'];

/** The default of LlamaChatSession: the history that it showed last is kept while it fits and at least this share of it is in the sequence. */
const overlap = 0.5;

/** The token counts of one model call. */
export interface SessionCall {
  readonly turn: number;
  readonly prompt: number;
  readonly decoded: number;
  readonly crossed: boolean;
}

async function run(modelPath: string, window: number, trace: Trace): Promise<void> {
  const quiet = { build: 'never', skipDownload: true, progressLogs: false, logLevel: LlamaLogLevel.error } as const;
  const llama = await getLlama(quiet);
  const model = await llama.loadModel({ modelPath });
  const context = await model.createContext({ contextSize: window, batchSize: 512, threads: 1 });
  const print = (call: SessionCall) => writeSync(1, `${JSON.stringify(call)}\n`);
  await play(new LlamaChat({ contextSequence: context.getSequence() }), trace, print);
  await llama.dispose();
}

/** Plays a trace as LlamaChatSession does: with the whole history, and beside it the part that was shown last. */
async function play(chat: LlamaChat, trace: Trace, print: (call: SessionCall) => void): Promise<void> {
  const { sequence } = chat;
  let clean: readonly ChatHistoryItem[] = [{ type: 'system', text: systemText(trace, chat) }];
  let last: Evaluation | null = null;
  let owed = 0;
  for (const [i, { user, steps }] of trace.turns.entries()) {
    const asked = [{ type: 'user', text: user } as const, { type: 'model', response: [] } satisfies ChatModelResponse];
    clean = [...clean, ...asked];
    let shown: readonly ChatHistoryItem[] | null = last === null ? null : [...last.contextWindow, ...asked];
    for (const step of steps) {
      const before = sequence.tokenMeter.getState();
      const { lastEvaluation }: { lastEvaluation: Evaluation } = await chat.generateResponse(
        [...clean],
        optionsFor(chat, shown, last),
      );
      const { usedInputTokens, usedOutputTokens } = sequence.tokenMeter.diff(before);
      const decoded = usedInputTokens + usedOutputTokens - owed;
      const crossed = shown !== null && size(lastEvaluation.contextWindow) < size(shown);
      print({ turn: i + 1, prompt: sequence.nextTokenIndex, decoded, crossed });
      // In life all but the last token of the message would be in the sequence already.
      owed = Math.max(0, spokenTokens(chat, step) - 1);
      clean = spoken(clean, step);
      shown = spoken(lastEvaluation.contextWindow, step);
      last = { ...lastEvaluation, contextWindow: [...shown] };
    }
  }
}

/**
 * The functions are described in the system text: handed over as functions, the library's context shift leaves them out of
 * its count and fails when the window is full (3.22.1).
 */
function systemText({ system, tools }: Trace, { chatWrapper }: LlamaChat): LlamaTextJSON {
  const entries = tools.map(({ name, description, parameters }) => {
    return [name, { description, params: parameters as unknown as GbnfJsonSchema }] as const;
  });
  const described = chatWrapper.generateAvailableFunctionsSystemText(Object.fromEntries(entries), {});
  return LlamaText(tools.length === 0 ? [system] : [system, '\n\n', described]).toJSON();
}

function optionsFor(
  { sequence }: LlamaChat,
  shown: readonly ChatHistoryItem[] | null,
  last: Evaluation | null,
): LLamaChatGenerateResponseOptions {
  const size = Math.ceil(sequence.contextSize / 10);
  const window = { minimumOverlapPercentageToPreventContextShift: overlap };
  return {
    maxTokens: 1,
    temperature: 0,
    contextShift: { size, lastEvaluationMetadata: last?.contextShiftMetadata },
    ...(shown === null ? {} : { lastEvaluationContextWindow: { ...window, history: [...shown] } }),
  };
}

/** The history with the recorded message in the place of what was sampled, and with the results of its calls. */
function spoken(
  history: readonly ChatHistoryItem[],
  { text, calls, results }: RecordedStep,
): readonly ChatHistoryItem[] {
  const model = history.at(-1);
  if (model?.type !== 'model') throw new Error('the history does not end with the assistant');
  const called = calls.map((call, i) => ({
    type: 'functionCall' as const,
    name: call.name,
    params: call.arguments,
    result: resultText(call.name, results[i] ?? ''),
    startsNewChunk: i === 0,
  }));
  const kept = model.response.filter((part) => typeof part !== 'string');
  return [...history.slice(0, -1), { type: 'model', response: [...kept, ...(text === '' ? [] : [text]), ...called] }];
}

function spokenTokens({ chatWrapper, model }: LlamaChat, { text, calls }: RecordedStep): number {
  const ofCall = ({ name, arguments: given }: RecordedStep['calls'][number]) =>
    chatWrapper.generateFunctionCall(name, given).tokenize(model.tokenizer).length;
  return sum(calls, ofCall) + model.tokenize(text).length;
}

function size(history: readonly ChatHistoryItem[]): number {
  return JSON.stringify(history).length;
}

const [model = '', window, kind, turns] = process.argv.slice(2);
await run(model, Number(window), createKind(kind as Kind, Number(window), Number(turns)));
