// The box in which the user writes: Enter sends, Alt+Enter without the folder, Shift+Enter breaks the line, Escape stops, @ and / offer what there is. The draft is kept.

import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { MentionView, ViewState } from '../../src/protocol/view.ts';
import { number } from '../shared/format.ts';
import { ask, draft, tell } from '../shared/host.ts';
import { t } from '../shared/l10n.ts';
import { nameArea, type TextArea } from '../shared/toolkit.ts';
import { type Completing, CompletionList, useCompletion } from './completion.tsx';
import { onFirstLine, onLastLine, replaceText, typeInto, welcomeUser, withReturned } from './composerArea.ts';
import { AttachButton, ModeButton, ModelButton, SendOrStop, ThinkButton } from './composerButtons.tsx';
import { type AttachedEditor, EditorChip, useEditorChip, withEditor } from './editorChip.tsx';
import { FoundList, goingOf } from './found.tsx';
import { IntentChips, nextAct } from './intentChips.tsx';

interface ComposerProps {
  readonly state: ViewState;
  readonly onSend: () => void;
}

/** With what is found in the folder, or without it. */
type How = 'send' | 'sendAlone';

/** Milliseconds without a key before the message's cost is asked for. */
const pause = 150;

export function Composer({ state, onSend }: ComposerProps) {
  const { running, mentions, found, foundWeak, foundGoesOn, ahead, entries } = state;
  const area = useRef<TextArea>(null);
  const attached = useEditorChip(state.editor);
  const { text, write, show, send } = useDraft(area, state, attached, onSend);
  const [words, say] = useState('');
  const completing = useCompletion(area);
  const sent = entries.flatMap((entry) => (entry.kind === 'user' ? [entry.text] : []));
  const history = useHistory(sent, show);
  const given = [...mentions, ...goingOf(found, foundWeak)].reduce((sum, { tokens }) => sum + tokens, 0);
  const meant = mentions.filter((mention) => isMeant(mention, text, completing.offer?.word));
  const submit = (how: How = 'send') => {
    for (const one of [history, completing]) one.leave();
    send(how);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const control = area.current?.control;
    if (control === undefined || event.isComposing) return;
    if ([completing, history].some((one) => one.key(event, control))) return event.preventDefault();
    if (event.key === 'ArrowDown' && event.altKey && state.intent !== null) {
      event.preventDefault();
      return nextAct(state.intent);
    }
    if (event.key === 'Escape' && running) tell({ type: 'stop' });
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    submit(event.altKey ? 'sendAlone' : 'send');
  };
  const typing = typingEvents(area, completing, (value) => {
    say('');
    write(value);
  });
  return (
    <div class="composer" {...fileEvents(area, say)}>
      <CompletionList completing={completing} />
      <div class="composer-box">
        <div class="composer-attached">
          {text.trim() !== '' && <IntentChips intent={state.intent} />}
          <EditorChip chip={attached} text={text} mentions={mentions} />
          <MentionChips mentions={meant} text={text} onRemove={(word) => removeWord(area.current?.control, word)} />
        </div>
        <vscode-text-area
          ref={area}
          class="composer-input"
          placeholder={placeholder()}
          rows={1}
          resize="none"
          value={text}
          onKeyDown={onKeyDown}
          {...typing}
        />
        <div class="composer-bar">
          <AttachButton area={area} />
          <ModeButton agent={state.agent} atOnce={state.changesAtOnce} />
          <ThinkButton thinking={state.thinking} />
          <ModelButton engine={state.engine} />
          <SendOrStop empty={text.trim() === ''} running={running} onSend={submit} />
        </div>
      </div>
      {text.trim() !== '' && (
        <FoundList
          {...{ found, weak: foundWeak, goesOn: foundGoesOn, given, ahead }}
          onAlone={() => submit('sendAlone')}
          onSearch={() => write(`${text.trimEnd()} @codebase`)}
        />
      )}
      <Words words={words} />
    </div>
  );
}

