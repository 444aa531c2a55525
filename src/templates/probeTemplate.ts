// Finds out at load how to hand a chat to a template: system text, tools, calls and results, and whether contents come through whole.

import { allMarks } from '../core/answer/readThoughts.ts';
import type { ThoughtMarks } from '../core/answer/thoughts.ts';
import { type CallSyntax, hermes, idMark, lfm2, ownSyntax } from '../core/calls/syntax.ts';
import type { ToolCallSupport } from '../core/engine/modelInfo.ts';
import { FaultError } from '../core/faults/faults.ts';
import type { TemplateValues, ThinkingSupport, ThinkingSwitch } from '../core/model/thinking.ts';
import { openedBy } from '../core/model/thoughts.ts';
import type { Message, Prompt } from '../core/prompt/prompt.ts';
import { chatMessages, createQuotes, structuredCall } from './chatMessages.ts';
import { atTag, learnedId, learnedName, learnSyntax, sharedStart } from './learnSyntax.ts';
import { type Headers, type Plan, plainPlan, type SwitchedPlan } from './plan.ts';
import { type ChatTemplate, createRenderer, createTemplate, type RenderChat, type SpecialTexts } from './template.ts';

// Learns from a chat template what it wraps thoughts in, and which of its variables has a model think or not, by rendering a message with a thought.
const asked = [
  { role: 'system', content: 'You look things up.' },
  { role: 'user', content: 'qquser' },
];
/** Names of a message's field for its thoughts. */
const fields = ['reasoning_content', 'reasoning', 'thinking', 'thought'] as const;
/** Values that have a model think, or not. The first of each that changes anything is taken. */
const flags: readonly (readonly [on: TemplateValues, off: TemplateValues])[] = [
  [{ enable_thinking: true }, { enable_thinking: false }],
  [{ thinking: true }, { thinking: false }],
  [{ thinking_mode: 'enabled' }, { thinking_mode: 'disabled' }],
  [{ thinking_budget: -1 }, { thinking_budget: 0 }],
  [{ reasoning_effort: 'high' }, { reasoning_effort: 'none' }],
  [{ reasoning_effort: 'high' }, { reasoning_effort: 'no_think' }],
];
const efforts = [{ reasoning_effort: 'medium' }, { reasoning_effort: 'low' }] as const;

/** Channels have marks of their own. `ends` are the texts that end a generation. */
function learnThoughts(render: RenderChat, channels: boolean, ends: readonly string[]): ThinkingSupport {
  const written = (chat: readonly object[], generate: boolean, values: TemplateValues): string | null => {
    try {
      const text = render([...asked, ...chat] as Parameters<RenderChat>[0], [], generate, values);
      return text;
    } catch {
      // A template that refuses a value or a field has nothing to show for it.
      return null;
    }
  };
  const marks = channels ? [] : marksOf(written, ends);
  return { marks, switch: switchOf((values) => written([], true, values), marks) };
}

type Written = (chat: readonly object[], generate: boolean, values: TemplateValues) => string | null;

function behindUser(text: string): string {
  return text.slice(text.lastIndexOf('qquser') + 'qquser'.length);
}

function marksOf(written: Written, ends: readonly string[]): readonly ThoughtMarks[] {
  for (const values of [{}, ...flags.map(([on]) => on)]) {
    const tail = behindUser(written([], true, values) ?? '');
    const plain = behindUser(written([{ role: 'assistant', content: 'qqanswer' }], false, values) ?? '');
    for (const field of fields) {
      const message = { role: 'assistant', content: 'qqanswer', [field]: 'qqthought' };
      const parts = behindUser(written([message], false, values) ?? '').split(/qqthought|qqanswer/);
      if (parts.length === 3 && plain.includes('qqanswer'))
        return learned(parts as [string, string, string], plain, tail, ends);
    }
  }
  return [];
}

