// A twin that answers wrongly, in ways that a test names.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { authorityPem } from '../../../lab/servers/certificates.ts';
import { serverParams } from '../../../lab/servers/serverParams.ts';
import type { Meddle } from '../../../lab/servers/twinServer.ts';
import { wordFault } from '../../../src/core/faults/faults.ts';
import type { ServerProblem } from '../../../src/core/faults/serverFaults.ts';
import { openServer } from '../../../src/engine/remote/openServer.ts';
import type { WorkerEngine } from '../../../src/engine/workerEngine.ts';
import type { ServerParams } from '../../../src/protocol/engine.ts';
import { temporary } from '../../temporary.ts';
import { faultIn } from '../scenes/engineUnderTest.ts';

export const patience = { short: 600, long: 300 };
export const caFile = join(temporary('tm-authority-'), 'authority.pem');
writeFileSync(caFile, authorityPem);

export function openAt(url: string, params: Partial<ServerParams> = {}): Promise<WorkerEngine> {
  return openServer(
    { ...serverParams(url), kind: 'llama-server', ...params },
    { slots: 1, contextSize: 4096 },
    patience,
  );
}

/** Its words say what to do, and it came in time. */
export async function problemIn(promise: Promise<unknown>, from = performance.now()): Promise<ServerProblem> {
  const fault = await faultIn(promise);
  assert.ok(performance.now() - from < 12_000, 'it took too long');
  const { message, advice, actions } = wordFault(fault);
  assert.ok(message.length > 10 && advice.length > 10 && actions.length > 0);
  if (fault.kind !== 'server') throw new Error(`${fault.kind}: ${message}`);
  return fault.problem;
}

export const json = (value: unknown, status = 200): Meddle => {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof value === 'string' ? value : JSON.stringify(value));
    return true;
  };
};
export const only = (path: string, meddle: Meddle): Meddle => {
  return (asked, response) => asked.path === path && meddle(asked, response);
};
export const html: Meddle = (_, response) => {
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end('<!doctype html><title>Sign in</title>');
  return true;
};
export const redirect: Meddle = (_, response) => {
  response.writeHead(302, { location: 'https://elsewhere.example/' });
  response.end();
  return true;
};
export const reset: Meddle = (_, response) => {
  response.socket?.resetAndDestroy();
  return true;
};
export const short: Meddle = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 });
  response.write('{"default_generation');
  setTimeout(() => response.destroy(), 20);
  return true;
};
export const silent: Meddle = () => true;
export const headOnly: Meddle = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{');
  return true;
};
