// The second script that turns LaTeX into MathML, loaded at the first formula. It knows no links, pictures, classes or styles of the text's own.
import temml from 'temml';

declare global {
  interface Window {
    /** The MathML of a formula; throws an Error that says what is wrong with it. */
    tidemarkFormula?: (source: string, display: boolean) => string;
  }
}

window.tidemarkFormula = (source, display) =>
  temml.renderToString(source, {
    displayMode: display,
    throwOnError: true,
    trust: false,
    maxExpand: 200,
    maxSize: [20, 50],
  });
