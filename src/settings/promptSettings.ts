// Settings of what a prompt holds, of the answer to it and of its summaries, by group.
// Each is a row: what the editor checks, what the setting does, and what its choices mean. Scope `machine` keeps a repository from setting it.
import { allOn } from '../core/agent/mechanisms.ts';
import { defaultPolicy as policy } from '../core/prompt/budget.ts';
import { defaultFiles, defaultMapTokens } from '../workspace/bundle.ts';

export const chat = {
  'tools.off': [
    {
      type: 'array',
      default: [],
      items: {
        type: 'string',
        enum: ['find_symbol', 'get_diagnostics', 'list_files', 'read_file', 'recall', 'search_code'],
      },
      scope: 'window',
    },
    'Tools that the model does not get. Each one left out makes the prompt shorter. The Context view switches them too.',
  ],
  'memory.enabled': [
    { type: 'boolean', default: true, scope: 'window' },
    'Include your notes (`/remember`) and the work board (`/work`) in the prompt of new conversations.',
  ],
  'generation.reserve': [
    { type: 'integer', default: policy.reserve, minimum: 64, maximum: 65536, scope: 'window' },
    'Tokens reserved for the reply; this is also the maximum length of a reply. At most a quarter of the context window is used. Raise it if replies are cut off.',
  ],
  'generation.temperature': [
    { type: 'number', default: -1, minimum: -1, maximum: 2, scope: 'window' },
    'Sampling temperature. 0 always takes the most likely token; higher values vary more. -1 uses what the model’s file or publisher recommends, or 0.2.',
  ],
  'generation.topK': [
    { type: 'integer', default: -1, minimum: -1, maximum: 1000000, scope: 'window', tags: ['advanced'] },
    'Sample from this many of the most likely tokens; 0 from all. -1 uses what the model recommends, or 40.',
  ],
  'generation.topP': [
    { type: 'number', default: -1, minimum: -1, maximum: 1, scope: 'window', tags: ['advanced'] },
    'Sample from the most likely tokens that together have this probability. -1 uses what the model recommends, or 0.95.',
  ],
  'generation.minP': [
    { type: 'number', default: -1, minimum: -1, maximum: 1, scope: 'window', tags: ['advanced'] },
    'Sample only from tokens with at least this share of the most likely token’s probability. -1 uses what the model recommends, or 0.05.',
  ],
  'generation.repeatPenalty': [
    { type: 'number', default: -1, minimum: -1, maximum: 2, scope: 'window', tags: ['advanced'] },
    'Penalty on tokens that the reply already contains; 1 is off. Raise it slightly if the model repeats itself. Values below 1 use what the model recommends, or 1.',
  ],
} as const;

