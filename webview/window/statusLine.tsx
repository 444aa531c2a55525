// The line that is always there: what runs beside the conversation, or how warm the next message will find the cache.
import type { ComponentChildren } from 'preact';
import type { ViewState, WarmView } from '../../src/protocol/view.ts';
import { aboutSeconds, number, seconds } from '../shared/format.ts';
import { tell } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';

type Shown = Pick<ViewState, 'running' | 'warm' | 'warming' | 'resting' | 'compacting' | 'stale'>;

/** Shows one state: what needs the user comes first, then what runs, then how warm the cache is. */
export function StatusLine({ running, warm, warming, resting, compacting, stale }: Shown) {
  if (stale) return <Stale />;
  if (compacting)
    return (
      <Line kind="compacting" icon="loading codicon-modifier-spin">
        {t('Compacting older turns…')}
      </Line>
    );
  if (running)
    return (
      <Line kind="running" icon="loading codicon-modifier-spin">
        {t('Answering…')}
      </Line>
    );
  if (warming !== null) return <Warming {...warming} />;
  if (resting)
    return (
      <Line
        kind="cold"
        icon="debug-pause"
        title={t('New text is decoded when you send your message. /compact and Refresh still work.')}
      >
        {t('Battery saver: nothing is prepared')}
      </Line>
    );
  const state = warmthOf(warm);
  const [icon, words] = [icons[state], warmthWords(warm)];
  return (
    <Line kind={state} icon={icon} title={warm === null ? '' : warmthDetails(warm)}>
      {words}
    </Line>
  );
}

interface LineProps {
  readonly kind: string;
  readonly icon: string;
  readonly title?: string;
  readonly children: ComponentChildren;
}

function Line({ kind, icon, title = '', children }: LineProps) {
  return (
    <div class={`status-line ${kind}`} title={title}>
      <span class={`codicon codicon-${icon}`} />
      <span class="status-words" role="status">
        {children}
      </span>
    </div>
  );
}

/** The conversation keeps the files that it began with until turns are trimmed, or the user asks for the new ones. */
function Stale() {
  return (
    <div class="status-line stale">
      <span class="codicon codicon-history" />
      <span class="status-words" role="status">
        {t('Files changed since this conversation read them.')}
      </span>
      <button type="button" class="link" onClick={() => tell({ type: 'refreshWorkspace' })}>
        {t('Read again')}
      </button>
    </div>
  );
}

function Warming({ done, of }: NonNullable<ViewState['warming']>) {
  const words = t('Cache warming: {0} of {1} tokens', number(done), number(of));
  return (
    <div class="status-line warming">
      <span class="codicon codicon-flame" />
      <span class="status-words">{words}</span>
      <div
        class="progress"
        role="progressbar"
        aria-label={t('Cache warming')}
        aria-valuenow={done}
        aria-valuemin={0}
        aria-valuemax={of}
      >
        <span style={{ width: `${(done / Math.max(1, of)) * 100}%` }} />
      </div>
    </div>
  );
}

type WarmthState = 'warm' | 'partly' | 'cold';

const icons = { warm: 'flame', partly: 'flame', cold: 'circle-large-outline' } as const;

function warmthOf(warm: WarmView | null): WarmthState {
  if (warm === null || warm.warmed === 0) return 'cold';
  return warm.warmed >= warm.of ? 'warm' : 'partly';
}

/** How warm the next message will find the cache. */
export function warmthWords(warm: WarmView | null): string {
  const state = warmthOf(warm);
  if (state === 'cold' || warm === null) return t('Cache cold: the reply starts slowly');
  if (state === 'partly') return t('Cache partly warm: {0} of {1} tokens', number(warm.warmed), number(warm.of));
  const { savedMilliseconds: saved } = warm;
  return saved === null || saved < 100
    ? t('Cache warm: the prompt is ready')
    : t('Cache warm: saves about {0}', aboutSeconds(saved));
}

/** How much is there, what idle work did, and why it is as warm as it is: a line each. */
export function warmthDetails({ warmed, of, decoded, milliseconds, reason }: WarmView): string {
  return [
    t('{0} of {1} tokens of the next prompt are in the cache.', number(warmed), number(of)),
    decoded === 0 ? '' : t('{0} tokens were decoded while idle, in {1}.', number(decoded), seconds(milliseconds)),
    reason === '' ? '' : reason.charAt(0).toUpperCase() + reason.slice(1),
  ]
    .filter(Boolean)
    .join('\n');
}
