// Model files that whoever made them made to harm: too large for any reader, never at an end, or with a program in their template.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, ftruncateSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../../../src/core/faults/fault.ts';
import { FaultError, wordFault } from '../../../src/core/faults/faults.ts';
import { chatTemplate } from '../../models/scenes/chatTemplate.ts';
import { nanoModel } from '../../models/scenes/nano.ts';
import { temporary } from '../../temporary.ts';
import {
  chat,
  faultIn,
  loadParams,
  message,
  say,
  startEngine,
  words,
  workerScript,
} from '../scenes/engineUnderTest.ts';
import { endless, greedy } from '../scenes/hostileTemplates.ts';

const folder = temporary('tidemark-hostile-');
after(() => rmSync(folder, { recursive: true }));

const good = readFileSync(nanoModel());
const tensors = good.indexOf('token_embd.weight');
const dimension = tensors + 'token_embd.weight'.length + 4;
const changed = (change: (bytes: Buffer) => unknown) => {
  const bytes = Buffer.from(good);
  change(bytes);
  return bytes;
};
/** A header of one pair, a text or a list of so many bytes: the file is as large as it says, and takes no space on the disk. */
const onePair = (type: number, ...lengths: readonly bigint[]) => {
  const header = Buffer.alloc(37 + 12 * lengths.length);
  header.write('GGUF');
  header.writeUInt32LE(3, 4);
  header.writeBigUInt64LE(1n, 16);
  header.writeBigUInt64LE(1n, 24);
  header.write('k', 32);
  header.writeUInt32LE(type, 33);
  if (type === 9) header.writeUInt32LE(0, 37);
  for (const length of lengths) header.writeBigUInt64LE(length, type === 9 ? 41 : 37);
  return header;
};
const huge = 2 ** 38;

/** With the size of the file, where it is more than the bytes. */
const files: Readonly<Record<string, readonly [bytes: Buffer, size?: number]>> = {
  'an empty file': [Buffer.alloc(0)],
  'a page of the web': [Buffer.from(`<html>${' '.repeat(5000)}`)],
  'a header alone': [good.subarray(0, 2000)],
  'half of a vocabulary': [good.subarray(0, 20_000)],
  'half of a model': [good.subarray(0, good.length / 2)],
  'a model without its end': [good.subarray(0, good.length - 1000)],
  'random bytes behind the magic': [changed((bytes) => bytes.fill('tide', 4, 4000))],
  'another version': [changed((bytes) => bytes.writeUInt32LE(77, 4))],
  'more tensors than bytes': [changed((bytes) => bytes.writeBigUInt64LE(2n ** 60n, 8))],
  'more metadata than bytes': [changed((bytes) => bytes.writeBigUInt64LE(2n ** 63n, 16))],
  'an architecture of nowhere': [changed((bytes) => bytes.write('qwen9', bytes.indexOf('qwen2')))],
  'a tensor of another kind': [changed((bytes) => bytes.writeUInt32LE(200, dimension + 16))],
  'weights that are no numbers': [readFileSync(nanoModel({ weight: Number.NaN }))],
  'a text that fills the memory': [onePair(8, 2n ** 37n), huge],
  'a list that fills the memory': [onePair(9, 2n ** 37n), huge],
  'a tensor larger than any machine': [changed((bytes) => bytes.writeBigUInt64LE(2n ** 33n, dimension)), huge],
  'a tensor of sides that multiply over': [changed((bytes) => bytes.writeBigUInt64LE(2n ** 62n, dimension)), huge],
};

test('Damaged or oversized model files are refused with a reason.', async () => {
  const { client, heard } = startEngine();
  const { pid } = client;
  assert.equal(pid, undefined);
  const path = join(folder, 'bad.gguf');
  for (const [what, [bytes, size = bytes.length]] of Object.entries(files)) {
    writeFileSync(path, bytes);
    const file = openSync(path, 'r+');
    ftruncateSync(file, size);
    closeSync(file);
    const began = performance.now();
    const fault = await faultIn(client.request('load', loadParams({ modelPath: path })));
    assert.match(fault.kind, /^model(?:NotGguf|Damaged|Broken|TooLarge)$/, `${what}: ${JSON.stringify(fault)}`);
    const { message: said, advice } = wordFault(fault);
    assert.ok(said.includes('bad.gguf') && advice.length > 10, `${what}: ${said} ${advice}`);
    assert.ok(performance.now() - began < 20_000, what);
  }
  // Nor is one loaded that is larger than it may be.
  const over = await faultIn(client.request('load', loadParams({ memoryBytes: 1 << 20 })));
  assert.deepEqual([over.kind, heard.crashed], ['modelOverBudget', []]);
  assert.equal((await client.load(loadParams())).name, 'nano');
});

/**
 * Code that a template would run if it were a program: it leaves a file and ends the process. Some ways to reach it also ask for what only the
 * process knows.
 */
const acts = (mark: string) =>
  `process.getBuiltinModule("fs").writeFileSync(${JSON.stringify(mark)},"");process.exit(7)`;
