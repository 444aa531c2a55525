// Whether calls are read as a template writes them itself: an argument with blanks, a number, a list with quotes and tags.
import { placeCalls } from '../../src/core/calls/place.ts';
import { readGeneration } from '../../src/core/calls/read.ts';
import { renderedText } from '../../src/core/calls/render.ts';
import { ownSyntax } from '../../src/core/calls/syntax.ts';
import type { ProbedTemplate } from '../../src/templates/probeTemplate.ts';
import { createRenderer, type RenderChat } from '../../src/templates/template.ts';
import { special } from './growing.ts';

const tool = {
  name: 'edit_file',
  description: 'Edits.',
  parameters: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'p' },
      line: { type: 'integer', description: 'n' },
      lines: { type: 'array', items: { type: 'string' }, description: 'l' },
    },
    required: ['path'],
  },
} as const;
const values = { path: 'src/a b.ts', line: 3, lines: ['const a = "x";', "it's <b>&"] };
const asked = [
  { role: 'system', content: 'S' },
  { role: 'user', content: 'QQUSER' },
];

/** Gives null where they are read; else what was read instead. A template that writes none, or not so many, has them written by us. */
export function ownCalls(source: string, { toolCalls, plan, thinking }: ProbedTemplate, count: 1 | 2): string | null {
  if (toolCalls.format === 'none') return 'no calls';
  const render = createRenderer(source, special)(plan);
  const written = ['object', 'string']
    .map((form) => writtenBy(render, form === 'object', count))
    .filter((text) => text !== null);
  const calls = Array.from({ length: count }, (_, i) => ({ id: idOf(i), name: tool.name, arguments: values }));
  const ours = renderedText(toolCalls.syntax ?? ownSyntax, '', calls);
  const read = (raw: string) => {
    const { calls: found } = readGeneration(toolCalls.syntax, raw, true, [tool], thinking.marks);
    const placed = placeCalls(found, [tool], () => 'id');
    const same = placed.every((call) => call.problem === undefined && sorted(call.arguments) === sorted(values));
    return placed.length === count && same;
  };
  const texts = written.length === 0 ? [ours] : written;
  return texts.some(read) ? null : `not read: ${JSON.stringify(texts[0]?.slice(0, 90))}`;
}

const idOf = (i: number) => `call0000${i + 1}`;

function sorted(given: object): string {
  return JSON.stringify(Object.entries(given).sort(([a], [b]) => a.localeCompare(b)));
}

/** The text that the template has a model write; null where it refuses so many calls, writes none, or ends the message between them. */
function writtenBy(render: RenderChat, asObject: boolean, count: number): string | null {
  const tool_calls = Array.from({ length: count }, (_, i) => ({
    id: idOf(i),
    type: 'function',
    function: { name: tool.name, arguments: asObject ? values : JSON.stringify(values) },
  }));
  const behind = (text: string) => text.slice(text.lastIndexOf('QQUSER') + 'QQUSER'.length);
  try {
    const tail = behind(render(asked, [tool], true));
    const said = behind(render([...asked, { role: 'assistant', content: '', tool_calls }], [tool], false));
    // Some have the model speak whether they are asked to or not.
    const whole = said.endsWith(tail) ? said.slice(0, -tail.length) : said;
    let at = 0;
    while (at < tail.length && whole[at] === tail[at]) at += 1;
    const tag = tail.slice(0, at).lastIndexOf('<');
    if (tag > tail.slice(0, at).lastIndexOf('>')) at = tag;
    const end = special.ends.find((one) => whole.trimEnd().endsWith(one)) ?? '';
    const raw = end === '' ? whole.slice(at) : whole.trimEnd().slice(at, -end.length);
    const inOne = !special.ends.some((one) => raw.includes(one));
    return raw.split(tool.name).length > count && (count === 1 || inOne) ? raw : null;
  } catch {
    return null;
  }
}
