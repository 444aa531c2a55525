// The variables that a command gets.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { environmentFor } from '../../src/shell/process/environment.ts';

const own = {
  PATH: '/usr/bin',
  PIP_CERT: '/etc/ssl/company.pem',
  PIP_INDEX_URL: 'https://someone:word@packages.example/simple',
  npm_config_registry: 'https://packages.example/npm',
  HTTPS_PROXY: 'http://proxy.example:3128',
  UV_PUBLISH_TOKEN: 'abc',
  EDITOR: 'vi',
};

const namesOf = (withNetwork: boolean) =>
  Object.keys(environmentFor(own, { folder: '/work', more: [], caches: null, withNetwork })).filter(
    (name) => name in own,
  );

test('where package managers ask is told to a command that has the network, without what signs in', () => {
  assert.deepEqual(namesOf(false), ['PATH']);
  assert.deepEqual(namesOf(true), ['PATH', 'PIP_CERT', 'npm_config_registry', 'HTTPS_PROXY']);
});