/** The events that the list above follows: typed text, and moves of the caret while it is open. */
function typingEvents(area: RefObject<TextArea | null>, completing: Completing, write: (value: string) => void) {
  const follow = () => area.current !== null && completing.follow(area.current.control);
  // A caret that only moves opens nothing.
  const moved = () => completing.offer !== null && follow();
  const onInput = ({ currentTarget }: { readonly currentTarget: EventTarget }) => {
    write((currentTarget as TextArea).control.value);
    follow();
  };
  return { onInput, onKeyUp: moved, onClick: moved, onBlur: completing.leave };
}

function placeholder(): string {
  return document.body.dataset.folder === 'false'
    ? t('Ask anything (/ for commands)')
    : t('Ask about your code (@ for context, / for commands)');
}

function Words({ words }: { words: string }) {
  return (
    <div class="composer-words" role="status">
      {words}
    </div>
  );
}

/** The text, kept where a hidden view finds it again, with what the host gives back. */
function useDraft(area: RefObject<TextArea | null>, state: ViewState, attached: AttachedEditor, onSend: () => void) {
  const { draft: returned, session, entries } = state;
  const [text, setText] = useState(() => draft.load(state));
  /** Words that wait until the command before them is sent. */
  const aside = useRef('');
  const caret = useRef<'start' | 'end' | null>(null);
  useEffect(() => prepare(area), []);
  const whole = withEditor(text, attached);
  useEffect(() => askCost(whole), [whole]);
  useLayoutEffect(() => placeCaret(area.current, text, caret), [text]);
  /** The current text, which may be newer than the drawn one. */
  const latest = useRef(text);
  const save = () => draft.save([latest.current, aside.current].filter(Boolean).join('\n'), state);
  const write = (value: string) => {
    latest.current = value;
    setText(value);
    save();
  };
  // A draft that is still there after another message was sent is saved anew, so that it does not count as an old one.
  useEffect(save, [session, entries.length]);
  const show = (value: string, at: 'start' | 'end') => {
    caret.current = at;
    write(value);
  };
  useEffect(() => {
    if (returned.taken !== undefined && text.trim() === returned.taken.trim()) return write('');
    if (returned.text === '' || text.includes(returned.text)) return;
    if (returned.text.startsWith('/') && !area.current?.matches(':focus-within')) {
      // Asked for by a button: a command must stand alone, and only has to be sent.
      aside.current = [text, aside.current].filter(Boolean).join('\n');
      write(returned.text);
      if (document.hasFocus()) area.current?.focus();
    } else {
      // The latest text is taken, since keys may have been pressed after the draft was drawn.
      write(withReturned(latest.current, returned.text));
      welcomeUser(area.current);
    }
  }, [returned.id]);
  const chosen = state.editor?.chosen ?? 0;
  useEffect(() => {
    if (chosen > 0) welcomeUser(area.current);
  }, [chosen]);
  const send = (type: How) => {
    if (text.trim() === '') return;
    tell({ type, text: whole });
    attached.sent();
    onSend();
    const next = aside.current;
    aside.current = '';
    write(next);
    area.current?.focus();
  };
  return { text, write, show, send };
}

function placeCaret(area: TextArea | null, text: string, caret: { current: 'start' | 'end' | null }): void {
  if (area === null || caret.current === null) return;
  const at = caret.current === 'start' ? 0 : text.length;
  caret.current = null;
  area.control.value = text;
  area.control.setSelectionRange(at, at);
}

/** A word that is being typed still is not blamed yet; a prompt of a command may mean what it does not say. */
function isMeant({ word, problem }: MentionView, text: string, typing: string | undefined): boolean {
  return (word !== typing || problem === '') && (text.includes(word) || text.trimStart().startsWith('/'));
}

function removeWord(control: HTMLTextAreaElement | undefined, word: string): void {
  const at = control?.value.indexOf(word) ?? -1;
  if (control === undefined || at < 0) return;
  const space = control.value[at + word.length] === ' ' ? 1 : 0;
  replaceText(control, at, at + word.length + space, '');
}

