// A part of a file behind imports: those that the file has are no part of it, and the others go to the file's imports.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitCode } from '../../../src/edits/blocks/fitCode.ts';
import { changedText } from '../../../src/edits/blocks/placeChange.ts';
import { notOpen } from '../../../src/edits/blocks/places.ts';

function placed(base: string, code: string, path: string): string {
  const fit = fitCode(base, code, path, notOpen);
  assert.equal(fit.is, 'change', JSON.stringify(fit).slice(0, 300));
  if (fit.is !== 'change') return '';
  assert.equal(fit.doubt, '');
  return changedText(base, fit.change);
}

const operations = `"""
Operations on documents.
"""
def delete(field):
    """Delete a field."""
    def transform(doc):
        del doc[field]

    return transform


def increment(field):
    """Increment a field."""
    def transform(doc):
        doc[field] += 1

    return transform


def decrement(field):
    def transform(doc):
        doc[field] -= 1

    return transform
`;
const increment = `def increment(field, step=1):
    """Increment a field by a step."""
    def transform(doc):
        doc[field] += step

    return transform
`;
const wanted = operations.replace(/def increment[\s\S]*?return transform\n/, increment);

test('a function behind imports goes over the one of its name, and the imports behind the text that heads the file', () => {
  const now = placed(operations, `from typing import Any\nimport copy\n\n\n${increment}`, 'operations.py');
  assert.equal(now, wanted.replace('"""\ndef delete', '"""\nfrom typing import Any\nimport copy\n\ndef delete'));
});

test('imports that the file has are no part of the block, however they are spelled', () => {
  const base = `import os\nfrom typing import Any, Callable\n\n\n${operations.slice(operations.indexOf('def'))}`;
  const code = `from typing import Callable\nimport os\n\n${increment}`;
  const now = placed(base, code, 'operations.py');
  assert.equal(now, base.replace(/def increment[\s\S]*?return transform\n/, increment));
  const more = placed(base, `from typing import Any, Mapping\n\n${increment}`, 'operations.py');
  assert.equal(more, now.replace('Any, Callable\n', 'Any, Callable\nfrom typing import Mapping\n'));
});

const tide = `import { readFile } from 'node:fs/promises';
import {
  high,
  low,
} from './levels';

// The tide at a place.
export function tide(place: string): number {
  return high(place) - low(place);
}

export function wave(place: string): number {
  return tide(place) / 2;
}
`;

test('names that a module lacks come in an import of their own, and code between stays', () => {
  const code = `// src/tide.ts
import { high, low, mean } from "./levels";
import { join } from 'node:path';

export function wave(place: string): number {
  return tide(place) / mean(place);
}
`;
  const now = placed(tide, code, 'src/tide.ts');
  const imports = `import { mean } from "./levels";\nimport { join } from 'node:path';\n`;
  assert.equal(
    now,
    tide.replace("} from './levels';\n", `} from './levels';\n${imports}`).replace('/ 2', '/ mean(place)'),
  );
});

test('a whole file with its imports is the whole file', () => {
  const whole = tide.replace('/ 2', '/ 3').replace('high,\n', 'high,\n  mean,\n');
  assert.equal(placed(tide, whole, 'src/tide.ts'), whole);
});

test('behind imports a block without a place has none', () => {
  const fit = fitCode(operations, 'import os\n\nprint(os.name)\n', 'operations.py', notOpen);
  assert.equal(fit.is, 'choice');
});

test('imports of the file that a block leaves out stay, and so does what stands behind them', () => {
  const base = "import a from 'a';\nimport b from 'b';\nsetup();\n\nfunction main() {\n  return a(b());\n}\nlet b2;\n";
  const code = "import a from 'a';\nimport c from 'c';\n\nfunction main() {\n  return c(a());\n}\n";
  const now = placed(base, code, 'imports.js');
  assert.equal(now, base.replace("'b';\n", "'b';\nimport c from 'c';\n").replace('a(b())', 'c(a())'));
});

test('a new function behind imports comes to the end, its imports to the others, and none of the file itself', () => {
  const file = "import { a } from './a.ts';\n\nexport function collapse(text: string) {\n  return a(text);\n}\n";
  const code =
    "import { collapse } from './text';\nimport { b } from './b.ts';\n\nexport function truncate(text: string) {\n  return b(collapse(text));\n}\n";
  const put = fitCode(file, code, 'src/text.ts', notOpen);
  assert.equal(
    put.is === 'change' && changedText(file, put.change),
    `${file.replace("'./a.ts';\n", "'./a.ts';\nimport { b } from './b.ts';\n")}\n${code.slice(code.indexOf('export'))}`,
  );
});
