// Recorded scenes of what outlives a window: summaries, notes, and agents of several nodes and engines.

import { decline } from '../../../src/core/model/model.ts';
import { emptyFolder } from '../scenes/memory.ts';
import type { WindowOptions } from '../scenes/openChat.ts';
import { openCompacting, openEngines, openScene } from '../scenes/scene.ts';
import { modelInfo, type Say, server } from '../scenes/scriptedModel.ts';
import { type Act, type Plays, played, says } from './play.ts';

const talks: Act = ['has turns until they are compacted', (scene) => scene.talk()];
const looking = [{ do: 'decide', engine: 'small' }, { do: 'answer' }] as const;
const look: Say = { call: 'echo', arguments: { a: 1 } };

/** A conversation with the model on a server of this grade. */
const onServer = (grade: (typeof server)['grade']) => () => {
  const scene = openScene([look, 'Looked.', 'Again.']);
  scene.engine.info = { ...modelInfo, server: { ...server, grade } };
  return played(scene, says('Look.'), says('And?'));
};

export const compacting: Plays = {
  'turns that are compacted': () => played(openCompacting(), talks, says('And now?')),
  'a summary that is taken back': () => played(openCompacting(), talks, says('/compact undo'), says('And now?')),
  'a summary that the user asks for': () =>
    played(openCompacting(), says('Never touch lib.'), says('We ship on Friday.'), says('/compact'), says('And now?')),
  'a summary that the user changes': () =>
    played(
      openCompacting(),
      talks,
      says('/compact add decision We ship on Friday.'),
      says('/compact edit 1 Another goal.'),
      says('And now?'),
    ),
  'a summary that fails': () => {
    const scene = openCompacting();
    scene.engine.summarise = () => 'no JSON';
    return played(scene, talks, says('And now?'));
  },
  'a look into compacted turns': () => {
    const scene = openCompacting();
    const asks: Act = [
      'asks the model to recall',
      async () => {
        scene.script.push({ call: 'recall', arguments: { words: 'legacy folder' } }, 'Never touch it.');
        await scene.say('What must I not touch?');
      },
    ];
    return played(scene, talks, asks);
  },
  'notes in a new conversation': () => {
    const scene = openScene(['Noted.', 'Tabs.']);
    const anew: Act = ['begins anew', () => scene.newConversation()];
    return played(
      scene,
      says('/remember I prefer tabs.'),
      says('/work add Write the parser.'),
      anew,
      says('What do I prefer?'),
    );
  },
  'a graph of two nodes on two engines': () => {
    const scene = openEngines(looking, ['It is there.', 'Still.'], [look, decline, decline]);
    return played(scene, says('Where is it?'), says('Sure?'));
  },
  'a summariser on the small engine': () => {
    const nodes: WindowOptions['nodes'] & object = [{ do: 'act' }, { do: 'summarise', engine: 'small' }];
    return played(openEngines(nodes), talks, says('And now?'));
  },
  'a slot that comes from the disk': async () => {
    const folder = emptyFolder();
    const scene = openScene(['first', 'second', 'there'], { folder });
    const leave: Act = [
      'leaves and comes back',
      async () => {
        const id = scene.id();
        await scene.keepSlots();
        scene.newConversation();
        await scene.say('Elsewhere?');
        scene.openConversation(id);
      },
    ];
    return played(scene, says('Which?'), leave, says('And?'));
  },
  'a server that takes token ids': onServer('exact'),
  'a server that counts messages': onServer('counted'),
  'a server that is estimated': onServer('estimated'),
};
