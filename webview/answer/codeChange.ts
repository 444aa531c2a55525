// Below the head of a code block: what Apply would change now. It is asked for what is in sight, and again when the user turns to the block.
import { ask } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';
import { blockIn } from './codeActs.ts';

/** Asks anew for each block of an element that can be applied, once it is in sight. */
export function showBlockChanges(root: HTMLElement): void {
  for (const block of root.querySelectorAll<HTMLElement>('.code:has(.code-change)')) {
    seen.unobserve(block);
    seen.observe(block);
    block.addEventListener('pointerenter', turnedTo);
    block.addEventListener('focusin', turnedTo);
  }
}

const seen = new IntersectionObserver((all) => {
  for (const { isIntersecting, target } of all) if (isIntersecting && target instanceof HTMLElement) look(target);
});

function turnedTo({ currentTarget }: Event): void {
  if (currentTarget instanceof HTMLElement) look(currentTarget);
}

/** The question that a block asked last: an earlier answer may come later. */
const latest = new WeakMap<HTMLElement, object>();

function look(block: HTMLElement): void {
  const own = {};
  latest.set(block, own);
  // A rejected question draws nothing, since the button, once pressed, says why it cannot apply the block.
  ask('blockChange', blockIn(block)).then(
    ({ words, why }) => {
      if (latest.get(block) === own) draw(block, words, why);
    },
    () => undefined,
  );
}

function draw(block: HTMLElement, words: string, why: string): void {
  const [line] = block.querySelectorAll<HTMLElement>('.code-change');
  const [button] = block.querySelectorAll<HTMLElement>('[data-act="applyCode"]');
  if (line === undefined || button === undefined) return;
  if (line.textContent !== words) line.textContent = words;
  line.title = why;
  button.setAttribute('aria-label', [t('Apply to a file'), words, why].filter((one) => one !== '').join('. '));
}