/** Files that are dropped or pasted; `say` tells what became of those that cannot be had. */
function fileEvents(area: RefObject<TextArea | null>, say: (words: string) => void) {
  const tellAll = (words: Promise<string>) => void words.then(say, (error: Error) => say(error.message));
  return {
    onDragOver: (event: DragEvent) => {
      if (carriesFiles(event)) event.preventDefault();
    },
    onDrop: (event: DragEvent) => {
      const control = area.current?.control;
      if (control === undefined || !carriesFiles(event)) return;
      event.preventDefault();
      tellAll(dropFiles(event, control));
    },
    onPaste: (event: ClipboardEvent) => {
      const control = area.current?.control;
      if (control === undefined || !pastesFiles(event, control)) return;
      event.preventDefault();
      tellAll(pasteFiles(event, control));
    },
  };
}

/** Asks what the message will cost, once the user pauses, or turns away: then the view may be about to go, and its words with it. */
function askCost(text: string): () => void {
  const end = new AbortController();
  const { signal } = end;
  const say = () => {
    stop();
    tell({ type: 'written', text });
  };
  const timer = setTimeout(say, pause);
  const stop = () => {
    clearTimeout(timer);
    end.abort();
  };
  window.addEventListener('blur', say, { signal });
  // Keys that close an editor or reload the window.
  window.addEventListener('keydown', ({ ctrlKey, metaKey }) => (ctrlKey || metaKey) && say(), {
    signal,
    capture: true,
  });
  return stop;
}

/** Names the area; who comes to the view by a command comes to write. */
function prepare(area: RefObject<TextArea | null>): () => void {
  nameArea(area.current, t('Message'));
  const enter = () => document.activeElement === document.body && area.current?.focus();
  const end = new AbortController();
  window.addEventListener('focus', enter, { signal: end.signal });
  window.addEventListener('keydown', (event) => typeInto(area.current, event), { signal: end.signal });
  // A new editor has the focus before there is anything to write in.
  if (document.hasFocus()) enter();
  return () => end.abort();
}

// Earlier messages of the session in the composer, by ArrowUp and ArrowDown; the unsent draft waits at the end of them.

/** How many messages ago, and the draft that was there before; null while the user writes. */
type Place = { readonly ago: number; readonly draft: string } | null;

interface History {
  /** Whether the key was meant for it. */
  key(event: KeyboardEvent, control: HTMLTextAreaElement): boolean;
  leave(): void;
}

function useHistory(sent: readonly string[], show: (text: string, caret: 'start' | 'end') => void): History {
  const place = useRef<Place>(null);
  const go = (to: Place, control: HTMLTextAreaElement, caret: 'start' | 'end') => {
    const { ago, draft } = to ?? { ago: 0, draft: place.current?.draft ?? control.value };
    place.current = to;
    show(ago === 0 ? draft : (sent.at(-ago) ?? ''), caret);
  };
  return {
    key: (event, control) => {
      if (event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return false;
      const { ago, draft } = place.current ?? { ago: 0, draft: control.value };
      if (event.key === 'ArrowUp' && ago < sent.length && onFirstLine(control)) {
        go({ ago: ago + 1, draft }, control, 'start');
        return true;
      }
      if (event.key === 'ArrowDown' && ago > 0 && onLastLine(control)) {
        go(ago === 1 ? null : { ago: ago - 1, draft }, control, 'end');
        return true;
      }
      return false;
    },
    leave: () => {
      place.current = null;
    },
  };
}

// The mentions of a draft as chips: each with its tokens and a button that takes it out, or with why it cannot be had.

interface ChipsProps {
  readonly mentions: readonly MentionView[];
  readonly text: string;
  readonly onRemove: (word: string) => void;
}

function MentionChips({ mentions, text, onRemove }: ChipsProps) {
  if (mentions.length === 0) return null;
  return (
    <ul class="chips" aria-label={t('Attached to this message')}>
      {mentions.map((mention) => (
        <Chip key={mention.word} mention={mention} inText={text.includes(mention.word)} onRemove={onRemove} />
      ))}
    </ul>
  );
}

interface ChipProps {
  readonly mention: MentionView;
  readonly inText: boolean;
  readonly onRemove: ChipsProps['onRemove'];
}

function Chip({ mention: { word, title, tokens, exact, problem, cut }, inText, onRemove }: ChipProps) {
  const count = `${exact ? '' : '≈ '}${number(tokens)}`;
  const whole = tokens === 1 ? t('{0} token', count) : t('{0} tokens', count);
  const size = cut ? t('{0} tokens, shortened', count) : whole;
  const icon = problem !== '' ? 'warning' : (icons[word.slice(1).split(':')[0] ?? ''] ?? 'file');
  return (
    <li class={problem === '' ? 'chip' : 'chip problem'} title={problem === '' ? title : problem}>
      <span class={`codicon codicon-${icon}`} />
      <span class="chip-words">
        <span class="chip-name">{word}</span> <span class="chip-size">{problem === '' ? size : problem}</span>
      </span>
      {inText && (
        <button type="button" aria-label={t('Remove {0}', word)} title={t('Remove')} onClick={() => onRemove(word)}>
          <span class="codicon codicon-close" />
        </button>
      )}
    </li>
  );
}

const icons: Readonly<Record<string, string>> = {
  folder: 'folder',
  symbol: 'symbol-method',
  selection: 'list-selection',
  changes: 'git-compare',
  problems: 'warning',
  terminal: 'terminal',
};

// Files dropped or pasted into the composer become mentions, as far as they are files of the workspace.

/** The kinds of data by which a dragged file comes. */
const kinds = ['application/vnd.code.uri-list', 'text/uri-list'];

function carriesFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer !== null && [...dataTransfer.types].some((type) => kinds.includes(type) || type === 'Files');
}

