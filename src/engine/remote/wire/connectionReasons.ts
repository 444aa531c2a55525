// Why a connection could not be made, or broke, from what Node says of it.

/** Codes of the innermost error that has one: undici and happy eyeballs wrap them. */
function codesOf(error: unknown): readonly string[] {
  if (typeof error !== 'object' || error === null) return [];
  const { code, cause, errors } = error as {
    readonly code?: unknown;
    readonly cause?: unknown;
    readonly errors?: unknown;
  };
  const inner = [...codesOf(cause), ...(Array.isArray(errors) ? errors.flatMap(codesOf) : [])];
  return [...inner, ...(typeof code === 'string' ? [code] : [])];
}

const certificates: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'an authority that this machine does not know has signed it',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'an authority that this machine does not know has signed it',
  UNABLE_TO_GET_ISSUER_CERT: 'an authority that this machine does not know has signed it',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'an authority that this machine does not know has signed it',
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  CERT_REVOKED: 'it was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another name',
  HOSTNAME_MISMATCH: 'it is for another name',
};

/** Returns null when the error is not about the certificate. */
export function certificateReason(error: unknown): string | null {
  for (const code of codesOf(error)) {
    const known = certificates[code];
    if (known !== undefined) return known;
    if (/CERT|ISSUER/.test(code)) return code;
  }
  return null;
}

const connections: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'its name cannot be looked up now',
  EHOSTUNREACH: 'there is no way to that host',
  ENETUNREACH: 'there is no network',
  ETIMEDOUT: 'it does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
  EPROTO: 'it does not speak TLS there',
};

/** Why there was no connection; null where there was one, which broke. */
export function reasonOfConnection(error: unknown): string | null {
  for (const code of codesOf(error)) {
    const known = connections[code];
    if (known !== undefined) return known;
    if (code.startsWith('ERR_SSL')) return 'it does not speak TLS there';
  }
  return null;
}
