// The items that something else would become of in another window, each with the rule and why.
import type { State } from '../../src/core/report/decisions.ts';
import type { WhatIfChange } from '../../src/protocol/questions.ts';
import { t } from '../shared/l10n.ts';
import { stateNames } from '../shared/layerNames.ts';
import { walkTree } from './treeKeys.ts';

export function WhatIfChanges({ changes }: { changes: readonly WhatIfChange[] }) {
  if (changes.length === 0) return <p class="hint">{t('No item would change.')}</p>;
  return (
    <>
      <h3 id="what-if-changes">{t('What would change')}</h3>
      <ul class="items what-if-changes" aria-labelledby="what-if-changes" onKeyDown={walkTree}>
        {changes.map((change) => (
          <Change key={`${change.from}`} change={change} />
        ))}
      </ul>
    </>
  );
}

function Change({ change: { from, to, label, now, would, by, why } }: { change: WhatIfChange }) {
  return (
    <li class="item">
      <details>
        <summary class="row">
          <span class="number">{to - from === 1 ? from : `${from}–${to - 1}`}</span>
          <span class="label">{label}</span>
          <Fate state={now} /> <span aria-hidden="true">→</span> <span class="unseen">{t('would be')}</span>{' '}
          <Fate state={would} />
        </summary>
        <div class="opened why">
          {why === '' ? t('included in full') : why} ({by})
        </div>
      </details>
    </li>
  );
}

function Fate({ state }: { state: State }) {
  return <span class="state">{stateNames[state]}</span>;
}
