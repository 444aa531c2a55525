// Settings of what answers, where it runs and what is kept there, by group: rows as in promptSettings.ts.
import { defaultAgent } from '../core/agent/agent.ts';
import { agentsSchema } from './agentsSchema.ts';
import { serverSchema } from './serverSchema.ts';

export const model = {
  'model.path': [
    { type: 'string', default: '', scope: 'machine' },
    'Path of the GGUF model file. The command *Tidemark: Get or Choose a Model* sets it for you.',
  ],
  'model.contextSize': [
    { type: 'integer', or: 'auto', default: 'auto', minimum: 512, maximum: 1048576, scope: 'machine' },
    'Context window in tokens: how much text the model can attend to at once. A larger window holds longer conversations, takes more memory and more time to read. `auto` chooses 8192, 16384, 32768 or 65536 by the memory and the speed of this machine; the Performance tab says why. It never exceeds what the model was trained for.',
  ],
  'model.thinking': [
    { type: 'string', default: 'auto', scope: 'machine' },
    'Whether a model thinks before it answers, if its chat template has a switch for it; other models ignore this. The button beside the mode sets it for one conversation.',
    {
      auto: 'On if the model writes a token in 70 ms or less here. Off while its speed is not known yet.',
      on: 'Think before each answer.',
      off: 'Answer at once. gpt-oss then thinks as little as it can (`low`).',
    },
  ],
  'model.thinkingTokens': [
    { type: 'integer', or: 'auto', default: 'auto', minimum: 16, maximum: 65536, scope: 'machine' },
    'Most tokens for the thoughts before an answer, if the model has a switch for thinking; then they are ended and the answer begins. `auto` is an eighth of the context window, and 4096 at most. Thoughts and reply together take at most a quarter of the window.',
  ],
  'model.gpu': [
    { type: 'string', default: 'auto', scope: 'machine' },
    'Where the model runs. Change it if the model fails to load or runs slower than expected; the Chat view shows what is in use.',
    {
      auto: 'Use a GPU if one is usable, otherwise the CPU.',
      off: 'CPU only.',
      cuda: 'NVIDIA GPUs, with the CUDA pack (see `#tidemark.model.packsFolder#`).',
      vulkan: 'Most GPUs, through Vulkan.',
      metal: 'Apple GPUs.',
    },
  ],
  'model.gpuLayers': [
    { type: 'integer', default: -1, minimum: -1, maximum: 1000, scope: 'machine', tags: ['advanced'] },
    'Model layers to put on the GPU. -1 uses as many as fit into the free GPU memory. Lower it if other programs need that memory.',
  ],
  'model.memoryMegabytes': [
    { type: 'integer', default: 0, minimum: 0, maximum: 16777216, scope: 'machine' },
    'Maximum RAM for the model and its caches, in megabytes. The context window shrinks to stay below it, and the Chat view says so. A separate model for summaries may take as much again. 0 sets no limit.',
  ],
  'model.threads': [
    { type: 'integer', default: 0, minimum: 0, maximum: 256, scope: 'machine', tags: ['advanced'] },
    'CPU threads. 0 finds the best number while the model works and leaves cores that other programs use alone. More threads than free cores make the model many times slower.',
  ],
  'model.onePerMachine': [
    { type: 'boolean', default: true, scope: 'machine' },
    'Load the model in one editor window at a time; another window asks before it loads one too. Turn it off if you have memory for one model in each window.',
  ],
  'model.unloadAfterMinutes': [
    { type: 'integer', default: 30, minimum: 0, maximum: 10080, scope: 'machine' },
    'Minutes without activity after which the model is unloaded to free its memory. It is loaded again with the next message, and stored caches are used (`#tidemark.cache.persistMaxMegabytes#`). 0 keeps it loaded.',
  ],
  'model.packsFolder': [
    { type: 'string', default: '', scope: 'machine', tags: ['advanced'] },
    'Folder with llama.cpp packs that you installed with npm, such as CUDA; see the guide on GPUs. Leave it empty to use the packs that ship with the extension.',
  ],
} as const;

