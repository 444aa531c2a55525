// Faults: what went wrong as facts, and one function that words each with advice.

import { bytesInWords, count } from '../count.ts';
import type { ModelUse, Purpose } from '../machine/ggufHeader.ts';
import { wordDownload } from './downloadFaults.ts';
import type { Fault } from './fault.ts';
import { type Action, actionsFor, endedOnGpu } from './faultActions.ts';
import { wordServer } from './serverFaults.ts';

export interface Words {
  readonly message: string;
  readonly advice: string;
  /** Buttons for the advice: the likeliest first. */
  readonly actions: readonly Action[];
}

/** Carries a fault through promises. */
export class FaultError extends Error {
  readonly fault: Fault;
  constructor(fault: Fault) {
    const { message, advice } = wordFault(fault);
    super(`${message} ${advice}`);
    this.name = 'FaultError';
    this.fault = fault;
  }
}

/** The fault an unknown error carries, or `engineFailed` with its words. */
export function faultOf(error: unknown): Fault {
  if (error instanceof FaultError) return error.fault;
  return { kind: 'engineFailed', reason: reasonOf(error) };
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Words without buttons. */
type Said = Omit<Words, 'actions'>;

export function wordFault(fault: Fault): Words {
  return { ...say(fault), actions: actionsFor(fault) };
}

function say(fault: Fault): Said {
  switch (fault.kind) {
    case 'noModel':
    case 'modelMissing':
    case 'modelIsFolder':
    case 'modelNotGguf':
    case 'modelDamaged':
    case 'modelBroken':
    case 'modelOfOtherUse':
    case 'modelTooLarge':
    case 'modelOverBudget':
    case 'modelElsewhere':
      return wordModelFault(fault);
    case 'modelWithoutTemplate':
    case 'templateUnusable':
      return wordTemplateFault(fault);
    case 'outOfMemory':
      return {
        message: `There is not enough memory for a context of ${count(fault.contextSize)} tokens: ${fault.reason}`,
        advice: 'Lower tidemark.model.contextSize or choose a smaller model.',
      };
    case 'gpuUnavailable':
    case 'packsUnusable':
      return wordGpuFault(fault);
    case 'engineCrashed':
    case 'engineStopped':
    case 'engineFailed':
    case 'saidNothing':
      return wordEngineFault(fault);
    case 'doesNotFit':
      return wordDoesNotFit(fault);
    case 'storeUnavailable':
      return {
        message: `Nothing can be stored: ${fault.reason.replace(/\.$/, '')}.`,
        advice: 'You can go on chatting, but nothing is kept when the window closes.',
      };
    case 'server':
      return wordServer(fault.problem);
    case 'download':
      return wordDownload(fault.problem);
    default:
      return fault satisfies never;
  }
}

type EngineFault = Extract<Fault, { kind: `engine${string}` | 'saidNothing' }>;

function wordEngineFault(fault: EngineFault): Said {
  switch (fault.kind) {
    case 'engineCrashed':
      return {
        message: `The model process ended unexpectedly (${fault.reason}).`,
        advice: endedOnGpu(fault)
          ? 'Your conversation is safe. If it happens again, update the GPU\'s driver, or set tidemark.model.gpu to another back end or to "off".'
          : 'Your conversation is safe. If it happens again, choose a smaller model or context window.',
      };
    case 'engineStopped':
      return { message: 'The model process was stopped.', advice: 'It is loaded again with the next message.' };
    case 'engineFailed':
      return {
        message: `The model process reported: ${fault.reason}`,
        advice: 'Try again. If it keeps failing, restart the model.',
      };
    case 'saidNothing':
      return {
        message: 'The model returned an empty answer.',
        advice: 'Rephrase your message, or try another model.',
      };
    default:
      return fault satisfies never;
  }
}

function wordGpuFault(fault: Extract<Fault, { kind: 'gpuUnavailable' | 'packsUnusable' }>): Said {
  switch (fault.kind) {
    case 'gpuUnavailable':
      return {
        message: `The GPU back end "${fault.wanted}" cannot be used on this machine.`,
        advice: 'Set tidemark.model.gpu to "auto" or "off".',
      };
    case 'packsUnusable':
      return {
        message: `No pack of llama.cpp in ${fault.folder} can be used: ${fault.reason}.`,
        advice: `Install one of version ${fault.version} there, as in npm install @node-llama-cpp/linux-x64-cuda@${fault.version}, or empty tidemark.model.packsFolder.`,
      };
    default:
      return fault satisfies never;
  }
}

const choose = 'Choose another GGUF file in tidemark.model.path.';

type ModelFault = Exclude<Extract<Fault, { kind: 'noModel' | `model${string}` }>, { kind: 'modelWithoutTemplate' }>;

function wordModelFault(fault: ModelFault): Said {
  switch (fault.kind) {
    case 'noModel':
      return {
        message: 'No model selected.',
        advice: 'Download one or choose a GGUF file.',
      };
    case 'modelMissing':
      return { message: `The model file ${fault.path} does not exist.`, advice: 'Check tidemark.model.path.' };
    case 'modelIsFolder':
      return { message: `${fault.path} is a folder.`, advice: 'Set tidemark.model.path to the GGUF file inside it.' };
    case 'modelNotGguf':
      return {
        message: `${fault.path} is not a GGUF file: it begins with ${fault.found}.`,
        advice: `A download may have saved a web page or an empty file in its place; download it again. ${choose}`,
      };
    case 'modelDamaged':
      return {
        message: `The model file ${fault.path} cannot be loaded: ${fault.reason.replace(/\.$/, '')}.`,
        advice: `It may be incomplete; download it again. ${choose}`,
      };
    case 'modelBroken':
      return { message: `The model ${fault.path} loads but produces invalid output.`, advice: choose };
    case 'modelOfOtherUse':
      return wordOtherUse(fault);
    case 'modelTooLarge':
      return {
        message: `There is not enough memory for the model ${fault.path}: ${fault.reason.replace(/\.$/, '')}.`,
        advice: 'Close other programs, or choose a smaller model or a smaller quantisation in tidemark.model.path.',
      };
    case 'modelOverBudget':
      return {
        message: `The model ${fault.path} needs about ${bytesInWords(fault.needed)} with the smallest window, more than the ${bytesInWords(fault.budget)} of tidemark.model.memoryMegabytes.`,
        advice: `Raise that setting to ${Math.ceil(fault.needed / 1e6)} or more, or choose a smaller model or a smaller quantisation in tidemark.model.path.`,
      };
    case 'modelElsewhere':
      return {
        message: 'The model is running in another window.',
        advice:
          'Two at once need the memory of both. Close the other window, wait until its model is unloaded, or load it here too.',
      };
    default:
      return fault satisfies never;
  }
}

function wordTemplateFault(fault: Extract<Fault, { kind: 'modelWithoutTemplate' | 'templateUnusable' }>): Said {
  if (fault.kind === 'templateUnusable')
    return { message: `The model's chat template cannot be used: ${fault.reason}`, advice: choose };
  return {
    message: 'This is a base model: its file has no chat template, so it continues a text but cannot answer.',
    advice:
      'Choose a file with Instruct, Chat or -it in its name, or get a model from the list, which is ranked for this machine.',
  };
}

function wordDoesNotFit(fault: Extract<Fault, { kind: 'doesNotFit' }>): Said {
  const needs = `The prompt is too long: ${count(fault.needed)} tokens, but only ${count(fault.high)} fit (the window has ${count(fault.window)}, ${count(fault.reserve)} are reserved for the reply).`;
  return fault.pinned > fault.high / 2
    ? {
        message: `${needs} System prompt, tools and workspace alone take ${count(fault.pinned)}.`,
        advice: 'Raise tidemark.model.contextSize.',
      }
    : { message: needs, advice: 'Shorten the message or raise tidemark.model.contextSize.' };
}

// A model file that was to be loaded for what it cannot do, in words.
const kinds: Readonly<Record<ModelUse, string>> = {
  chat: 'a chat model, which cannot find passages',
  embedding: 'an embedding model, which finds passages but cannot answer',
  ranking: 'a reranking model, which can neither answer nor find passages',
  projector: 'a projector, which turns pictures into tokens of the chat model that lies beside it',
  adapter: 'an adapter (LoRA), which changes a model and is none',
  imatrix: 'an importance matrix, which helps to quantise a model and is none',
  image: 'a model that draws pictures, which cannot answer',
  draft: 'a draft model, which guesses for a larger one and cannot answer by itself',
  part: 'a later part of a model in several files',
};

function wordOtherUse({
  path,
  is,
  wanted,
}: {
  readonly path: string;
  readonly is: ModelUse;
  readonly wanted: Purpose;
}) {
  const other = is === 'chat' || is === 'embedding' ? elsewhere[is] : '';
  const advice =
    is === 'part'
      ? 'Choose the first part, whose name has 00001: the others are found from there.'
      : wanted === 'chat'
        ? 'Choose a chat model in tidemark.model.path.'
        : 'Choose an embedding model, such as gte-small, with "Tidemark: Find by Meaning".';
  return { message: `${path} is ${kinds[is]}.`, advice: `${advice}${other}` };
}

/** The setting or command that takes such a file. */
const elsewhere: Readonly<Record<Purpose, string>> = {
  chat: ' A chat model goes into tidemark.model.path.',
  embedding: ' "Tidemark: Find by Meaning" takes this one.',
};
