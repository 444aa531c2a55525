// The second script that turns Mermaid into a picture, loaded at the first diagram. A picture runs nothing, loads nothing and links nowhere.
import mermaid, { type MermaidConfig } from 'mermaid';
import { t } from '../shared/l10n.ts';
import type { DiagramLook } from './diagramLook.ts';

declare global {
  interface Window {
    /** The SVG of a diagram, as a file would have it; throws an Error that says what is wrong with the source. */
    tidemarkDiagram?: (source: string, look: DiagramLook) => Promise<string>;
  }
}

/** Beyond these drawing, which cannot be interrupted, may take longer than a second. */
const maxTextSize = 5000;
const maxLines = 100;
const maxEdges = 100;

/** Would be asked for while the diagram is measured; the page's policy refuses it as well. */
const fromOutside =
  /url\s*\(|@import|image-set|@\{[^}]*\b(?:img|icon)["']?\s*:|\$sprite|(?:style|classDef)\b[^\n;]*\\/i;

let drawn = 0;

window.tidemarkDiagram = async (source, look) => {
  if (source.length > maxTextSize) throw new Error(t('It is longer than {0} characters.', maxTextSize));
  if (source.split(/[\n;]/).length > maxLines + 1) throw new Error(t('It has more than {0} lines.', maxLines));
  if (fromOutside.test(source)) throw new Error(t('It references external resources.'));
  mermaid.initialize(configuration(look));
  const place = document.body.appendChild(document.createElement('div'));
  place.className = 'diagram-measure';
  place.inert = true;
  drawn += 1;
  try {
    const { svg } = await mermaid.render(`diagram-${drawn}`, withoutTags(source), place);
    return pictureOf(svg);
  } finally {
    place.remove();
  }
};

/**
 * A tag in a label is words; line breaks, and marks such as `<<interface>>`, are Mermaid's own. The menus of a sequence's
 * actors are left out: a picture opens none.
 */
function withoutTags(source: string): string {
  const tags = /<<[\w-]+>>|<br\s*\/?>|<(?=[a-z/!?])/gi;
  const menus = /^\s*sequenceDiagram/m.test(source)
    ? /(^|[\n;])\s*(?:links?|properties|details)\s+[^:\n;>-]+:[^\n]*/gi
    : /$^/;
  return source.replace(menus, '$1').replace(tags, (found) => (found === '<' ? '#lt;' : found));
}

/** Settings that have no default, so that they are not among its keys. */
const unset = [
  'htmlLabels',
  'themeCSS',
  'themeVariables',
  'altFontFamily',
  'wrap',
  'dompurifyConfig',
  'deterministicIDSeed',
];

/** All that a diagram could set by itself is the page's to say. */
function configuration({ variables, fontFamily }: DiagramLook): MermaidConfig {
  return {
    securityLevel: 'strict',
    secure: [...Object.keys(mermaid.mermaidAPI.defaultConfig), ...unset],
    startOnLoad: false,
    suppressErrorRendering: true,
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    class: { htmlLabels: false },
    logLevel: 'fatal',
    maxTextSize,
    maxEdges,
    layout: 'dagre',
    look: 'classic',
    theme: 'base',
    themeVariables: { ...variables, fontFamily },
    fontFamily,
  };
}

/** As XML, with the size it would have on its own. */
function pictureOf(html: string): string {
  const svg = new DOMParser().parseFromString(html, 'text/html').querySelector('svg');
  if (svg === null) throw new Error(t('It has no picture.'));
  const { width, height } = svg.viewBox.baseVal;
  svg.setAttribute('width', String(Math.ceil(width)));
  svg.setAttribute('height', String(Math.ceil(height)));
  svg.removeAttribute('style');
  centreStates(svg);
  for (const link of svg.querySelectorAll('a')) for (const name of ['href', 'xlink:href']) link.removeAttribute(name);
  return new XMLSerializer().serializeToString(svg);
}

/** Mermaid leaves the name of a state at the left of its box, where no HTML may centre it. */
function centreStates(svg: SVGElement): void {
  for (const label of svg.querySelectorAll('.statediagram-state > .basic + .label')) {
    const down = /,\s*(-?[\d.]+)\)/.exec(label.getAttribute('transform') ?? '')?.[1] ?? '0';
    label.setAttribute('transform', `translate(0, ${down})`);
    label.querySelector('text')?.setAttribute('text-anchor', 'middle');
  }
}
