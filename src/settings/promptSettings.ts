// Settings of what a prompt holds, of the answer to it and of its summaries, by group.
// Each is a row: what the editor checks, what the setting does, and what its choices mean. Scope `machine` keeps a repository from setting it.
import { allOn } from '../core/agent/mechanisms.ts';
import { defaultPolicy as policy } from '../core/prompt/budget.ts';
import { defaultFiles } from '../workspace/bundle.ts';

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
  'finding.enabled': [
    { type: 'boolean', default: true, scope: 'window' },
    'Keep an index of the folder on this machine and bring the passages that a message is about. Turning it off deletes the index.',
  ],
  'finding.model': [
    { type: 'string', default: '', scope: 'machine' },
    'Path of a GGUF embedding model that also finds passages by meaning. The command *Tidemark: Find by Meaning* downloads one. Leave it empty to find passages by words alone.',
  ],
} as const;

export const compaction = {
  'compaction.enabled': [
    { type: 'string', default: allOn.compaction, scope: 'window' },
    'Replace older turns with a summary that quotes you, instead of dropping them.',
    { auto: 'On for context windows of up to 32k tokens.', on: 'Always.', off: 'Never: older turns are dropped.' },
  ],
  'compaction.model': [
    { type: 'string', default: '', scope: 'machine', tags: ['advanced'] },
    'Path of a GGUF model that chooses which of your sentences a summary keeps first, and writes a line with what was done. Leave it empty to ask no model.',
  ],
} as const;

/** Keys of one setting, `tidemark.advanced`: what the sources of this project name, and hardly anybody turns. An agent's `context` has the same names. */
export const advanced = {
  'advanced.workspaceMaxShare': [
    {
      type: 'number',
      default: policy.workspaceMaxShare,
      minimum: 0,
      maximum: 0.5,
      scope: 'window',
    },
    'Largest share of the limit that workspace files and the map may take. 0 includes none.',
  ],
  'advanced.knowledge': [
    { type: 'string', default: policy.knowledge, scope: 'window' },
    'How long passages found for a message stay in the prompt.',
    {
      recent: 'Those of the last turns, as far as a fifth of the limit holds them; the oldest go first.',
      sticky: 'All of them, until the prompt reaches its limit.',
      last: 'For one turn. Leaves more room.',
    },
  ],
  'advanced.toolResultMaxShare': [
    { type: 'number', default: policy.toolResultMaxShare, minimum: 0.05, maximum: 0.9, scope: 'window' },
    'Largest share of the limit that one tool result or attachment may take; the middle of a longer one is left out.',
  ],
  'advanced.maxToolRounds': [
    { type: 'integer', default: policy.maxToolRounds, minimum: 0, maximum: 50, scope: 'window' },
    'Rounds of tool calls in one turn before the model has to answer. 0 answers without tools.',
  ],
  'advanced.messageCap': [
    { type: 'integer', default: policy.messageCap, minimum: 0, maximum: 10000, scope: 'window' },
    'Most chat messages in one prompt; the oldest turns are trimmed beyond that. 0 sets no cap.',
  ],
  'advanced.trimTarget': [
    { type: 'number', default: policy.trimTarget, minimum: 0.1, maximum: 1, scope: 'window' },
    'When a prompt exceeds the limit, it is trimmed to this share of the limit, or further where that saves decoding (`trimMustPay`). Lower values trim more at once and less often.',
  ],
  'advanced.pruneAt': [
    { type: 'number', default: policy.pruneAt, minimum: 0, maximum: 1, scope: 'window' },
    'Above this share of the limit, a new turn prunes older tool results to their first line. 0 prunes with every turn, even where that means decoding more.',
  ],
  'advanced.keepRecentToolResults': [
    {
      type: 'integer',
      default: policy.keepRecentToolResults,
      minimum: 0,
      maximum: 100,
      scope: 'window',
    },
    'Number of recent tool results that are kept whole when older ones are pruned.',
  ],
  'advanced.trimMustPay': [
    { type: 'boolean', default: policy.trimMustPay, scope: 'window' },
    'Trim only when that frees at least as many tokens as it makes the model decode again. Turn it off to trim by the limit alone.',
  ],
  'advanced.compactAt': [
    { type: 'number', default: policy.compactAt, minimum: 0.3, maximum: 1, scope: 'window' },
    'Older turns are summarized while the model is idle, once the conversation fills this share of its room.',
  ],
  'advanced.tailShare': [
    { type: 'number', default: policy.tailShare, minimum: 0, maximum: 0.6, scope: 'window' },
    'Share of the conversation’s room that the latest turns keep when older ones are summarized.',
  ],
  'advanced.summaryTries': [
    { type: 'integer', default: 3, minimum: 1, maximum: 10, scope: 'window' },
    'Number of attempts to get a valid choice from the summary model, with increasing pauses. After the last one the conversation stays as it is.',
  ],
  'advanced.leaseSeconds': [
    { type: 'integer', default: 300, minimum: 10, maximum: 3600, scope: 'window' },
    'Seconds without progress after which a compaction is abandoned and another window may try.',
  ],
  'advanced.cacheReuse': [
    { type: 'string', default: 'auto', scope: 'window' },
    'What is reused of the cache after older parts of the prompt were removed.',
    {
      auto: 'All that is left: shifted at once, and decoded again while you read, so that it is exact.',
      exact: 'Only what stands before the first removed part.',
      shift: 'All that is left, shifted and never decoded again. Fastest, and approximate.',
    },
  ],
  'advanced.promptCache': [
    { type: 'boolean', default: allOn.promptCache, scope: 'window' },
    'Reuse the cache of the previous prompt. Turn it off only to measure what it saves.',
  ],
  'advanced.workspaceCache': [
    { type: 'boolean', default: allOn.workspaceCache, scope: 'window' },
    'Read workspace files again only after they change. Turn it off to read them for every message.',
  ],
  'advanced.workspaceDebounceMilliseconds': [
    { type: 'integer', default: 500, minimum: 0, maximum: 5000, scope: 'window' },
    'Milliseconds without a change before workspace files are read again.',
  ],
  'advanced.workspaceMaxAgeSeconds': [
    { type: 'integer', default: 300, minimum: 0, maximum: 86400, scope: 'window' },
    'Seconds after which workspace files are read again even without a change. 0 never does.',
  ],
  'advanced.tokenCounter': [
    { type: 'boolean', default: allOn.tokenCounter, scope: 'window' },
    'Remember token counts. Turn it off to ask the model each time.',
  ],
  'advanced.tokenCountsKept': [
    { type: 'integer', default: 4096, minimum: 16, maximum: 1000000, scope: 'window' },
    'Number of token counts to remember.',
  ],
  'advanced.tokenCountSource': [
    { type: 'string', default: 'auto', scope: 'window' },
    'What counts the tokens of texts that are not in a prompt yet. Prompts themselves are always counted by the model.',
    {
      auto: 'The model; after three failures an estimate for a while.',
      exact: 'Always the model.',
      estimate: 'A rule of thumb; the model is not asked.',
    },
  ],
} as const;
