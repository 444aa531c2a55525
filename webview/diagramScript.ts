// The second script that turns Mermaid into a picture, loaded at the first diagram. A picture runs nothing, loads nothing and links nowhere.
import mermaid, { type MermaidConfig } from 'mermaid';
import type { DiagramLook } from './diagramLook.ts';

declare global {
  interface Window {
    /** The SVG of a diagram, as a file would have it; throws an Error that says what is wrong with the source. */
    tidemarkDiagram?: (source: string, look: DiagramLook) => Promise<string>;
  }
}

/** Beyond these a diagram could be felt while somebody types. */
const maxTextSize = 10_000;
const maxEdges = 150;

/** Would be asked for while the diagram is measured; the page's policy refuses it as well. */
const fromOutside =
  /url\s*\(|@import|image-set|@\{[^}]*\b(?:img|icon)["']?\s*:|\$sprite|(?:style|classDef)\b[^\n;]*\\/i;

let drawn = 0;

window.tidemarkDiagram = async (source, look) => {
  if (source.length > maxTextSize) throw new Error(`It is longer than ${maxTextSize} characters.`);
  if (fromOutside.test(source)) throw new Error('It asks for pictures or styles from elsewhere.');
  mermaid.initialize(configuration(look));
  const place = document.body.appendChild(document.createElement('div'));
  place.className = 'diagram-measure';
  place.inert = true;
  drawn += 1;
  try {
    const { svg } = await mermaid.render(`diagram-${drawn}`, source, place);
    return pictureOf(svg);
  } finally {
    place.remove();
  }
};

/** All that a diagram could set by itself is the page's to say. */
function configuration({ variables, fontFamily }: DiagramLook): MermaidConfig {
  return {
    securityLevel: 'strict',
    secure: [...Object.keys(mermaid.mermaidAPI.defaultConfig), 'wrap'],
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
  if (svg === null) throw new Error('It has no picture.');
  const { width, height } = svg.viewBox.baseVal;
  svg.setAttribute('width', String(Math.ceil(width)));
  svg.setAttribute('height', String(Math.ceil(height)));
  svg.removeAttribute('style');
  return new XMLSerializer().serializeToString(svg);
}