/** `plain` is a message without thoughts, `tail` what the template writes where the model is to speak. */
function learned(
  [before, between, after]: readonly [string, string, string],
  plain: string,
  tail: string,
  ends: readonly string[],
): readonly ThoughtMarks[] {
  if (allMarks.some(({ open }) => before.trimEnd().endsWith(open))) return [];
  const common = sharedStart(before, plain.split('qqanswer')[0] ?? '');
  const header = atTag(sharedStart(common, tail) || common);
  const behind = before.slice(header.length).trim();
  // A template that opens them itself need not repeat that in what was said.
  const open = behind === '' && tail.startsWith(header) ? tail.slice(header.length).trim() : behind;
  const close = /^\s*(<[^<>]*>|\[[^[\]]*\])/.exec(between)?.[1] ?? between.trim();
  if (open === '' || close === '') return [];
  const wrap = between.slice(between.indexOf(close) + close.length).trim();
  const alone = (plain.split('qqanswer')[0] ?? '').slice(sharedStart(plain, tail).length).trim();
  const end = ends.reduce((text, one) => text.split(one)[0] ?? '', after).trim();
  const wraps = [...new Set([wrap, alone])].filter((one) => one !== '');
  return wraps.length === 0 ? [{ open, close }] : wraps.map((one) => ({ open, close, answer: [one, end] as const }));
}

type How = 'opened' | 'closed' | 'free';

function switchOf(
  prompt: (values: TemplateValues) => string | null,
  marks: readonly ThoughtMarks[],
): ThinkingSwitch | null {
  const usual = prompt({}) ?? '';
  const how = (text: string): How => howItEnds(behindUser(text), marks);
  for (const pair of flags) {
    const [on, off] = pair.map((values) => ({ values, text: prompt(values) ?? usual })) as [Tried, Tried];
    if (on.text === off.text || !isSwitch(how(on.text), how(off.text), pair)) continue;
    const orUsual = ({ values, text }: Tried) => (text === usual ? {} : values);
    return { on: orUsual(on), off: orUsual(off), onlyLess: false };
  }
  const [more, less] = efforts.map((values) => prompt(values));
  if (more == null || less == null || more === less) return closing(usual, marks);
  return { on: more === usual ? {} : efforts[0], off: efforts[1], onlyLess: how(less) !== 'closed' };
}

function closing(usual: string, marks: readonly ThoughtMarks[]): ThinkingSwitch | null {
  const opened = openedBy(usual, marks);
  return opened === null ? null : { on: {}, off: {}, closes: `\n${opened.close}\n\n`, onlyLess: false };
}

interface Tried {
  readonly values: TemplateValues;
  readonly text: string;
}

/** Efforts without an end of thoughts only change a word of the prompt: they are no switch. */
function isSwitch(on: How, off: How, [, { reasoning_effort: effort }]: (typeof flags)[number]): boolean {
  return effort === undefined ? off !== 'opened' : off === 'closed' && on !== 'closed';
}

/** Whether the template opens thoughts for the model, ends them for it, or leaves them to it. */
function howItEnds(tail: string, marks: readonly ThoughtMarks[]): How {
  if (openedBy(tail, marks) !== null) return 'opened';
  return [...marks, ...allMarks].some(({ open, close }) => tail.includes(open) || tail.includes(close))
    ? 'closed'
    : 'free';
}

export interface ProbedTemplate {
  readonly template: ChatTemplate;
  readonly toolCalls: ToolCallSupport;
  readonly plan: Plan;
  readonly thinking: ThinkingSupport;
}

/** In the order they are tried: the first that renders a plain chat is used. */
const shapes: readonly Pick<Plan, 'system' | 'noTools' | 'contents'>[] = (['text', 'parts'] as const).flatMap(
  (contents) => [
    { system: 'own', noTools: 'absent', contents },
    { system: 'own', noTools: 'empty', contents },
    { system: 'merged', noTools: 'absent', contents },
    { system: 'merged', noTools: 'empty', contents },
  ],
);

