// What an agent of the user's own may say, as JSON schema: for the settings editor's help and for the check before use.
import { type NodeSettings, nodeKinds } from '../../core/agent/compose.ts';
import type { graphs } from '../../core/agent/graph.ts';
import type { Switches } from '../../core/agent/mechanisms.ts';
import type { Policy } from '../../core/prompt/budget.ts';
import type { Retrieval } from '../../core/prompt/knowledge.ts';

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

const share = { type: 'number', minimum: 0, maximum: 1 } as const;
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
    tools: {
      type: 'array',
      items: {
        type: 'string',
        enum: ['find_symbol', 'get_diagnostics', 'list_files', 'read_file', 'recall', 'search_code'],
      },
    },
    knowledge: {
      type: ['object', 'boolean'],
      not: { const: true },
      additionalProperties: false,
      properties: retrieval,
    },
    context: {
      type: 'object',
      additionalProperties: false,
      properties: {
        reserve: { type: 'integer', minimum: 64, maximum: 65536 },
        trimTarget: { type: 'number', minimum: 0.1, maximum: 1 },
        pruneAt: share,
        keepRecentToolResults: { type: 'integer', minimum: 0, maximum: 100 },
        toolResultMaxShare: { type: 'number', minimum: 0.05, maximum: 0.9 },
        maxToolRounds: { type: 'integer', minimum: 0, maximum: 50 },
        messageCap: { type: 'integer', minimum: 0, maximum: 10000 },
        compactAt: { type: 'number', minimum: 0.3, maximum: 1 },
        tailShare: { type: 'number', minimum: 0, maximum: 0.6 },
        trimMustPay: onOff,
        trimEarly: onOff,
        knowledge: { type: 'string', enum: ['sticky', 'last'] },
        workspaceMaxShare: { type: 'number', minimum: 0, maximum: 0.5 },
      },
    },
    promptCache: onOff,
    tokenCounter: onOff,
    workspaceCache: onOff,
    compaction: { type: 'string', enum: ['auto', 'on', 'off'] },
  },
} as const;
