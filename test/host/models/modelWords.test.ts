// Tests what the user is told before, while and after a model is fetched.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asksAgain, offerWords, planWords, progressWords } from '../../../src/host/models/modelWords.ts';

const offer = {
  name: 'm.gguf',
  host: 'huggingface.co',
  encrypted: true,
  bytes: { count: 4.68e9, about: true },
  licence: 'Apache-2.0',
  folder: '/models',
  free: 52e9,
};

test('an offer names file, host, size, licence, folder, and what the network is used for', () => {
  const { message, detail } = offerWords(offer);
  assert.equal(message, 'Download m.gguf from huggingface.co?');
  assert.match(detail, /^Size: about 4\.7 GB\nLicense: Apache-2\.0\nTo: \/models \(52\.0 GB free\)\.\n/);
  assert.match(detail, /haven't verified[\s\S]*redirected[\s\S]*only for this/);
  assert.doesNotMatch(detail, /not encrypted/);
});

test('what is not known is said, and so is a connection that is not encrypted', () => {
  const { detail } = offerWords({ ...offer, bytes: 'unasked', licence: null, free: null, encrypted: false });
  assert.match(
    detail,
    /^Size: unknown\. The server is asked[\s\S]*License: unknown[\s\S]*To: \/models\.\n[\s\S]*not encrypted/,
  );
});

test('the user is asked again when more comes than was agreed to', () => {
  const agreed = { count: 100, about: true };
  assert.deepEqual([asksAgain(agreed, 90), asksAgain(agreed, 110), asksAgain(agreed, 111)], [false, false, true]);
  assert.deepEqual([asksAgain('unasked', 5), asksAgain('unasked', null), asksAgain(agreed, null)], [true, true, false]);
  assert.match(offerWords({ ...offer, bytes: 'untold' }).detail, /^Size: unknown\. It may be/);
});

test('progress says how much is there, how fast it comes and how long it takes', () => {
  const progress = { state: 'receiving', bytes: 1.2e9, total: 4.7e9, why: '' } as const;
  assert.equal(progressWords(progress, 25e6), '1.2 GB of 4.7 GB · 25 MB/s · 3 min left');
  assert.equal(progressWords({ ...progress, total: null }, 25e6), '1.2 GB · 25 MB/s');
  assert.match(progressWords({ ...progress, total: 2.75e9 }, 25e6), /62 s left$/);
  assert.equal(progressWords({ ...progress, total: 400e9 }, 25e6), '1.2 GB of 400.0 GB · 25 MB/s · 4 h 26 min left');
  assert.equal(progressWords({ ...progress, state: 'checking' }, 0), 'checking its SHA-256: 1.2 GB of 4.7 GB');
  assert.equal(progressWords({ ...progress, state: 'elsewhere' }, 0), '1.2 GB of 4.7 GB · another window downloads it');
  assert.match(
    progressWords({ ...progress, state: 'waiting', why: 'X cut the connection.' }, 0),
    /trying again\. X cut/,
  );
});

test('a file that lies here fits, is tight, or is too large', () => {
  const wanted = { window: 1, slots: 1, conversations: 1, free: { ram: 10e9, gpu: 0 }, allowed: null };
  const plan = {
    window: 1,
    conversations: 1,
    slots: 1,
    wanted,
    weights: 0,
    compute: 0,
    kv: 0,
    kvPerToken: 0,
    kinds: { experts: 0, attention: 0, recurrent: 0, windowed: 0 },
    isWindowed: false,
    checkpoints: { each: 0, most: 0 },
    passing: 0,
    beside: null,
  };
  const words = (ram: number, repacked: number) => planWords({ ...plan, repacked, needed: { ram, gpu: 0 } });
  assert.equal(words(6e9, 1e9), 'Fits: needs about 5.0 GB of 10.0 GB free memory.');
  assert.match(words(11e9, 4e9), /^Tight: needs about 7\.0 GB/);
  assert.match(words(12e9, 1e9), /^Too large for now: needs about 11\.0 GB/);
});
