// Findings of a compaction that may outlive the conversation: a line per proposal, which the user keeps or dismisses, then one line for all.
import { useEffect, useRef } from 'preact/hooks';
import type { Proposal } from '../../src/core/compaction/compactionRow.ts';
import type { Entry } from '../../src/protocol/view.ts';
import { tell } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';

type ProposalsEntry = Extract<Entry, { kind: 'proposals' }>;

export function Proposals({ entry: { compaction, proposals } }: { entry: ProposalsEntry }) {
  const card = useRef<HTMLDetailsElement>(null);
  const answered = useRef(false);
  // The button that was pressed is gone: the next one takes the focus, or the line that is left, unless the user went on.
  useEffect(() => {
    if (answered.current && document.hasFocus() && !card.current?.contains(document.activeElement))
      (card.current?.querySelector<HTMLElement>('vscode-button') ?? card.current?.querySelector('summary'))?.focus();
    answered.current = false;
  }, [proposals]);
  const answer = (proposal: string, keep: boolean) => {
    answered.current = true;
    tell({ type: 'answerProposal', compaction, proposal, keep });
  };
  const waits = proposals.some(({ state }) => state === 'waiting');
  return (
    <details ref={card} class="info proposals" open={waits}>
      <summary>{waits ? t('Remember for later conversations?') : answersOf(proposals)}</summary>
      <ul>
        {proposals.map((proposal) => (
          <ProposalRow key={proposal.id} proposal={proposal} answer={answer} />
        ))}
      </ul>
    </details>
  );
}

interface RowProps {
  readonly proposal: Proposal;
  readonly answer: (proposal: string, keep: boolean) => void;
}

const icons = { kept: 'check', dismissed: 'close' } as const;
const answerNames = { kept: t('remembered'), dismissed: t('dismissed') };
const kinds = { fact: t('fact'), preference: t('preference'), decision: t('decision'), work: t('work') };

function ProposalRow({ proposal: { id, kind, text, state }, answer }: RowProps) {
  return (
    <li class={`proposal ${state}`}>
      <span class="kind">{kinds[kind]}</span>
      <span class="words">{state === 'dismissed' ? <s>{text}</s> : text}</span>
      {state === 'waiting' ? (
        <span class="answers">
          <vscode-button appearance="secondary" aria-label={t('Remember: {0}', text)} onClick={() => answer(id, true)}>
            {t('Remember')}
          </vscode-button>
          <vscode-button appearance="secondary" aria-label={t('Dismiss: {0}', text)} onClick={() => answer(id, false)}>
            {t('Dismiss')}
          </vscode-button>
        </span>
      ) : (
        <span
          class={`codicon codicon-${icons[state]}`}
          role="img"
          aria-label={answerNames[state]}
          title={answerNames[state]}
        />
      )}
    </li>
  );
}

function answersOf(proposals: readonly Proposal[]): string {
  const many = (answer: Proposal['state']) => proposals.filter(({ state }) => state === answer).length;
  const [kept, dismissed] = [many('kept'), many('dismissed')];
  if (dismissed === 0) return t('{0} remembered', kept);
  return kept === 0 ? t('{0} dismissed', dismissed) : t('{0} remembered, {1} dismissed', kept, dismissed);
}