/** Throws `templateUnusable` with the first shape's reason when the template renders a plain chat in none. */
export function probeTemplate(source: string | undefined, special: SpecialTexts): ProbedTemplate {
  if (source === undefined) throw new FaultError({ kind: 'modelWithoutTemplate' });
  const renderer = createRenderer(source, special);
  const refusals: unknown[] = [];
  for (const shape of shapes) {
    const render = renderer(shape);
    try {
      const plan = measured({ ...plainPlan, ...shape }, render);
      const template = createTemplate(source, special, plan);
      template.render(plainChat, true);
      const found = withTools(source, special, plan, render) ?? { template, plan, toolCalls: noCalls };
      return withThinking(found, source, special, render);
    } catch (error) {
      refusals.push(error);
    }
  }
  throw refusals[0];
}

type Found = Omit<ProbedTemplate, 'thinking'>;

/** A switch is used only where both its positions render chats. */
function withThinking(found: Found, source: string, special: SpecialTexts, render: RenderChat): ProbedTemplate {
  const { plan } = found;
  const thinking = learnThoughts(render, plan.syntax?.channels === true, special.ends);
  if (thinking.switch === null) return { ...found, thinking };
  try {
    const { on, off, closes = '' } = thinking.switch;
    const both: Plan = {
      ...plan,
      thinking: { on: switched(plan, render, on, ''), off: switched(plan, render, off, closes) },
    };
    const template = createTemplate(source, special, both);
    const chat = plan.syntax === null ? plainChat : toolChat;
    for (const mode of ['on', 'off'] as const) template.render({ ...chat, thinking: mode }, true);
    return { ...found, template, plan: both, thinking };
  } catch {
    return { ...found, thinking: { ...thinking, switch: null } };
  }
}

function switched(plan: Plan, render: RenderChat, values: TemplateValues, closes: string): SwitchedPlan {
  const { user, tool } = headersOf(plan, render, values);
  return { values, closes, headers: { user: user + closes, tool: tool + closes } };
}

const noCalls: ToolCallSupport = { format: 'none', reason: 'its chat template carries no tool results' };

/** The first way to carry tool calls that keeps every prefix, else the first that works; the template's own before ours. */
function withTools(source: string, special: SpecialTexts, plain: Plan, render: RenderChat): Found | null {
  let working: Found | null = null;
  for (const wanted of [...ownPlans(source, special, plain, render), ourPlan(plain)]) {
    try {
      const plan = measured(wanted, render);
      const template = createTemplate(source, special, plan);
      checkSchemas(template, plan);
      const syntax = plan.syntax ?? ownSyntax;
      const found = { template, plan, toolCalls: { format: syntax.family, syntax, schemas: plan.schemas } };
      if (keepsPrefixes(template)) return found;
      working ??= found;
    } catch {
      // This way does not suit the template: the next one is tried.
    }
  }
  return working;
}

function ourPlan(plain: Plan): Plan {
  return { ...plain, schemas: 'text', calls: 'text', results: 'user', syntax: ownSyntax };
}

function* ownPlans(source: string, special: SpecialTexts, plain: Plan, render: RenderChat): Generator<Plan> {
  for (const form of ['object', 'string'] as const) {
    const syntax = learn(source, special, render, form);
    if (syntax === null) continue;
    for (const schemas of ['template', 'text'] as const) {
      for (const calls of ['all', 'first', 'text'] as const) {
        yield { ...plain, arguments: form, schemas, calls, syntax };
      }
    }
  }
  // Such a template tells the model how to call, but has no place for structured calls.
  if (source.includes('<tool_call>')) yield { ...plain, syntax: hermes };
  if (source.includes('"List of tools: ')) yield { ...plain, syntax: lfm2 };
}