const reaches: readonly ((code: string) => string)[] = [
  (code) => `{{ messages.constructor.constructor('${code}')() }}`,
  (code) => `{{ ''.constructor.constructor('${code}')() }}`,
  (code) => `{{ range.constructor('${code}')() }}`,
  (code) => `{{ namespace.constructor('${code}')() }}`,
  (code) => `{{ messages['constructor']['constructor']('${code}')() }}`,
  (code) => `{{ messages['__proto__']['constructor']['constructor']('${code}')() }}`,
  (code) => `{{ messages | map(attribute='constructor') | map(attribute='constructor') | list | first('${code}')() }}`,
  (code) =>
    `{% set ns = namespace() %}{% set ns.constructor = 1 %}{% set ns['__proto__'] = {'x': '${code}'} %}{{ ns.toString.constructor('${code}')() }}`,
  (code) => `{{ messages.__class__.__init__.__globals__['os'].system('${code}') }}{{ cycler.__init__.__globals__ }}`,
  (code) => `{{ lipsum.__globals__['eval']('${code}') }}{{ self._TemplateReference__context }}`,
  (code) => `{{ globalThis.eval('${code}') }}{{ process.exit(7) }}{{ require('fs') }}`,
  (code) => `{{ raise_exception.constructor('${code}')() }}{{ strftime_now.constructor('${code}')() }}`,
  (code) => `{% import 'node:fs' as fs %}{{ fs.writeFileSync('${code}') }}`,
  (code) => `{% include '/etc/passwd' %}{% extends 'x' %}{{ '${code}' }}`,
  (code) => `{% macro m() %}{{ caller.constructor('${code}')() }}{% endmacro %}{% call m() %}{% endcall %}`,
  (code) => `{% for x in messages.__proto__ %}{{ x }}{% endfor %}{{ (1).constructor.constructor('${code}')() }}`,
];

test('A chat template runs no code.', async () => {
  const mark = join(folder, 'RAN');
  const tried = join(folder, 'TRIED');
  // Run as JavaScript, the code does what it says.
  const child = spawn(process.execPath, ['-e', `new Function(${JSON.stringify(acts(tried))})()`]);
  assert.deepEqual([(await once(child, 'exit'))[0], existsSync(tried)], [7, true]);
  const engine = startEngine();
  await engine.client.load(loadParams());
  const { pid } = engine.client;
  const code = acts(mark).replaceAll("'", '"');
  const guarded = reaches.map((reach) => `{% if messages | length > 6 %}${reach(code)}{% endif %}`);
  for (const attack of [...reaches.map((reach) => reach(code)), ...guarded]) {
    const modelPath = nanoModel({ template: `${attack}${chatTemplate}` });
    const used = async () => {
      await engine.client.load(loadParams({ modelPath }));
      const long = Array.from({ length: 9 }, (_, i) => message(i % 2 === 0 ? 'user' : 'assistant', `Word ${i}.`));
      const spelled = await engine.client.request('spell', { prompt: chat(...long) });
      assert.doesNotMatch(spelled, /root:|function|\[native/, attack);
    };
    await used().catch((error: unknown) => assert.ok(error instanceof FaultError, `${attack}: ${error}`));
    rmSync(modelPath);
    assert.deepEqual([existsSync(mark), engine.client.pid, engine.heard.crashed], [false, pid, []], attack);
  }
});

const spins = endless.replace(chatTemplate, '');
const templates: Readonly<Record<string, string>> = {
  'that never ends': endless,
  'that only wants more memory': greedy,
  'that never ends in a long conversation': `{% if messages | length > 8 %}${spins}{% endif %}${chatTemplate}`,
};

test('An endless chat template is stopped after ten silent seconds, and named.', {
  timeout: 240_000,
}, async () => {
  const stopped = async ([what, template]: readonly [string, string]) => {
    const engine = startEngine();
    const long = chat(...Array.from({ length: 9 }, (_, i) => message(i % 2 === 0 ? 'user' : 'assistant', 'Word.')));
    let began = performance.now();
    const asking = async () => {
      await engine.client.load(loadParams({ modelPath: nanoModel({ template }) }));
      began = performance.now();
      await say(engine, long, { maxTokens: 2 });
    };
    const fault: Fault = await faultIn(asking());
    const seconds = (performance.now() - began) / 1000;
    assert.equal(fault.kind, 'templateUnusable', `${what}: ${JSON.stringify(fault)}`);
    assert.match(wordFault(fault).message, /chat template/, what);
    // The one that wants memory ends when it has what there is.
    assert.ok(seconds < 60 && (seconds > 9 || template === greedy), `${what}: ${seconds} s`);
    assert.equal((await engine.client.load(loadParams())).name, 'nano');
  };
  await Promise.all(Object.entries(templates).map(stopped));
});

/** A process that ended but was not reaped yet counts as gone. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

async function gone(pid: number): Promise<boolean> {
  for (let waited = 0; isAlive(pid) && waited < 10_000; waited += 50) await sleep(50);
  return !isAlive(pid);
}

const linux = process.platform !== 'linux' ? 'processes are looked up in /proc' : false;

test('No engine process outlives the editor.', { skip: linux, timeout: 240_000 }, async () => {
  const script = join(import.meta.dirname, '../scenes/parentOfEngine.ts');
  for (const state of ['idle', 'busy', 'in an endless template'])
    for (const signal of ['SIGKILL', 'SIGTERM', 'SIGHUP'] as const) {
      const parent = spawn(process.execPath, [script, workerScript, state], { stdio: ['ignore', 'pipe', 'inherit'] });
      const [said] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(said.toString());
      assert.ok(isAlive(pid));
      // Its prompt of thousands of words is being read then.
      if (state === 'busy') await sleep(300);
      parent.kill(signal);
      assert.ok(await gone(pid), `${state}, ${signal}: process ${pid} is still there`);
    }
  // An editor that ends in order, in the middle of an answer.
  const { client } = startEngine();
  await client.load(loadParams({ contextSize: 8192 }));
  const { pid = 0 } = client;
  const answer = faultIn(
    say({ client, heard: startEngine().heard, onPrefill: null }, chat(message('user', words(1500))), {
      maxTokens: 4000,
    }),
  );
  await client.close();
  await answer;
  assert.ok(await gone(pid));
});
