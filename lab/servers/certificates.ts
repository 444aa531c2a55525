// Certificates made at test time: an authority, and servers that it signed or not. X.509 v3 (RFC 5280) in DER, signed with ECDSA (P-256).
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

export interface Certificate {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
}

interface Authority extends Certificate {
  readonly name: Buffer;
  readonly signer: KeyObject;
}

const tagged = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const { length } = body;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
};
const sequence = (...parts: readonly Buffer[]) => tagged(0x30, ...parts);
const object = (...bytes: readonly number[]) => tagged(0x06, Buffer.from(bytes));
const number = (value: number) => tagged(0x02, Buffer.from([value]));
const octets = (inner: Buffer) => tagged(0x04, inner);
const yes = tagged(0x01, Buffer.from([255]));
const ecdsaWithSha256 = sequence(object(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
const nameOf = (text: string) =>
  sequence(tagged(0x31, sequence(object(0x55, 0x04, 0x03), tagged(0x0c, Buffer.from(text)))));
const time = (date: Date) => {
  const digits = date.toISOString().replace(/[-:T]|\.\d+/g, '');
  return tagged(0x18, Buffer.from(digits));
};
const pem = (der: Buffer) =>
  `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`;

const day = 86_400_000;

interface CertificateRequest {
  readonly subject: string;
  /** Days from now. */
  readonly from?: number;
  readonly to?: number;
  /** Host names and addresses of the server; none for an authority. */
  readonly names?: readonly string[];
  readonly by?: Authority;
}

function make({ subject, from = -1, to = 30, names = [], by }: CertificateRequest): Authority {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = nameOf(subject);
  const at = (days: number) => time(new Date(Date.now() + days * day));
  const alternatives = names.map((one) =>
    /^[\d.]+$/.test(one) ? tagged(0x87, Buffer.from(one.split('.').map(Number))) : tagged(0x82, Buffer.from(one)),
  );
  const extensions = [
    sequence(object(0x55, 0x1d, 0x13), yes, octets(names.length === 0 ? sequence(yes) : sequence())),
    ...(names.length === 0 ? [] : [sequence(object(0x55, 0x1d, 0x11), octets(sequence(...alternatives)))]),
  ];
  const body = sequence(
    tagged(0xa0, number(2)),
    number(1 + Math.floor(Math.random() * 100)),
    ecdsaWithSha256,
    by?.name ?? name,
    sequence(at(from), at(to)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions)),
  );
  const signature = sign('sha256', body, by?.signer ?? privateKey);
  const der = sequence(body, ecdsaWithSha256, tagged(0x03, Buffer.from([0]), signature));
  return { cert: pem(der), key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })), name, signer: privateKey };
}

const here = ['localhost', '127.0.0.1'];
const authority = make({ subject: 'Authority of a test' });

export const authorityPem = authority.cert;
export const certificates = {
  good: make({ subject: 'good', names: here, by: authority }),
  expired: make({ subject: 'expired', names: here, by: authority, from: -30, to: -1 }),
  early: make({ subject: 'early', names: here, by: authority, from: 1 }),
  otherName: make({ subject: 'other', names: ['other.example'], by: authority }),
  bySelf: make({ subject: 'self', names: here }),
} satisfies Readonly<Record<string, Certificate>>;
