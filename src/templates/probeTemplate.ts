// Finds out at load how to hand a chat to a template: system text, tools, calls and results, and whether contents come through whole.
import { type CallSyntax, hermes, idMark, lfm2, ownSyntax } from '../core/calls/syntax.ts';
import type { ToolCallSupport } from '../core/engine/modelInfo.ts';
import { FaultError } from '../core/faults/faults.ts';
import type { TemplateValues, ThinkingSupport } from '../core/model/thinking.ts';
import type { Message, Prompt } from '../core/prompt/prompt.ts';
import { chatMessages, createQuotes, structuredCall } from './chatMessages.ts';
import { learnedId, learnedName, learnSyntax } from './learnSyntax.ts';
import { learnThoughts } from './learnThoughts.ts';
import { type Headers, type Plan, plainPlan, type SwitchedPlan } from './plan.ts';
import { type ChatTemplate, createRenderer, createTemplate, type RenderChat, type SpecialTexts } from './template.ts';

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
