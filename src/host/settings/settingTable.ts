// Every setting with type, default, range, scope and one sentence. Scope `machine` keeps a repository from setting it.

import { t } from '@vscode/l10n';
import { type AgentSettings, agentsSchema } from './agentsSchema.ts';
import { cacheSettings } from './cacheSettings.ts';
import { compactionSettings } from './compactionSettings.ts';
import { findingSettings } from './findingSettings.ts';
import { loadSettings } from './loadSettings.ts';
import { machineSettings } from './machineSettings.ts';
import { mechanismSettings } from './mechanismSettings.ts';
import { modelSettings } from './modelSettings.ts';
import { problemIn } from './schemaProblem.ts';
import { trimSettings } from './trimSettings.ts';

export const settingTable = {
  ...loadSettings,
  'generation.reserve': {
    type: 'integer',
    default: 1024,
    minimum: 64,
    maximum: 65536,
    scope: 'window',
    description: 'Tokens kept free for an answer, and its longest length; at most a quarter of the window is used.',
  },
  'generation.temperature': {
    type: 'number',
    default: -1,
    minimum: -1,
    maximum: 2,
    scope: 'window',
    description:
      'Sampling temperature; 0 always takes the likeliest token. -1 takes what the model’s file says, or 0.2.',
  },
  'generation.topK': {
    type: 'integer',
    default: -1,
    minimum: -1,
    maximum: 1000000,
    scope: 'window',
    description: 'Draws from so many of the likeliest tokens; 0 from all. -1 takes what the model’s file says, or 40.',
  },
  'generation.topP': {
    type: 'number',
    default: -1,
    minimum: -1,
    maximum: 1,
    scope: 'window',
    description:
      'Draws from the likeliest tokens that together have this probability. -1 takes what the model’s file says, or 0.95.',
  },
  'generation.minP': {
    type: 'number',
    default: -1,
    minimum: -1,
    maximum: 1,
    scope: 'window',
    description:
      'Draws from tokens that have this share of the likeliest one’s probability. -1 takes what the model’s file says, or 0.05.',
  },
  'generation.repeatPenalty': {
    type: 'number',
    default: -1,
    minimum: -1,
    maximum: 2,
    scope: 'window',
    description:
      'Makes tokens less likely that the answer has already: from 1, which is off. Less than 1 takes what the model’s file says, or 1.',
  },
  ...trimSettings,
  'context.stubAt': {
    type: 'number',
    default: 0.5,
    minimum: 0,
    maximum: 1,
    scope: 'window',
    description:
      'Above this share of the high-water mark, a new turn clears older tool results down to their first line; 0: every turn does, also where that makes the model read more again.',
  },
  'context.keepRecentToolResults': {
    type: 'integer',
    default: 2,
    minimum: 0,
    maximum: 100,
    scope: 'window',
    description: 'How many of the latest earlier tool results stay whole when older ones are cleared.',
  },
  'context.toolResultMaxShare': {
    type: 'number',
    default: 0.3,
    minimum: 0.05,
    maximum: 0.9,
    scope: 'window',
    description: 'The largest share of the high-water mark one tool result may take; its middle is cut beyond that.',
  },
  'context.maxToolRounds': {
    type: 'integer',
    default: 6,
    minimum: 0,
    maximum: 50,
    scope: 'window',
    description: 'Tool rounds in one turn before the model must answer; 0 answers without tools.',
  },
  'context.messageCap': {
    type: 'integer',
    default: 0,
    minimum: 0,
    maximum: 10000,
    scope: 'window',
    description: 'Chat messages in one prompt at most; beyond it the oldest turns go. 0 is no limit.',
  },
  'context.compactAt': {
    type: 'number',
    default: 0.85,
    minimum: 0.3,
    maximum: 1,
    scope: 'window',
    description:
      'While idle, older turns are folded once the prompt passes this share of the room between its fixed head and the high-water mark.',
  },
  'context.knowledge': {
    type: 'string',
    default: 'sticky',
    enum: ['sticky', 'last'],
    scope: 'window',
    description:
      'Whether what was looked up for an earlier message stays until the next crossing (sticky) or goes with the next turn (last).',
  },
  'context.workspaceMaxShare': {
    type: 'number',
    default: 0.2,
    minimum: 0,
    maximum: 0.5,
    scope: 'window',
    description:
      'The largest share of the high-water mark that workspace files and the map or overview may take; 0 injects none.',
  },
  ...compactionSettings,
  'memory.enabled': {
    type: 'boolean',
    default: true,
    scope: 'window',
    description: 'Put what you asked to remember, and the work board, into the prompt of new sessions.',
  },
  'tools.off': {
    type: 'array',
    default: [],
    items: { type: 'string' },
    scope: 'window',
    description: 'Names of tools that the model does not get. The Context view switches them.',
  },
  'workspace.files': {
    type: 'array',
    default: ['AGENTS.md', 'CLAUDE.md', '.github/copilot-instructions.md', 'README.md', '.tidemark/*.md'],
    items: { type: 'string' },
    scope: 'window',
    description: 'Files of the workspace that stand in every prompt, in this order; a folder may be followed by /*.md.',
  },
  'workspace.overview': {
    type: 'boolean',
    default: true,
    scope: 'window',
    description: 'Name the main functions, classes and types of the workspace in every prompt.',
  },
  'workspace.mapTokens': {
    type: 'integer',
    default: 300,
    minimum: 0,
    maximum: 4000,
    scope: 'window',
    description:
      'The most tokens for the map of the workspace, which names the most used declarations by file; 0, or without an index, about 20 are named.',
  },
  ...mechanismSettings,
  agent: {
    type: 'string',
    default: 'default',
    scope: 'window',
    description:
      'Name of the agent that answers: default, whose graph suits the model, a graph (unified, guided, split), or one of tidemark.agents.',
  },
  agents: {
    type: 'object',
    default: {},
    additionalProperties: agentsSchema,
    scope: 'window',
    description:
      'Agents of your own by name: graph, instructions, tools, knowledge, context and switches, over the settings.',
  },
  ...cacheSettings,
  ...findingSettings,
  ...modelSettings,
  ...machineSettings,
} as const;

export type SettingKey = keyof typeof settingTable;

interface Types {
  array: readonly string[];
  object: Readonly<Record<string, AgentSettings>>;
  string: string;
  integer: number;
  number: number;
  boolean: boolean;
}

export type SettingValue<K extends SettingKey> = Types[(typeof settingTable)[K]['type']];

/** What is wrong with a value, or null. */
export function settingProblem(setting: (typeof settingTable)[SettingKey], value: unknown): string | null {
  if (setting.type === 'array' || setting.type === 'object') {
    // To compile a schema takes longer than all else at the editor's start.
    return JSON.stringify(value) === JSON.stringify(setting.default) ? null : problemIn(setting, value);
  }
  if (setting.type === 'integer' && !Number.isInteger(value)) return t('it must be a whole number');
  if (setting.type === 'number' && !(typeof value === 'number' && Number.isFinite(value)))
    return t('it must be a number');
  if (setting.type === 'boolean' && typeof value !== 'boolean') return t('it must be true or false');
  if (setting.type === 'string' && typeof value !== 'string') return t('it must be text');
  if ('minimum' in setting && (Number(value) < setting.minimum || Number(value) > setting.maximum)) {
    return t('it must be from {0} to {1}', setting.minimum, setting.maximum);
  }
  if ('enum' in setting && !setting.enum.some((one) => one === value))
    return t('it must be one of {0}', setting.enum.join(', '));
  return null;
}
