// Tells what only stands where a secret would stand: variables, masks, names of types, and words for "fill this in".

const whole = [
  /^\$\{?[A-Za-z_]\w*\}?$/,
  /^%\w+%$/,
  /^\$?\{\{?[^}]*\}?\}?$/,
  /^\$\(/,
  /^<[^>]*>?/,
  /^\[[^\]]*\]?$/,
  /^(.)\1+$/u,
  /^[.…*•xX_-]+$/u,
  // A name of a constant, as in AUTH_TOKEN.
  /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/,
  /^(?:your|insert|enter|put|replace|example|dummy|fake|sample|placeholder)[-_][a-z_-]*$/i,
  /^your[a-z_-]+$/i,
];
const meant = new Set(
  'password passwd passphrase pass pw pwd user username secret token key apikey api_key api-key redacted hidden masked removed omitted changeme example placeholder dummy p@ssw0rd p@ssword pa$$word passw0rd'.split(
    ' ',
  ),
);

export function isPlaceholder(value: string): boolean {
  return meant.has(value.toLowerCase()) || whole.some((pattern) => pattern.test(value));
}

/** Whether no word or name is written like this: letters and digits, or capitals inside. */
export function isMixed(value: string): boolean {
  return (/\d/.test(value) && /[A-Za-z]/.test(value)) || (/[a-z][A-Z]/.test(value) && /[A-Z]{2}|=$/.test(value));
}
