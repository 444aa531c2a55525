// The page that lists every setting, made from the table in the source, so that it cannot fall behind.
import { settingGroups } from '../src/host/settings/settingTable.ts';

interface Shown {
  readonly default: unknown;
  readonly description: string;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
}

export function settingsDocument(): string {
  const groups = settingGroups.map(({ title, settings }) => {
    const rows = Object.entries<Shown>(settings).map(
      ([key, setting]) => `| \`tidemark.${key}\` | ${defaultOf(setting)} | ${wordsOf(setting)} |`,
    );
    return [`## ${title}`, '', '| Setting | Default | What it does |', '|---|---|---|', ...rows].join('\n');
  });
  const lead = [
    '# Settings',
    '',
    "All settings are in the editor's settings under *Tidemark*. Settings of a machine (model, network, stored caches) are read from your user",
    'settings only: a folder cannot set them. Those below *Advanced* and those tagged `advanced` rarely need a change.',
  ].join('\n');
  return `${[lead, ...groups].join('\n\n')}\n`;
}

function defaultOf(setting: Shown): string {
  return `\`${JSON.stringify(setting.default)}\``;
}

/** References to other settings are links in the editor, and plain names here. */
function wordsOf({ description, enum: values = [], enumDescriptions = [] }: Shown): string {
  const choices = values.map((value, i) => `\`${value}\`: ${enumDescriptions[i] ?? ''}`);
  return [description, ...choices].join('<br>').replace(/`#([\w.]+)#`/g, '`$1`');
}