function learn(source: string, special: SpecialTexts, render: RenderChat, form: Plan['arguments']): CallSyntax | null {
  const asked = [
    { role: 'system', content: 'You look things up.' },
    { role: 'user', content: 'qquser' },
  ];
  const behind = (text: string) => text.slice(text.lastIndexOf('qquser') + 'qquser'.length);
  const call = (values: object, i: number) => ({
    id: learnedId(i + 1),
    type: 'function',
    function: {
      name: learnedName,
      arguments: form === 'string' ? JSON.stringify(values).replaceAll('":"', '": "') : values,
    },
  });
  try {
    return learnSyntax(
      source,
      (message) => {
        const answer =
          'text' in message ? { content: message.text } : { content: '', tool_calls: message.calls.map(call) };
        return behind(render([...asked, { role: 'assistant', ...answer }], [], false));
      },
      behind(render(asked, [], true)),
      special.ends,
    );
  } catch {
    return null;
  }
}

/** Fills in what only the template can tell: its headers, the end of its calls, and whether it writes results as JSON. */
function measured(plan: Plan, render: RenderChat): Plan {
  const quotes = createQuotes(/(?!)/);
  const text = (messages: readonly Message[], generate: boolean, change: (chat: string) => string = (chat) => chat) => {
    const chat = chatMessages(messages, plan, '', quotes).map((message) => ({
      ...message,
      content: change(message.content),
    }));
    return render(chat, [], generate);
  };
  const headers = headersOf(plan, render);
  const roles = (messages: readonly Message[]) => escapedRoles(messages, (change) => text(messages, true, change));
  if (plan.syntax === null) return { ...plan, headers, escaped: roles(plainChat.messages) };
  const called = toolChat.messages.slice(0, 4);
  const rendered = text(called, true);
  const callEnd = callEndOf(plan, rendered, render).replaceAll(probeId, idMark);
  return { ...plan, headers, callEnd, escaped: roles(called) };
}

/** The texts behind a user's message, and behind a tool's, for the model to go on with. */
function headersOf(plan: Plan, render: RenderChat, values: TemplateValues = {}): Headers {
  const quotes = createQuotes(/(?!)/);
  const tail = (messages: readonly Message[]) =>
    render(chatMessages(messages, plan, '', quotes), [], true, values)
      .split('\uE001')
      .at(-1) ?? '';
  const user = tail(plainChat.messages.slice(0, 2));
  if (plan.syntax === null) return { user, tool: user };
  return { user, tool: tail(toolChat.messages.slice(0, 4)).replaceAll(probeId, idMark) };
}

/** A quote, a line break and outer blanks: what a template does to them it does to any content. */
const awkward = ' a "tide"\nb ';

/** The roles whose content a template writes as JSON strings. Throws when it changes or drops content in another way. */
function escapedRoles(
  messages: readonly Message[],
  write: (change: (content: string) => string) => string,
): ReadonlySet<string> {
  const escaped = new Set<string>();
  const marked = write((content) => content);
  for (const [i, { role, segments }] of messages.entries()) {
    const mark = `\uE000${i}\uE001`;
    if (segments.some(({ calls }) => calls !== undefined) || !marked.includes(mark)) continue;
    const written = write((content) => content.replace(mark, awkward));
    const wrote = (texts: readonly string[]) => texts.some((text) => written === marked.replace(mark, text));
    // Outer blanks that a template would strip stay: contents are put in afterwards.
    const whole = [awkward, awkward.trim(), awkward.trimStart(), awkward.trimEnd()];
    if (wrote(whole)) continue;
    if (!wrote(whole.map((text) => JSON.stringify(text).slice(1, -1)))) {
      throw new FaultError({ kind: 'templateUnusable', reason: `it changes what a message of role ${role} says` });
    }
    escaped.add(role);
  }
  return escaped;
}

/** Returns the text behind the first argument's name in a structured call: the same for every call, as all have the same shape. */
function callEndOf(plan: Plan, rendered: string, render: RenderChat): string {
  if (plan.calls === 'text') return '';
  const call = { role: 'assistant', content: '', tool_calls: [structuredCall('probe', probeId, 'c2', plan)] };
  const alone = render([{ role: 'system', content: 's' }, { role: 'user', content: 'u' }, call], [], false);
  const plain = render(
    [
      { role: 'system', content: 's' },
      { role: 'user', content: 'u' },
      { role: 'assistant', content: 'qqtext' },
    ],
    [],
    false,
  );
  const end = alone.split('\uE001').at(-1) ?? '';
  const syntax = plan.syntax ?? ownSyntax;
  const written = syntax.channels
    ? end.slice(0, end.indexOf('<|call|>'))
    : endOfCall(syntax, end, plain.split('qqtext').at(-1) ?? '');
  if (!(rendered.split('\uE001')[3] ?? '').startsWith(written)) throw new Error('calls end differently');
  return written;
}

