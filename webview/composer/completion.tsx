// The list above the composer while a mention or a command is being typed; the focus stays in the text area.
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Completion } from '../../src/protocol/questions.ts';
import { ask } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';
import type { TextArea } from '../shared/toolkit.ts';
import { replaceText } from './composerArea.ts';

/** The word that is being typed, from its sign to the caret. */
interface Typed {
  readonly from: number;
  readonly word: string;
}

interface Offer extends Typed {
  readonly items: readonly Completion[];
  readonly at: number;
}

export interface Completing {
  readonly offer: Offer | null;
  /** The text or the caret changed. */
  follow(control: HTMLTextAreaElement): void;
  /** Whether the key was meant for the list. */
  key(event: KeyboardEvent, control: HTMLTextAreaElement): boolean;
  take(item: Completion): void;
  leave(): void;
}

/** A mention, with quotes around a path that has spaces, or begun as elsewhere with `#`; a command only where the message begins. */
const mention = /(?:^|[\s([{])(@(?:(?:file|folder|symbol):"[^"\n]*|[^\s@"]*)|#(?:[\p{L}_./][\w./-]*)?)$/u;
const command = /^\s*(\/[\w-]*)$/;

function typedAt({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): Typed | null {
  if (selectionStart !== selectionEnd) return null;
  const before = value.slice(0, selectionStart);
  const word = (mention.exec(before) ?? command.exec(before))?.[1];
  return word === undefined ? null : { from: before.length - word.length, word: word.replace(/^#/, '@') };
}

/** Returns what a key does to the list: the number of the option it moves to, an act, or `null` where the list ignores the key. */
function choiceOf(event: KeyboardEvent, { items, at, word }: Offer): number | 'take' | 'dismiss' | 'leave' | null {
  if (event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return null;
  switch (event.key) {
    case 'ArrowDown':
      return (at + 1) % items.length;
    case 'ArrowUp':
      return (at + items.length - 1) % items.length;
    case 'Escape':
      return 'dismiss';
    case 'Tab':
      return 'take';
    case 'Enter':
      // An option that is typed out in full has nothing to insert, so Enter sends the message.
      return items[at]?.insert === word && !word.endsWith(':') ? 'leave' : 'take';
    default:
      return null;
  }
}

export function useCompletion(area: RefObject<TextArea | null>): Completing {
  const [offer, show] = useState<Offer | null>(null);
  const asked = useRef(0);
  /** The place of the word for which the user closed the list. */
  const closed = useRef<number | null>(null);
  useEffect(() => describe(area.current?.control, offer), [offer]);
  const close = () => {
    asked.current += 1;
    show(null);
  };
  const follow = (control: HTMLTextAreaElement) => {
    const typed = typedAt(control);
    if (typed === null) closed.current = null;
    if (typed === null || typed.from === closed.current) return close();
    if (offer?.from === typed.from && offer.word === typed.word) return;
    asked.current += 1;
    const turn = asked.current;
    ask('complete', { typed: typed.word }).then(
      (items) => turn === asked.current && show(items.length === 0 ? null : { ...typed, items, at: 0 }),
      () => turn === asked.current && show(null),
    );
  };
  const take = ({ insert, open }: Completion) => {
    const control = area.current?.control;
    if (control === undefined || offer === null) return;
    const caret = offer.from + offer.word.length;
    // In the midst of a word all of it is meant.
    const to = caret + (offer.word.length < 2 ? 0 : (/^[\w./-]+/.exec(control.value.slice(caret))?.[0].length ?? 0));
    const more = insert.startsWith('/') ? open : !open;
    const space = more && !/^\s/.test(control.value.slice(to)) ? ' ' : '';
    close();
    replaceText(control, offer.from, to, insert + space);
  };
  const key = (event: KeyboardEvent, control: HTMLTextAreaElement) => {
    if (offer === null) return false;
    // A list that belongs to earlier letters is about to be another one.
    if (typedAt(control)?.word !== offer.word) return event.key === 'Tab' && !event.shiftKey;
    const choice = choiceOf(event, offer);
    if (choice === 'dismiss') closed.current = offer.from;
    if (choice === 'dismiss' || choice === 'leave') close();
    else if (choice === 'take') take(offer.items[offer.at] as Completion);
    else if (choice !== null) show({ ...offer, at: choice });
    return choice !== null && choice !== 'leave';
  };
  return { offer, follow, key, take, leave: close };
}

/** Tells screen readers which option the text area is at. The list is outside its shadow, so no id reaches there. */
function describe(control: HTMLTextAreaElement | undefined, offer: Offer | null): void {
  if (control === undefined) return;
  control.setAttribute('aria-autocomplete', 'list');
  control.setAttribute('aria-haspopup', 'listbox');
  const option = offer === null ? null : document.getElementById(`completion-${offer.at}`);
  control.ariaActiveDescendantElement = option;
  option?.scrollIntoView({ block: 'nearest' });
}

export function CompletionList({ completing: { offer, take } }: { readonly completing: Completing }) {
  const count = offer?.items.length ?? 0;
  return (
    <>
      <div class="unseen" role="status">
        {countWords(count)}
      </div>
      {offer !== null && (
        <div class="completions">
          <div role="listbox" aria-label={offer.word.startsWith('/') ? t('Commands') : t('Mentions')} tabIndex={-1}>
            {offer.items.map((item, i) => (
              <Option key={item.insert} item={item} at={i} chosen={i === offer.at} onTake={() => take(item)} />
            ))}
          </div>
          {offer.word === '@' && (
            <div class="completions-hint">{t('Or hold Shift and drop files here from the Explorer')}</div>
          )}
        </div>
      )}
    </>
  );
}

function countWords(count: number): string {
  if (count === 0) return '';
  return count === 1 ? t('1 suggestion, arrows to choose') : t('{0} suggestions, arrows to choose', count);
}

interface OptionProps {
  readonly item: Completion;
  readonly at: number;
  readonly chosen: boolean;
  readonly onTake: () => void;
}

function Option({ item: { label, detail, icon }, at, chosen, onTake }: OptionProps) {
  // The text area keeps the focus and with it the caret.
  const press = (event: MouseEvent) => {
    event.preventDefault();
    onTake();
  };
  return (
    <div
      id={`completion-${at}`}
      class={chosen ? 'completion chosen' : 'completion'}
      role="option"
      aria-selected={chosen}
      tabIndex={-1}
      title={detail === '' ? label : `${label}: ${detail}`}
      onMouseDown={press}
    >
      <span class={`codicon codicon-${icon}`} />
      <span class="completion-label">{label}</span>
      <span class="completion-detail">{detail}</span>
    </div>
  );
}
