// Above the composer: commands that go on, each with its ports, its output and Stop.
import type { ProgramView } from '../../src/protocol/view.ts';
import { tell } from '../shared/host.ts';
import { pageLanguage, t } from '../shared/l10n.ts';
import { visible } from '../shared/visible.ts';
import { Act } from './reviewBar.tsx';

export function ProgramsBar({ programs }: { programs: readonly ProgramView[] }) {
  if (programs.length === 0) return null;
  return (
    <ul class="review programs" aria-label={t('Running programs')}>
      {programs.map((program) => (
        <ProgramRow key={program.run} program={program} />
      ))}
    </ul>
  );
}

function ProgramRow({ program: { run, command, ports, began } }: { program: ProgramView }) {
  const name = visible(command);
  const since = t('since {0}', new Date(began).toLocaleTimeString(pageLanguage, { timeStyle: 'short' }));
  return (
    <li class="review-row">
      <button
        type="button"
        class="review-name"
        title={t('Show the output of {0}', name)}
        onClick={() => tell({ type: 'showPrograms' })}
      >
        {name}
      </button>
      <span class="program-about">{since}</span>
      {ports.map((port) => (
        <Act
          key={port}
          label={t('Open port {0}', String(port))}
          icon="link-external"
          labelled
          onClick={() => tell({ type: 'openPort', run, port })}
        />
      ))}
      <Act label={t('Stop')} of={name} icon="debug-stop" onClick={() => tell({ type: 'stopProgram', run })} />
    </li>
  );
}