/** Inserts dropped files as mentions. Returns words for the user where that fails, and '' where it works. */
async function dropFiles({ dataTransfer }: DragEvent, control: HTMLTextAreaElement): Promise<string> {
  const list = kinds.map((kind) => dataTransfer?.getData(kind) ?? '').find((data) => data !== '') ?? '';
  const places = list.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
  if (places.length === 0) return t("Can't attach a file dropped from outside VS Code. Type @file: and its name.");
  const words = await ask('mention', { places: places.join('\n') });
  insert(control, words);
  const outside = places.filter((_, i) => words[i] === null);
  return outside.length === 0 ? '' : t('Not in this folder: {0}', outside.map(lastPart).join(', '));
}

/** Whether what is pasted is for us: files, or nothing but paths. */
function pastesFiles({ clipboardData }: ClipboardEvent, control: HTMLTextAreaElement): boolean {
  const text = clipboardData?.getData('text/plain').trim() ?? '';
  if (text === '') return (clipboardData?.files.length ?? 0) > 0;
  // Behind the name of a kind it is what the user means already.
  if (/[@:/"]$/.test(control.value.slice(0, control.selectionStart))) return false;
  return text.split(/\r?\n/).every((line) => path.test(line) && !/^https?:/i.test(line));
}

const path = /^(?:[a-z][\w+.-]*:\/\/\S+|(?:[a-z]:)?[\w.@~-]*[\\/][^\s:*?"<>|]+)$/i;

/** Pastes paths as mentions, or as they are where they name nothing in the workspace. */
async function pasteFiles({ clipboardData }: ClipboardEvent, control: HTMLTextAreaElement): Promise<string> {
  const text = clipboardData?.getData('text/plain') ?? '';
  if (text.trim() === '') return t("Can't attach a pasted file. Type @file: and its name.");
  const words = await ask('mention', { places: text }).catch(() => [null]);
  if (words.includes(null)) replaceText(control, control.selectionStart, control.selectionEnd, text);
  else insert(control, words);
  return '';
}

/** Apart from the words around them. */
function insert(control: HTMLTextAreaElement, words: readonly (string | null)[]): void {
  const text = words.filter((word) => word !== null).join(' ');
  if (text === '') return;
  const { value, selectionStart: from, selectionEnd: to } = control;
  const space = from === 0 || /\s$/.test(value.slice(0, from)) ? '' : ' ';
  replaceText(control, from, to, `${space}${text} `);
}

function lastPart(place: string): string {
  return place.replace(/\/+$/, '').split(/[\\/]/).at(-1) ?? place;
}
