// The intent of the message in the composer, as chips: one key or a click makes it another act, a cross takes a file out of it.
import type { Act, IntentView } from '../../src/protocol/view.ts';
import { tell } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';

const order: readonly Act[] = ['answer', 'change', 'run', 'fix', 'make'];

const icons: Readonly<Record<Act, string>> = {
  answer: 'comment',
  change: 'edit',
  run: 'play',
  fix: 'wrench',
  make: 'new-file',
};

/** The message wants something else than is shown: the next of what it may want. */
export function nextAct({ act, command, edits }: IntentView): void {
  const possible = order.filter((one) => (one === 'run' ? command !== '' : one !== 'fix' || (edits && command !== '')));
  const next = possible[(possible.indexOf(act) + 1) % possible.length] ?? 'answer';
  tell({ type: 'chooseIntent', act: next, command: '', without: '' });
}

export function IntentChips({ intent }: { readonly intent: IntentView | null }) {
  if (intent === null) return null;
  const { act, files, command, commands } = intent;
  const isOther = commands.length > 1 && (act === 'run' || act === 'fix');
  return (
    <ul class="intent-chips" aria-label={t('What this message wants')}>
      <li class="intent-chip">
        <button type="button" class="intent-act" title={titleOf(intent)} onClick={() => nextAct(intent)}>
          <span class={`codicon codicon-${icons[act]}`} /> {wordsOf(intent)}
        </button>
        {isOther && (
          <select
            aria-label={t('The command that runs')}
            value={command}
            onChange={({ currentTarget }) => choose(act, currentTarget.value)}
          >
            {[...new Set([command, ...commands])].map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        )}
        {act !== 'answer' && <Cross label={t('It asks for an answer')} onClick={() => choose('answer')} />}
      </li>
      {act === 'change' &&
        files.map((file) => (
          <li key={file} class="intent-chip">
            <span>{file}</span>
            <Cross
              label={t('Leave {0} out', file)}
              onClick={() => tell({ type: 'chooseIntent', act, command: '', without: file })}
            />
          </li>
        ))}
    </ul>
  );
}

function Cross({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <button type="button" class="intent-cross" aria-label={label} title={label} onClick={onClick}>
      <span class="codicon codicon-close" />
    </button>
  );
}

function choose(act: Act, command = ''): void {
  tell({ type: 'chooseIntent', act, command, without: '' });
}

/** In a word or two: what will be done. */
function wordsOf({ act, command, commands, makes, edits }: IntentView): string {
  switch (act) {
    case 'answer':
      return t('Answers');
    case 'change':
      return edits ? t('Changes') : t('Shows a change');
    case 'run':
      return commands.length > 1 || command === '' ? t('Runs') : t('Runs {0}', command);
    case 'fix':
      return commands.length > 1 || command === '' ? t('Fixes what fails') : t('Fixes what fails in {0}', command);
    case 'make':
      return edits ? t('Makes {0}', makes || t('a file')) : t('Shows {0}', makes || t('a new file'));
    default:
      return act satisfies never;
  }
}

function titleOf({ by }: IntentView): string {
  const whys: Readonly<Record<IntentView['by'], string>> = {
    mode: t('As the mode does'),
    names: t('By the names in your message'),
    model: t('As the model understood it'),
    user: t('Your choice'),
  };
  return `${whys[by]}\n${t('Click for something else (Alt+Down)')}`;
}
