// Recorded scenes of questions: answers, calls of tools, passages that were found, what goes beside a message, what a user takes out or keeps.
import type { Bundle } from '../../../src/core/prompt/bundle.ts';
import { noMentions } from '../scenes/editor.ts';
import { filler, openScene } from '../scenes/scene.ts';
import type { Say } from '../scenes/scriptedModel.ts';
import { type Plays, played, says } from './play.ts';

const call = (given: Record<string, unknown>): Say => ({ call: 'echo', arguments: given });
const pressed = (at: number): Say => call({ at, text: filler(900) });

export const asking: Plays = {
  'a plain question': () => {
    const scene = openScene(['It is said.', 'Again.']);
    return played(scene, says('What is it?'), says('And again?'));
  },
  'a tool call': () => {
    const scene = openScene([call({ a: 1 }), 'Looked.', 'Again.']);
    return played(scene, says('Look.'), says('And?'));
  },
  'calls one after the other': () => {
    const scene = openScene([call({ a: 1 }), call({ a: 2 }), call({ a: 1 }), 'Looked.']);
    return played(scene, says('Look often.'));
  },
  'a tool that fails': () => {
    const scene = openScene([call({ a: 1 }), 'It failed.']);
    scene.editor.tools = scene.editor.tools.map((tool) => ({
      ...tool,
      run: async () => ({ ok: false, head: 'echo: no', body: '' }),
    }));
    return played(scene, says('Look.'));
  },
  'a tool that is not there': () => {
    const scene = openScene([{ call: 'nowhere', arguments: {} }, 'There is none.']);
    return played(scene, says('Look.'));
  },
  'a call that cannot be read': () => {
    const scene = openScene(['<tool_call>\n{"name": \n</tool_call>', 'Sorry.']);
    return played(scene, says('Look.'));
  },
  'more rounds than allowed': () => {
    const scene = openScene([...Array.from({ length: 8 }, (_, a) => call({ a })), 'Enough.']);
    return played(scene, says('Look for ever.'));
  },
  'results that are pruned': () => {
    const scene = openScene([pressed(1), pressed(2), pressed(3), 'Three.', pressed(4), 'Four.', 'Five.']);
    return played(scene, says('Look thrice.'), says('Once more.'), says('And now?'));
  },
  'old turns that are trimmed': () => {
    const scene = openScene(Array.from({ length: 8 }, (_, i) => `Answer ${i}. ${filler(700)}`));
    return played(scene, ...Array.from({ length: 8 }, (_, i) => says(`Question ${i}? ${filler(300)}`)));
  },
  'found passages': () => {
    const scene = openScene(['In src/a.ts.', 'Yes.']);
    return played(scene, says('Where is `a`?'), says('Sure?'));
  },
  'a passage that the user takes out': () => {
    const scene = openScene(['I see none.']);
    const write = () => scene.write('Where is `a`?');
    return played(
      scene,
      ['writes', write],
      ['takes out', () => scene.choosePassage('src/a.ts:1-1', 'removed')],
      says('Where is `a`?'),
    );
  },
  'a passage that the user pins': () => {
    const scene = openScene(['In src/a.ts.', 'Yes.', 'Still.']);
    const write = () => scene.write('Where is `a`?');
    return played(
      scene,
      ['writes', write],
      ['pins', () => scene.choosePassage('src/a.ts:1-1', 'pinned')],
      says('Where is `a`?'),
      says('Sure?'),
      says('Now?'),
    );
  },
  'a file beside a message': () => {
    const scene = openScene(['One line.', 'Yes.']);
    scene.editor.resolve = async ({ name }) => ({ ok: true, head: `File ${name}:`, body: 'export const a = 1;\n' });
    return played(scene, says('What is in @file:src/a.ts?'), says('Sure?'));
  },
  'a mention that cannot be had': () => {
    const scene = openScene(['I cannot see it.']);
    scene.editor.resolve = noMentions.resolve;
    return played(scene, says('What is in @file:src/gone.ts?'));
  },
  'workspace texts that change': () => {
    const scene = openScene(['Before.', 'After.', 'Fresh.']);
    const bundle = (text: string): Bundle => ({
      parts: [{ name: 'AGENTS.md', text, raw: 9, injected: 5 }],
      key: text,
      exact: true,
    });
    const put = (text: string) => () => void scene.editor.bundles.push(bundle(text));
    put('old words')();
    const refresh = () => scene.refresh();
    return played(
      scene,
      says('What is there?'),
      ['files change', put('new words')],
      says('And now?'),
      ['takes them', refresh],
      says('Now?'),
    );
  },
  'an item that is pinned and one that is out': () => {
    const scene = openScene([call({ a: 1 }), 'Looked.', 'Again.', 'Still.']);
    return played(
      scene,
      says('Look.'),
      says('/context pin 0'),
      says('/context evict 2'),
      says('And?'),
      says('/context restore 2'),
      says('Now?'),
    );
  },
};