/** Up to the end of the syntax's last literal, or up to what ends any message where it has none. */
function endOfCall(syntax: CallSyntax, end: string, plainEnd: string): string {
  const last = (syntax.after + syntax.section[1]).trimEnd();
  const at = last === '' ? -1 : end.lastIndexOf(last);
  if (at >= 0) return end.slice(0, at + last.length);
  const stop = end.lastIndexOf(plainEnd);
  return plainEnd === '' || stop < 0 ? end : end.slice(0, stop);
}

/** Throws when a template prints schemas nowhere, or behind what changes from turn to turn. */
function checkSchemas(template: ChatTemplate, plan: Plan): void {
  for (const prompt of [toolChat, { ...toolChat, tools: [] }]) template.render(prompt, true);
  if (plan.schemas === 'text') return;
  const stretches = template.render(toolChat, true);
  const at = stretches.findIndex((stretch) => 'glue' in stretch && stretch.glue.includes(probeDescription));
  const firstUser = stretches.findIndex((stretch) => 'segment' in stretch && stretch.segment === 1);
  const last = stretches.findLastIndex((stretch) => 'glue' in stretch && stretch.glue.includes(probeDescription));
  if (at < 0 || last > firstUser) throw new Error('the schemas do not stand in the head');
}

/** Whether every prompt of a chat, and what was generated from it, begins the next one. Throws when one does not render. */
function keepsPrefixes(template: ChatTemplate): boolean {
  const { messages, tools } = toolChat;
  const asked = messages.flatMap(({ role }, i) =>
    role === 'user' || (role === 'tool' && messages[i + 1]?.role !== 'tool') ? [i + 1] : [],
  );
  const texts = asked.map((end) =>
    template
      .render({ messages: messages.slice(0, end), tools }, true, () => true)
      .map((stretch) => ('glue' in stretch ? stretch.glue : JSON.stringify(stretch)))
      .join(''),
  );
  return texts.every((text, i) => i === 0 || text.startsWith(texts[i - 1] ?? ''));
}

const probeId = 'call00001';
const secondId = 'call00002';

/** An assistant's message has that many calls; a tool's answers the one of that number. */
function message(role: Message['role'], text: string = role, calls = 0): Message {
  const ids = [probeId, secondId];
  const made = ids.slice(0, calls).map((id) => ({ id, name: 'probe', arguments: { text: 'x' } }));
  const own = role === 'assistant' && calls > 0 ? { calls: made } : {};
  const segments = [{ layer: 'history', item: text, part: 'text', text, ...own }] as const;
  return { role, segments, ...(role === 'tool' ? { call: { id: ids[calls] ?? probeId, tool: 'probe' } } : {}) };
}

const head = [message('system'), message('user')];
const plainChat: Prompt = { messages: [...head, message('assistant'), message('user')], tools: [] };
const probeDescription = 'Probes the tide.';
const schema = {
  name: 'probe',
  description: probeDescription,
  parameters: { type: 'object', properties: { text: { type: 'string', description: 'what' } }, required: ['text'] },
} as const;
const round = [message('assistant', 'call', 1), message('tool')];
const parallel = [message('assistant', 'calls', 2), message('tool'), message('tool', 'tool', 1)];
const toolChat: Prompt = {
  messages: [
    ...head,
    ...round,
    message('assistant'),
    message('user'),
    message('assistant'),
    message('user'),
    ...round,
    ...parallel,
    ...round,
    message('assistant'),
    message('user'),
  ],
  tools: [schema],
};
