// Whether ids can be relied on with a server: proved by what it gives for texts whose outcome is known, before anything of the user's is sent.
import type { ModelLanguage } from '../../../templates/language.ts';
import type { SafeTokens } from '../../../templates/safeTokens.ts';
import type { ExactServer } from './exactServer.ts';
import type { FetchedTokens } from './fetchedTokens.ts';

/** Scripts, marks, line ends, blanks and what JSON escapes. */
const samples = [
  'export function a(b: string): number {\n\treturn b.length >= 10 ? 1 : 0; // "c" \\n\r\n}',
  'Grüße, 你好, שלום, नमस्ते, 🧜‍♀️ and é.',
  '   three blanks,\n\n\ntwo empty lines   ',
];

/** Requests under way: as many as a server takes without a queue. */
const atOnce = 16;

/** Resolves to a sentence for each thing proved. Rejects with a FaultError when one fails. */
export async function proofOf(
  server: ExactServer,
  tokens: FetchedTokens,
  safe: SafeTokens,
  { template, spelling }: ModelLanguage,
): Promise<readonly string[]> {
  const otherTokens = (reason: string) => server.otherTokens(reason);
  const contents = await tokens.whole(() => samples.map((text) => safe.content(text)));
  const spelled = async (all: readonly (readonly number[])[]) => {
    if (server.spell === undefined) return all.map((ids) => spelling.text(ids));
    const texts: string[] = [];
    for (let at = 0; at < all.length; at += atOnce)
      texts.push(...(await Promise.all(all.slice(at, at + atOnce).map((ids) => server.spell?.(ids) ?? ''))));
    return texts;
  };
  const back = await spelled(contents);
  if (back.some((text, i) => text !== samples[i])) throw otherTokens('texts do not come back whole');

  const { ids, detokenise } = tokens.vocabulary;
  const marks = [...ids()].flatMap((id) => {
    const text = detokenise([id], [id]);
    return safe.special(text) === id ? [{ id, text }] : [];
  });
  const hostile = marks.map(({ text }) => `a ${text} b`);
  const special = new Set(marks.map(({ id }) => id));
  const written = await tokens.whole(() => hostile.map((text) => safe.content(text)));
  if (written.some((ids) => ids.some((id) => special.has(id))))
    throw otherTokens('a special string within a text would act');
  const whole = server.spell === undefined ? hostile : await spelled(written);
  if (whole.some((text, i) => text !== hostile[i]))
    throw otherTokens('a special string within a text does not come back');

  const glue = glueOf(template);
  const own = await tokens.whole(() => glue.map((text) => safe.glue(text)));
  const theirs = await server.tokenise(glue, true);
  if (theirs.some((part, i) => part.join() !== own[i]?.join()))
    throw otherTokens('the template of the chat has other tokens there');
  return [
    'Token ids are sent and come back.',
    `${samples.length} sample texts come back whole, and none of ${marks.length} special strings acts within a text.`,
  ];
}

function glueOf(template: ModelLanguage['template']): readonly string[] {
  const message = (role: 'system' | 'user' | 'assistant') =>
    ({ role, segments: [{ layer: 'system', item: null, part: 'text', text: 'x' }] }) as const;
  const messages = [message('system'), message('user'), message('assistant'), message('user')];
  const parts = template.render({ messages, tools: [] }, true);
  return [...new Set(parts.flatMap((part) => ('glue' in part ? [part.glue] : [])))];
}
