// Diagrams of answers: drawn one at a time while nothing else is to do, shown as pictures beside their source, drawn again for another theme.
import { idle } from '../shared/idle.ts';
import { t } from '../shared/l10n.ts';
import { diagramLook } from './diagramLook.ts';
import { loadScript } from './secondScript.ts';

const waiting = new Set<HTMLElement>();
let drawing = false;

/** Asks for the pictures of all whole diagrams below an element. */
export function drawDiagrams(root: ParentNode): void {
  for (const block of root.querySelectorAll<HTMLElement>('.diagram')) waiting.add(block);
  if (waiting.size > 0 && !drawing) void drawAll();
}

async function drawAll(): Promise<void> {
  drawing = true;
  for (const block of waiting) {
    await idle();
    waiting.delete(block);
    if (!block.isConnected) continue;
    await draw(block).catch((error: unknown) => fail(block, error));
    block.dispatchEvent(new CustomEvent('drawn', { bubbles: true }));
  }
  drawing = false;
}

async function draw(block: HTMLElement): Promise<void> {
  await loadScript('mermaid.js');
  const source = block.querySelector('pre')?.textContent ?? '';
  const svg = await window.tidemarkDiagram?.(source, diagramLook());
  if (svg === undefined) throw new Error(t("Couldn't render diagrams. Reload the view."));
  const picture = block.querySelector('img') ?? new Image();
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  picture.src = address;
  try {
    await picture.decode();
  } finally {
    URL.revokeObjectURL(address);
  }
  if (!picture.isConnected) addPicture(block, picture, source);
  block.querySelector('.diagram-wrong')?.remove();
  block.dataset.show ??= 'diagram';
  mark(block);
}

/** The switch in the block's head, and below it a button that holds the picture and shows it in its own size. */
function addPicture(block: HTMLElement, picture: HTMLImageElement, source: string): void {
  picture.alt = source;
  const frame = button('diagram-picture', t('Actual size'), picture);
  frame.setAttribute('aria-pressed', 'false');
  frame.onclick = () => {
    const large = block.classList.toggle('large');
    frame.setAttribute('aria-pressed', String(large));
  };
  block.append(frame);
  const choice = document.createElement('span');
  choice.className = 'diagram-switch';
  choice.setAttribute('role', 'group');
  choice.setAttribute('aria-label', t('Show as'));
  for (const [show, name] of [
    ['diagram', t('Diagram')],
    ['source', t('Source')],
  ] as const) {
    const one = button('diagram-show', null, name);
    one.dataset.show = show;
    one.onclick = () => {
      block.dataset.show = show;
      mark(block);
    };
    choice.append(one);
  }
  block.querySelector('.code-language')?.after(choice);
}

function button(name: string, title: string | null, content: string | Node): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = name;
  if (title !== null) made.title = title;
  made.append(content);
  return made;
}

function mark(block: HTMLElement): void {
  for (const one of block.querySelectorAll<HTMLElement>('.diagram-show'))
    one.setAttribute('aria-pressed', String(one.dataset.show === block.dataset.show));
}

/** The source is shown, with the first line of what is wrong with it. */
function fail(block: HTMLElement, error: unknown): void {
  const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  const words = block.querySelector('.diagram-wrong') ?? document.createElement('div');
  words.className = 'diagram-wrong';
  words.textContent = t("Couldn't render it. {0}", why.replace(/:$/, '.'));
  block.querySelector('.code-head')?.after(words);
  delete block.dataset.show;
}

let look = '';

/** The theme's variables come with its class or behind it, so they are compared in the next frame. */
function seeTheme(): void {
  requestAnimationFrame(() => {
    const now = JSON.stringify(diagramLook());
    if (now !== look && look !== '') drawDiagrams(document);
    look = now;
  });
}

export function followTheme(): void {
  const watcher = new MutationObserver(seeTheme);
  watcher.observe(document.body, { attributeFilter: ['class', 'data-vscode-theme-id'] });
  watcher.observe(document.documentElement, { attributeFilter: ['style'] });
  seeTheme();
}