export const engine = {
  engine: [
    { type: 'string', default: 'local', scope: 'machine' },
    'Where the model runs: `local` for this machine, or the name of one of `#tidemark.servers#`. With a server on another machine, your messages and the code that the model reads are sent there; the Chat view always shows to where.',
  ],
  servers: [
    { type: 'object', default: {}, additionalProperties: serverSchema, scope: 'machine', tags: ['advanced'] },
    'Your own servers by name, each with its address, such as `{"desk": {"url": "https://desk.example:8443"}}`. Store the key of one that asks for it with *Tidemark: Set the Key of a Server*.',
  ],
} as const;

export const agents = {
  agent: [
    { type: 'string', default: defaultAgent.name, scope: 'window' },
    'Agent that answers: `default`, or the name of one of `#tidemark.agents#`. The mode button below the message box sets it. `unified`, `guided` and `split` choose a graph for every model.',
  ],
  agents: [
    { type: 'object', default: {}, additionalProperties: agentsSchema, scope: 'window', tags: ['advanced'] },
    'Your own agents by name, each with its graph, instructions, tools, engine and context settings.',
  ],
} as const;

export const edits = {
  'edits.snapshotMegabytes': [
    { type: 'integer', default: 200, minimum: 1, maximum: 100000, scope: 'machine' },
    'Most disk space for snapshots of files before a model changed them, in megabytes. The oldest ones are deleted first, and all after 30 days. `/changes` shows what they take.',
  ],
} as const;

export const performance = {
  'cache.warm': [
    { type: 'boolean', default: true, scope: 'window' },
    'Prepare the next prompt while you read, so that only your message has to be decoded. Turn it off to save power.',
  ],
  'cache.conversations': [
    { type: 'integer', default: 1, minimum: 1, maximum: 16, scope: 'machine' },
    'Conversations whose cache stays in memory, so that going back to one of them costs nothing. Each needs as much memory as the first.',
  ],
  'cache.persistMaxMegabytes': [
    { type: 'integer', default: 2048, minimum: 0, maximum: 1048576, scope: 'machine' },
    'Most disk space for the caches of long conversations, in megabytes, so that a reopened window continues without decoding them again. The least recently used ones are deleted first; 0 stores none. The files contain the conversation in the model’s form, in a folder that only you can read.',
  ],
} as const;

export const network = {
  'network.offline': [
    { type: 'boolean', default: false, scope: 'machine' },
    'Never use the network, not even to download a model you ask for or for a server in `#tidemark.servers#`. When it is off, Tidemark uses the network for model downloads, and for the server in `#tidemark.engine#` only.',
  ],
  'network.huggingFace': [
    { type: 'string', default: 'https://huggingface.co', scope: 'machine', tags: ['advanced'] },
    'Server that model downloads come from: Hugging Face or a mirror of it.',
  ],
  'models.folder': [
    { type: 'string', default: '', scope: 'machine' },
    'Folder for downloaded models. Leave it empty to use Tidemark’s own storage.',
  ],
} as const;

export const suggestions = {
  'completion.enabled': [
    { type: 'boolean', default: false, scope: 'window' },
    'Suggest the rest of a line, or the next lines, while you type. The model of the chat writes them on this machine.',
  ],
  'completion.languagesOff': [
    {
      type: 'array',
      items: { type: 'string' },
      default: ['plaintext', 'markdown', 'scminput'],
      scope: 'window',
    },
    'Languages without inline suggestions, by the identifiers of the editor, such as `markdown`. A suggestion that you ask for by hand comes all the same.',
  ],
  'completion.model': [
    { type: 'string', default: '', scope: 'machine' },
    'Path of a GGUF model that writes inline suggestions beside the model of the chat, such as a small coder model. Leave it empty to use the model of the chat.',
  ],
} as const;

export const commands = {
  'commands.denied': [
    { type: 'array', items: { type: 'string' }, default: [], scope: 'machine' },
    'Beginnings of commands that a model may never run, such as `git push` or `rm`, whatever else is allowed. Every other command asks until you allow it.',
  ],
  'commands.variables': [
    { type: 'array', items: { type: 'string' }, default: [], scope: 'machine' },
    'Names of environment variables that the commands of a model get besides those that every program needs, such as `MY_SDK` or `MY_*`. Names that look like those of credentials are never handed on.',
  ],
  'commands.timeoutSeconds': [
    { type: 'integer', default: 120, minimum: 1, maximum: 86_400, scope: 'machine' },
    'Seconds after which a command of a model is stopped, with all that it started.',
  ],
} as const;
