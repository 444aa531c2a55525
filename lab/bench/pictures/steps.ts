// `npm run bench -- steps`: the pictures of the walkthrough's later steps, from the real editor with the scripted model of the tests.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { sendMessage } from '../../../test/harness/panel.ts';
import { projectRoot } from '../../../test/harness/program.ts';
import { temporary } from '../../../test/temporary.ts';
import { setTheme, setWidth, themes } from '../../../test/ui/scenes/panelSteps.ts';
import { openScriptedPanel } from '../../../test/ui/scenes/scriptedPanel.ts';

const folder = temporary('tm-steps-');
const former = 'export function feet(meters: number) {\n  return meters * 3.28;\n}\n';
writeFileSync(join(folder, 'units.ts'), former);
writeFileSync(join(folder, 'price.ts'), 'const [price, count] = [3, 4];\nlet total = 0;\n');

const panel = await openScriptedPanel(folder, 'scripted-fills', { 'tidemark.completion.enabled': true });
const { page, chat } = panel;
page.setDefaultTimeout(30_000);
await setWidth(page, 440);

async function openFile(name: string): Promise<void> {
  await page.keyboard.press('Control+p');
  await page.locator('.quick-input-widget input[type="text"]').fill(name);
  await page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().click();
  await page.locator('.tab.active', { hasText: name }).waitFor();
  await page.locator('.editor-instance .view-line').first().click();
}

/** The top of the editor in both themes, each time after what is to be seen was done: a change of the theme closes it. `top`: of the page, in pixels. */
async function keep(name: string, { top, height }: { top: number; height: number }, act: () => Promise<void>) {
  for (const look of ['dark', 'light'] as const) {
    await setTheme(page, themes[look]);
    await act();
    // The box of an edit stands before the editor and reaches beyond it.
    const boxes = await Promise.all(
      ['.part.editor', '.quick-input-widget'].map((of) => page.locator(of).boundingBox()),
    );
    const x = Math.min(...boxes.flatMap((box) => (box === null ? [] : [box.x])));
    const picture = await page.screenshot({ clip: { x, y: top, width: 620, height }, animations: 'disabled' });
    const small = await sharp(picture).png({ palette: true, colours: 48, effort: 10 }).toBuffer();
    writeFileSync(join(projectRoot, 'media', 'walkthrough', `${name}-${look}.png`), small);
  }
}

await openFile('units.ts');
const block = '```ts units.ts\nexport function feet(meters: number) {\n  return meters * 3.28084;\n}\n```';
await sendMessage(chat, `Answer with:\n${block}\nEnd.`);
await chat.locator('[data-running="false"]').waitFor();
await chat.locator('.message.assistant').getByText('Apply', { exact: true }).first().click();
await page.locator('.codelens-decoration', { hasText: 'Keep' }).first().waitFor();
await keep('apply', { top: 36, height: 220 }, async () => undefined);

await keep('edit', { top: 0, height: 256 }, async () => {
  await page.locator('.editor-instance .view-line').first().click();
  for (const key of ['Control+Home', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Control+Alt+r'])
    await page.keyboard.press(key);
  const cost = page.locator('.quick-input-widget').filter({ hasText: /tokens to read/ });
  await cost.waitFor();
  await page.keyboard.type('also convert to inches');
  await page.waitForTimeout(500);
});
await page.keyboard.press('Escape');

await openFile('price.ts');
await keep('suggestion', { top: 36, height: 160 }, async () => {
  await page.locator('.editor-instance .view-line').first().click();
  await page.keyboard.press('Control+Home');
  for (const key of ['ArrowDown', 'ArrowDown', 'Shift+Control+End', 'Delete']) await page.keyboard.press(key);
  await page.keyboard.type('total = ');
  await page.locator('.ghost-text-decoration, .ghost-text').first().waitFor();
});
await panel.close();
