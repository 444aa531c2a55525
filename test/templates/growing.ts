// A chat of twenty turns in a chat template: whether each prompt begins with the one before and what was said behind it.
import type { ThinkingMode } from '../../src/core/dialog/dialog.ts';
import type { Message } from '../../src/core/prompt/prompt.ts';
import type { ProbedTemplate } from '../../src/templates/probeTemplate.ts';
import type { SpecialTexts } from '../../src/templates/template.ts';

/** These end a turn in the vocabularies these templates belong to; the vocabularies themselves are not in the bundle. */
const ends =
  '</s> <|im_end|> <|eot_id|> <|eom_id|> <｜end▁of▁sentence｜> <|END_OF_TURN_TOKEN|> <|call|> <|return|> <|end|> <turn|> <|tool_response> <SPECIAL_12> <｜hy_eos:opensource｜> <|calls|> [e~[ <|message_sep|> <seed:eos> <|eot|> <|end_of_text|> <|role_end|> <|observation|> <|user|> <end_of_sentence> <|end_of_msg|>'.split(
    ' ',
  );
export const special: SpecialTexts = { bos: '<s>', eos: '</s>', any: /(?!)/g, ends };
export const tool = {
  name: 'find',
  description: 'Finds things.',
  parameters: { type: 'object', properties: { q: { type: 'string', description: 'what' } }, required: ['q'] },
} as const;

/** A chat that grows message by message, each with an id of its own. */
class Growing {
  readonly messages: Message[] = [];

  add(role: Message['role'], text: string, extra: Partial<Message> = {}, calls: object = {}): void {
    const segment = { layer: 'history', item: String(this.messages.length), part: 'text', text, ...calls } as const;
    this.messages.push({ role, segments: [segment], ...extra });
  }

  call(text: string, id: string, thinking: ThinkingMode | undefined): void {
    this.add('assistant', text, {}, { calls: [{ id, name: 'find', arguments: { q: text } }], ...by(thinking) });
  }

  result(text: string, id: string): void {
    this.add('tool', text, { call: { id, tool: 'find' } });
  }

  /** The prompt as text with segments in angle quotes, as if the loaded model had generated what is assistant's. */
  shown({ template }: ProbedTemplate, thinking: ThinkingMode | undefined): string {
    const segments = this.messages.flatMap((message) => message.segments);
    return template
      .render({ messages: this.messages, tools: [tool], ...switched(thinking) }, true, () => true)
      .map((part) =>
        'glue' in part ? part.glue : 'quoted' in part ? part.quoted : `«${segments[part.segment]?.text}»`,
      )
      .join('');
  }
}

function switched(thinking: ThinkingMode | undefined) {
  return thinking === undefined ? {} : { thinking };
}

/** Generated with the switch there. */
function by(thinking: ThinkingMode | undefined) {
  return thinking === undefined ? {} : { generated: { model: 'm', ids: [1], thinking } };
}

/** Twenty turns with none, one or two tool rounds. `modes` are those of the switch, turn by turn. Returns the first message whose prompt does not begin with the one before. */
export function firstBreak(
  probed: ProbedTemplate,
  modes: readonly (ThinkingMode | undefined)[] = [undefined],
): string | null {
  const chat = new Growing();
  chat.add('system', 'Look things up.');
  let before = '';
  const grown = (said: string, thinking: ThinkingMode | undefined) => {
    const now = chat.shown(probed, thinking);
    const kept = now.startsWith(before);
    before = `${now}«${said}»`;
    return kept;
  };
  for (let turn = 0; turn < 20; turn++) {
    const mode = modes[turn % modes.length];
    chat.add('user', `question ${turn}`);
    for (let round = 0; round < turn % 3; round++) {
      if (!grown(`call ${turn}.${round}`, mode)) return `call ${turn}.${round}`;
      chat.call(`call ${turn}.${round}`, `id${turn}${round}`, mode);
      chat.result(`result ${turn}.${round}`, `id${turn}${round}`);
    }
    if (!grown(`answer ${turn}`, mode)) return `answer ${turn}`;
    chat.add('assistant', `answer ${turn}`, {}, by(mode));
  }
  return null;
}
