// Looks at a view with axe-core, as it stands.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { projectRoot } from '../../harness/program.ts';

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

const source = readFileSync(join(projectRoot, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8');

/** Serious and critical findings, in words. The page around the view is the editor's own. */
export async function findings(frame: Frame): Promise<readonly string[]> {
  if (!(await frame.evaluate('"axe" in window'))) await frame.evaluate(`${source}; undefined`);
  // The view itself is transparent: what lies behind it is the editor's, and outside the frame.
  const found = (await frame.evaluate(`{
    const { style } = document.documentElement;
    style.background = 'var(--vscode-sideBar-background)';
    axe.run(document, { iframes: false, resultTypes: ['violations'] }).then(({ violations }) => {
      style.background = '';
      return violations;
    });
  }`)) as readonly Violation[];
  return found
    .filter(({ impact }) => ['serious', 'critical'].includes(impact))
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 160)} ${failureSummary.slice(0, 300)}`),
    );
}
