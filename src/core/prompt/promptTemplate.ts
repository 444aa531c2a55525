// A prompt of the user's own, or one of ours: a Mustache template and the words typed behind its name.
import Mustache from 'mustache';
import { reasonOf } from '../faults/faults.ts';

export type Rendered =
  | { readonly ok: true; readonly text: string }
  /** The problem with the template, in words. */
  | { readonly ok: false; readonly reason: string };

/** Without HTML escaping: `{{arguments}}`, and `mentioned` where they name something with an @. Words without a place of theirs go to the end. */
export function renderPrompt(template: string, words: string, mentioned: boolean): Rendered {
  try {
    const render = (given: string) =>
      Mustache.render(template, { arguments: given, mentioned }, {}, { escape: String }).trim();
    const text = render(words);
    const used = words === '' || text !== render('');
    return { ok: true, text: used ? text : `${text}\n\n${words}` };
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
}
