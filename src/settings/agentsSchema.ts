// The JSON schema of an agent of the user's own, for the settings editor's help and for the check before use.
import { type NodeSettings, nodeKinds } from '../core/agent/compose.ts';
import type { graphs } from '../core/agent/graph.ts';
import type { Switches } from '../core/agent/mechanisms.ts';
import type { Policy } from '../core/prompt/budget.ts';
import type { Retrieval } from '../core/prompt/knowledge.ts';
import { advanced, chat, compaction } from './promptSettings.ts';
import { type SettingRow, settingOf } from './settingRow.ts';

/** Everything is optional: what an agent does not say, the settings say. */
export interface AgentSettings extends Partial<Switches> {
  /** The name of a shipped graph, or nodes in their order. */
  readonly graph?: keyof typeof graphs | readonly NodeSettings[];
  /** Name of the engine that runs it: `local` or a server's. */
  readonly engine?: string;
  readonly instructions?: string;
  readonly tools?: readonly string[];
  /** How what a message names is looked up first; false looks nothing up. */
  readonly knowledge?: Partial<Retrieval> | false;
  readonly context?: Partial<Policy>;
}

/** The setting of each part of the policy. */
export const policySettings = {
  reserve: 'generation.reserve',
  trimTarget: 'advanced.trimTarget',
  pruneAt: 'advanced.pruneAt',
  keepRecentToolResults: 'advanced.keepRecentToolResults',
  toolResultMaxShare: 'advanced.toolResultMaxShare',
  maxToolRounds: 'advanced.maxToolRounds',
  messageCap: 'advanced.messageCap',
  compactAt: 'advanced.compactAt',
  tailShare: 'advanced.tailShare',
  trimMustPay: 'advanced.trimMustPay',
  knowledge: 'advanced.knowledge',
  workspaceMaxShare: 'advanced.workspaceMaxShare',
} as const satisfies Record<keyof Policy, string>;

const rows = { ...chat, ...advanced };

/** Returns the range of values that a setting may have, in an agent too. */
function rangeOf(row: SettingRow) {
  const { default: _, scope: _scope, tags: _tags, ...range } = settingOf(row);
  return range;
}

const onOff = { type: 'boolean' } as const;

const retrieval = {
  share: { type: 'number', minimum: 0.01, maximum: 0.5 },
  placement: { type: 'string', enum: ['before', 'after', 'replace'] },
  role: { type: 'string', enum: ['user', 'system'] },
  template: { type: 'string' },
} as const;

export const agentsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    graph: {
      type: ['string', 'array'],
      if: { type: 'string' },
      // biome-ignore lint/suspicious/noThenProperty: it is a word of JSON schema.
      then: { enum: ['unified', 'guided', 'split'] },
      examples: ['unified', 'guided', 'split', [{ do: 'retrieve' }, { do: 'answer' }, { do: 'summarise' }]],
      minItems: 1,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['do'],
        properties: {
          do: { type: 'string', enum: nodeKinds },
          instruction: { type: 'string' },
          earlierRecords: { type: 'string', enum: ['shown', 'withheld'] },
          engine: { type: 'string' },
          ...retrieval,
        },
      },
    },
    engine: { type: 'string' },
    instructions: { type: 'string' },
    tools: rangeOf(chat['tools.off']),
    knowledge: {
      type: ['object', 'boolean'],
      not: { const: true },
      additionalProperties: false,
      properties: retrieval,
    },
    context: {
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(Object.entries(policySettings).map(([part, key]) => [part, rangeOf(rows[key])])),
    },
    promptCache: onOff,
    tokenCounter: onOff,
    workspaceCache: onOff,
    /** `true` and `false` are `on` and `off`. */
    compaction: { anyOf: [rangeOf(compaction['compaction.enabled']), { type: 'boolean' }] },
  },
} as const;