export const context = {
  'workspace.files': [
    { type: 'array', default: defaultFiles, items: { type: 'string' }, scope: 'window' },
    'Workspace files that are part of every prompt, in this order. A folder can be followed by `/*.md`. Unless you change this list, a model without tools gets no README: passages of it are found for your messages.',
  ],
  'workspace.overview': [
    { type: 'boolean', default: true, scope: 'window' },
    'Include a map of the workspace in prompts of models that call tools: its main functions, classes and types.',
  ],
  'workspace.mapTokens': [
    { type: 'integer', default: defaultMapTokens, minimum: 0, maximum: 4000, scope: 'window', tags: ['advanced'] },
    'Most tokens for that map. 0 lists about 20 names instead.',
  ],
  'context.workspaceMaxShare': [
    {
      type: 'number',
      default: policy.workspaceMaxShare,
      minimum: 0,
      maximum: 0.5,
      scope: 'window',
      tags: ['advanced'],
    },
    'Largest share of the limit that workspace files and the map may take. 0 includes none.',
  ],
  'finding.enabled': [
    { type: 'boolean', default: true, scope: 'window' },
    'Keep an index of the folder on this machine and bring the passages that a message is about. Turning it off deletes the index.',
  ],
  'finding.model': [
    { type: 'string', default: '', scope: 'machine' },
    'Path of a GGUF embedding model that also finds passages by meaning. The command *Tidemark: Find by Meaning* downloads one. Leave it empty to find passages by words alone.',
  ],
  'context.knowledge': [
    { type: 'string', default: policy.knowledge, scope: 'window', tags: ['advanced'] },
    'How long passages found for a message stay in the prompt.',
    {
      recent: 'Those of the last turns, as far as a fifth of the limit holds them; the oldest go first.',
      sticky: 'All of them, until the prompt reaches its limit.',
      last: 'For one turn. Leaves more room.',
    },
  ],
  'context.toolResultMaxShare': [
    { type: 'number', default: policy.toolResultMaxShare, minimum: 0.05, maximum: 0.9, scope: 'window' },
    'Largest share of the limit that one tool result or attachment may take; the middle of a longer one is left out.',
  ],
  'context.maxToolRounds': [
    { type: 'integer', default: policy.maxToolRounds, minimum: 0, maximum: 50, scope: 'window' },
    'Rounds of tool calls in one turn before the model has to answer. 0 answers without tools.',
  ],
  'context.messageCap': [
    { type: 'integer', default: policy.messageCap, minimum: 0, maximum: 10000, scope: 'window', tags: ['advanced'] },
    'Most chat messages in one prompt; the oldest turns are trimmed beyond that. 0 sets no cap.',
  ],
  'context.trimTarget': [
    { type: 'number', default: policy.trimTarget, minimum: 0.1, maximum: 1, scope: 'window', tags: ['advanced'] },
    'When a prompt exceeds the limit, it is trimmed to this share of the limit, or further where that saves decoding (`tidemark.context.trimMustPay`). Lower values trim more at once and less often.',
  ],
  'context.pruneAt': [
    { type: 'number', default: policy.pruneAt, minimum: 0, maximum: 1, scope: 'window', tags: ['advanced'] },
    'Above this share of the limit, a new turn prunes older tool results to their first line. 0 prunes with every turn, even where that means decoding more.',
  ],
  'context.keepRecentToolResults': [
    {
      type: 'integer',
      default: policy.keepRecentToolResults,
      minimum: 0,
      maximum: 100,
      scope: 'window',
      tags: ['advanced'],
    },
    'Number of recent tool results that are kept whole when older ones are pruned.',
  ],
  'context.trimMustPay': [
    { type: 'boolean', default: policy.trimMustPay, scope: 'window', tags: ['advanced'] },
    'Trim only when that frees at least as many tokens as it makes the model decode again. Turn it off to trim by the limit alone.',
  ],
} as const;

export const compaction = {
  'compaction.enabled': [
    { type: 'string', default: allOn.compaction, scope: 'window' },
    'Replace older turns with a summary that quotes you, instead of dropping them.',
    { auto: 'On for context windows of up to 32k tokens.', on: 'Always.', off: 'Never: older turns are dropped.' },
  ],
  'context.compactAt': [
    { type: 'number', default: policy.compactAt, minimum: 0.3, maximum: 1, scope: 'window', tags: ['advanced'] },
    'Older turns are summarized while the model is idle, once the conversation fills this share of its room.',
  ],
  'compaction.tailShare': [
    { type: 'number', default: policy.tailShare, minimum: 0, maximum: 0.6, scope: 'window', tags: ['advanced'] },
    'Share of the conversation’s room that the latest turns keep when older ones are summarized.',
  ],
  'compaction.model': [
    { type: 'string', default: '', scope: 'machine', tags: ['advanced'] },
    'Path of a GGUF model that chooses which of your sentences a summary keeps first, and writes a line with what was done. Leave it empty to ask no model.',
  ],
  'compaction.tries': [
    { type: 'integer', default: 3, minimum: 1, maximum: 10, scope: 'window', tags: ['advanced'] },
    'Number of attempts to get a valid choice from the summary model, with increasing pauses. After the last one the conversation stays as it is.',
  ],
  'compaction.leaseSeconds': [
    { type: 'integer', default: 300, minimum: 10, maximum: 3600, scope: 'window', tags: ['advanced'] },
    'Seconds without progress after which a compaction is abandoned and another window may try.',
  ],
} as const;
