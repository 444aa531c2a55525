// Checks what a webview sends before anything trusts it.
import { isRecord } from '../../core/record.ts';
import { type Asked, questionNames, type SessionChange } from '../../protocol/questions.ts';
import type { ViewToHost } from '../../protocol/view.ts';

type Kind = 'string' | 'number' | 'boolean' | 'string or null';
type Plain = Exclude<ViewToHost, { readonly type: 'ask' }>;
type Shapes = {
  readonly [T in Plain['type']]: { readonly [F in Exclude<keyof Extract<Plain, { type: T }>, 'type'>]: Kind };
};

const change = { file: 'string', key: 'string' } as const;
const code = { code: 'string', language: 'string', path: 'string or null', message: 'string' } as const;

/** The fields of each message besides its type. */
const shapes: Shapes = {
  ready: {},
  focused: { on: 'boolean' },
  send: { text: 'string' },
  sendAlone: { text: 'string' },
  edit: { item: 'string', text: 'string' },
  answerInstead: { item: 'string', text: 'string' },
  continue: { words: 'string' },
  regenerate: {},
  fix: { command: 'string' },
  runWithNetwork: { command: 'string' },
  letRun: {},
  stopProgram: { run: 'number' },
  openPort: { run: 'number', port: 'number' },
  showPrograms: {},
  openBranch: { item: 'string', at: 'number' },
  unqueue: { id: 'number' },
  stop: {},
  approve: { call: 'string', allowed: 'boolean' },
  approveLasting: { call: 'string', lasting: 'number' },
  written: { text: 'string' },
  chooseIntent: { act: 'string', command: 'string', without: 'string' },
  chooseFound: { place: 'string', as: 'string' },
  remember: { item: 'string' },
  answerProposal: { compaction: 'string', proposal: 'string', keep: 'boolean' },
  refreshWorkspace: {},
  switchTool: { name: 'string', on: 'boolean' },
  think: { on: 'boolean' },
  newSession: {},
  listSessions: { shown: 'boolean' },
  importSession: {},
  restartModel: {},
  loadHere: {},
  chooseModel: {},
  chooseAgent: {},
  chooseFile: {},
  pauseDownload: {},
  openFolder: {},
  manageTrust: {},
  toggleContext: {},
  openSetting: { key: 'string' },
  open: { path: 'string', line: 'number' },
  copyCode: code,
  insertCode: code,
  applyCode: code,
  runCode: code,
  typeCode: code,
  keepChange: change,
  undoChange: change,
  compareChange: { file: 'string' },
  keepChanges: {},
  undoChanges: {},
  openChanges: {},
  redoChange: { file: 'string' },
  undoTurn: { item: 'string' },
  redoTurn: { item: 'string' },
  openLink: { href: 'string' },
  createFile: code,
};

/** A message as a webview sent it, or null when it is none. Numbers are whole; fields that nobody knows are dropped. */
export function parseViewMessage(value: unknown): ViewToHost | null {
  if (!isRecord(value)) return null;
  if (value.type === 'ask') return parseQuestion(value);
  if (typeof value.type !== 'string' || !Object.hasOwn(shapes, value.type)) return null;
  const fields = Object.entries<Kind>(shapes[value.type as Plain['type']]);
  if (!fields.every(([name, kind]) => isOf(kind, value[name]))) return null;
  return Object.fromEntries([['type', value.type], ...fields.map(([name]) => [name, value[name]])]) as ViewToHost;
}

function isOf(kind: Kind, value: unknown): boolean {
  if (kind === 'number') return Number.isSafeInteger(value);
  return kind === 'string or null' ? value === null || typeof value === 'string' : typeof value === kind;
}

function parseQuestion({ id, question, params }: Readonly<Record<string, unknown>>): Asked | null {
  const name = questionNames.find((known) => known === question);
  if (name === undefined || !Number.isInteger(id) || !isRecord(params)) return null;
  const [key, type] = wanted[name];
  if (key !== null && typeof params[key] !== type) return null;
  if (name === 'changeSession' && !isChange(params)) return null;
  if (name === 'blockChange' && !Object.entries(code).every(([field, kind]) => isOf(kind, params[field]))) return null;
  return { type: 'ask', id: Number(id), question: name, params: params as Asked['params'] };
}

const changes: Readonly<Record<SessionChange['what'], true>> = {
  open: true,
  seize: true,
  beside: true,
  rename: true,
  delete: true,
  exportMarkdown: true,
  exportJson: true,
};

function isChange({ what, title }: Readonly<Record<string, unknown>>): boolean {
  return typeof what === 'string' && Object.hasOwn(changes, what) && typeof title === 'string';
}

/** The first parameter of each question, and its type. */
const wanted = {
  command: ['line', 'string'],
  item: ['at', 'number'],
  prompt: ['of', 'string'],
  whatIf: ['window', 'number'],
  compactions: [null, ''],
  caret: [null, ''],
  saveReport: [null, ''],
  openReport: [null, ''],
  complete: ['typed', 'string'],
  mention: ['places', 'string'],
  places: ['places', 'string'],
  sessions: ['words', 'string'],
  changeSession: ['id', 'string'],
  examples: [null, ''],
  blockChange: ['code', 'string'],
} as const satisfies Readonly<Record<Asked['question'], readonly [string | null, string]>>;
