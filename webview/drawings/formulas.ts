// Draws the formulas of a rendered text as MathML. What cannot be drawn stays as it was written, and says why.
import { safeFormula } from '../shared/answerHtml.ts';
import { t } from '../shared/l10n.ts';
import { loadScript } from './secondScript.ts';

/** Characters beyond which a formula stays text. */
const longest = 4000;

/** Drawn ones, since a stream renders the block it is in again and again. */
const drawn = new Map<string, string>();
const most = 500;

/** Makes a formula that scrolls reachable by keyboard, and no other. */
const rows = new ResizeObserver((seen) => {
  for (const { target } of seen) {
    if (!target.isConnected) rows.unobserve(target);
    else if (target.scrollWidth > target.clientWidth) target.setAttribute('tabindex', '0');
    else target.removeAttribute('tabindex');
  }
});

/** Before the next paint where the second script is there; else as soon as it is. */
export function drawFormulas(root: ParentNode): void {
  const formulas = root.querySelectorAll<HTMLElement>('.formula:not([title]):not(:has(math))');
  if (formulas.length === 0) return;
  if (window.tidemarkFormula === undefined) {
    const refuse = () => {
      for (const formula of formulas) explain(formula, t("Couldn't render formulas. Reload the view."));
    };
    loadScript('temml.js').then(
      () => (window.tidemarkFormula === undefined ? refuse() : drawFormulas(document)),
      refuse,
    );
    return;
  }
  for (const formula of formulas) draw(formula, window.tidemarkFormula);
  formulas[0]?.dispatchEvent(new CustomEvent('drawn', { bubbles: true }));
}

function draw(formula: HTMLElement, mathOf: NonNullable<Window['tidemarkFormula']>): void {
  const text = formula.textContent ?? '';
  if (text.length > longest) {
    explain(formula, t("Couldn't render it: longer than {0} characters", longest));
    return;
  }
  const mark = /^(?:\$\$|\\[([])/.test(text) ? 2 : 1;
  try {
    const html = drawn.get(text) ?? safeFormula(mathOf(text.slice(mark, -mark).trim(), formula.matches('.display')));
    if (drawn.size >= most) drawn.clear();
    drawn.set(text, html);
    formula.innerHTML = html;
    if (formula.matches('.display')) rows.observe(formula);
  } catch (error) {
    explain(formula, t("Couldn't render it: {0}", error instanceof Error ? error.message : String(error)));
  }
}

function explain(formula: HTMLElement, why: string): void {
  formula.title = why;
}
