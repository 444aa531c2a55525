// The composer's text area from within: replacing text so that it can be undone, and where the caret stands.

/** Puts text in the place of a range, as if it were typed. */
export function replaceText(control: HTMLTextAreaElement, from: number, to: number, text: string): void {
  control.focus();
  control.setSelectionRange(from, to);
  // The only way that the area's own undo knows of.
  const typed = document.execCommand(text === '' ? 'delete' : 'insertText', false, text);
  if (typed || control.value.slice(from, from + text.length) === text) return;
  control.setRangeText(text, from, to, 'end');
  control.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
}

/** Whether no line stands above the caret, also none that only wraps. */
export function onFirstLine(control: HTMLTextAreaElement): boolean {
  const { value, selectionStart, selectionEnd } = control;
  const before = value.slice(0, selectionStart);
  return selectionStart === selectionEnd && !before.includes('\n') && fits(control, before);
}

export function onLastLine({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): boolean {
  return selectionStart === selectionEnd && !value.slice(selectionEnd).includes('\n');
}

function fits(control: HTMLTextAreaElement, text: string): boolean {
  const style = getComputedStyle(control);
  const pen = document.createElement('canvas').getContext('2d');
  if (pen === null) return text === '';
  pen.font = style.font;
  const inside = control.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
  return pen.measureText(text).width < inside;
}

/** Words came into the area: who comes to the view comes to them, whatever had the focus there before. */
export function welcomeUser(area: HTMLElement | null): void {
  if (!document.hasFocus()) window.addEventListener('focus', () => area?.focus(), { once: true });
  else if (!(document.activeElement instanceof HTMLInputElement)) area?.focus();
}

const fields = 'input, textarea, select, vscode-text-area, vscode-text-field';

/** A character typed on a button or the conversation goes on in the area. The space bar stays the buttons' own. */
export function typeInto(area: HTMLElement | null, { key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): void {
  const isCharacter = key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey;
  // Below a list that lies over the conversation the area takes no focus.
  if (isCharacter && target instanceof Element && !target.matches(fields)) area?.focus();
}

const mentions = /^(?:@(?:"[^"]*"|[^\s"])+ )+/;

/**
 * The words of the area with those that the host gives back. Mentions that are to be written on stand in front of what was typed
 * while they came, behind other mentions; a message stands below.
 */
export function withReturned(text: string, returned: string): string {
  if (mentions.exec(returned)?.[0] !== returned) return returned.includes(text) ? returned : `${text}\n${returned}`;
  const at = mentions.exec(text)?.[0].length ?? 0;
  return text.slice(0, at) + returned + text.slice(at);
}
