// How a diagram looks: the editor's theme as Mermaid's variables. Mermaid counts with colours, so they are opaque here.

export interface DiagramLook {
  readonly variables: Readonly<Record<string, string | boolean | Readonly<Record<string, string>>>>;
  readonly fontFamily: string;
}

type Colour = readonly [red: number, green: number, blue: number, alpha: number];

/** Reads the theme as it is now. */
export function diagramLook(): DiagramLook {
  const probe = document.body.appendChild(document.createElement('span'));
  const read = (...names: readonly string[]): Colour => {
    probe.style.color = names.reduceRight((rest, name) => `var(--vscode-${name}${rest === '' ? '' : `, ${rest}`})`, '');
    return parse(getComputedStyle(probe).color);
  };
  const paper = over(read('editor-background'), [255, 255, 255, 1]);
  const ink = over(read('editor-foreground', 'foreground'), paper);
  const contrast = document.body.matches('.vscode-high-contrast, .vscode-high-contrast-light');
  const edge = contrast ? over(read('contrastBorder', 'editor-foreground'), paper) : null;
  const lines = contrast ? ink : over(read('descriptionForeground', 'foreground'), paper);
  const hues = ['blue', 'green', 'purple', 'orange', 'yellow', 'red'].map((name) =>
    over(read(`charts-${name}`, 'foreground'), paper),
  );
  const { fontFamily, fontSize } = getComputedStyle(document.body);
  probe.remove();
  const fills = hues.map((hue) => css(contrast ? paper : mix(hue, paper, 0.18)));
  const borders = hues.map((hue) => css(edge ?? mix(hue, paper, 0.8)));
  const dark = brightness(paper) < 128;
  const variables = {
    darkMode: dark,
    background: css(paper),
    ...areas(fills, borders, css(ink)),
    ...strokes(css(ink), css(lines), css(paper)),
    ...series(fills, borders, css(ink), css(paper)),
    ...charts(fills, borders, css(ink)),
    fontSize,
  };
  return { variables, fontFamily };
}

function areas(fills: readonly string[], borders: readonly string[], ink: string): Record<string, string> {
  const [first = '', second = '', third = '', , note = '', wrong = ''] = fills;
  const [edge = '', edgeOfSecond = '', edgeOfThird = '', , edgeOfNote = '', edgeOfWrong = ''] = borders;
  return {
    primaryColor: first,
    primaryTextColor: ink,
    primaryBorderColor: edge,
    secondaryColor: second,
    secondaryTextColor: ink,
    secondaryBorderColor: edgeOfSecond,
    tertiaryColor: third,
    tertiaryTextColor: ink,
    tertiaryBorderColor: edgeOfThird,
    noteBkgColor: note,
    noteTextColor: ink,
    noteBorderColor: edgeOfNote,
    critBkgColor: wrong,
    critBorderColor: edgeOfWrong,
    errorBkgColor: wrong,
    errorTextColor: ink,
  };
}

function strokes(ink: string, lines: string, paper: string): Record<string, string> {
  return {
    lineColor: lines,
    textColor: ink,
    titleColor: ink,
    edgeLabelBackground: paper,
    labelTextColor: ink,
    loopTextColor: ink,
    signalColor: lines,
    signalTextColor: ink,
    actorLineColor: lines,
    transitionColor: lines,
    classText: ink,
    taskTextColor: ink,
    taskTextDarkColor: ink,
    taskTextLightColor: ink,
    taskTextOutsideColor: ink,
    pieTitleTextColor: ink,
    pieSectionTextColor: ink,
    pieLegendTextColor: ink,
    pieStrokeColor: lines,
    pieOuterStrokeColor: lines,
  };
}

/** What stands beside each other: slices, branches, sections. */
function series(
  fills: readonly string[],
  borders: readonly string[],
  ink: string,
  paper: string,
): Record<string, string> {
  const at = (values: readonly string[], i: number) => values[i % values.length] ?? ink;
  const entries = Array.from({ length: 12 }, (_, i) => [
    [`cScale${i}`, at(fills, i)],
    [`cScalePeer${i}`, at(borders, i)],
    [`cScaleInv${i}`, at(borders, i)],
    [`cScaleLabel${i}`, ink],
    [`pie${i + 1}`, at(fills, i)],
    [`fillType${i}`, at(fills, i)],
    [`git${i}`, at(borders, i)],
    [`gitInv${i}`, at(fills, i)],
    [`gitBranchLabel${i}`, paper],
  ]);
  return Object.fromEntries(entries.flat());
}

/** Kinds that have their colours to themselves. */
function charts(fills: readonly string[], borders: readonly string[], ink: string) {
  const [fill = ''] = fills;
  const [edge = ''] = borders;
  return {
    commitLabelColor: ink,
    commitLabelBackground: fill,
    quadrantPointFill: edge,
    quadrantPointTextFill: ink,
    xyChart: { plotColorPalette: borders.join(',') },
    packet: {
      startByteColor: ink,
      endByteColor: ink,
      labelColor: ink,
      titleColor: ink,
      blockStrokeColor: edge,
      blockFillColor: fill,
    },
  };
}

function parse(words: string): Colour {
  const [red = 0, green = 0, blue = 0, alpha = 1] = (words.match(/[\d.]+/g) ?? []).map(Number);
  return words.startsWith('color(') ? [red * 255, green * 255, blue * 255, alpha] : [red, green, blue, alpha];
}

/** A colour as it is seen on another one. */
function over([red, green, blue, alpha]: Colour, under: Colour): Colour {
  return mix([red, green, blue, 1], under, alpha);
}

function mix(a: Colour, b: Colour, share: number): Colour {
  const part = (i: 0 | 1 | 2) => a[i] * share + b[i] * (1 - share);
  return [part(0), part(1), part(2), 1];
}

function css([red, green, blue]: Colour): string {
  return `#${[red, green, blue].map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

function brightness([red, green, blue]: Colour): number {
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}
