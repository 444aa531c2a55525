// Secrets that are known by what stands around them: the head of a key, an address, a header.

import { isMixed, isPlaceholder } from './placeholder.ts';

interface Shape {
  readonly words: string;
  readonly pattern: RegExp;
  /** The text that the group catches may be an ordinary word too: only a mixed one counts. */
  readonly mixed?: true;
}

/** A first group is the secret itself, and none where it is a placeholder. Runs are bounded: no pattern takes long. */
const shapes: readonly Shape[] = [
  {
    words: 'a private key',
    pattern:
      /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----(?:\\[nr]|[\s"'`+]){0,12}[A-Za-z0-9+/]{12}/g,
  },
  {
    words: 'an address with a password',
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/?#]{0,100}:([^\s@/?#]{1,200})@[^\s@/]/gi,
  },
  {
    words: 'an authorization header',
    pattern: /\bauthorization["'`]?\s{0,5}[:=]\s{0,5}["'`]?(?:bearer|basic|token|apikey)\s{1,5}([^\s"'`,;]{8,2000})/gi,
    mixed: true,
  },
  { words: 'a bearer token', pattern: /\bbearer\s{1,5}([\w.~+/=-]{16,2000})/gi, mixed: true },
  { words: 'a PIN', pattern: /\bpin(?:[ -]?code)?(?:\s{0,5}[:=]\s{0,5}|\s{1,5}is\s{1,5})\d{4,8}\b/gi },
];

/** In words; null for none. */
export function shapedSecret(text: string): string | null {
  return knownToken(text) ?? shapes.find((shape) => stands(shape, text))?.words ?? null;
}

function stands({ pattern, mixed }: Shape, text: string): boolean {
  return [...text.matchAll(pattern)].some(
    ([, inside]) => inside === undefined || (!isPlaceholder(inside) && (mixed !== true || isMixed(inside))),
  );
}

// Tokens that their makers gave a form of its own: a start that nothing else has, and so many signs behind it.

/** In words, and the form. Runs are bounded: no pattern takes long. */
const forms: readonly (readonly [words: string, form: string])[] = [
  ['an AWS access key', '\\b(?:A3T[A-Z0-9]|A(?:KI|SI|GP|ID|RO|IP|NP|NV)A)[A-Z0-9]{16}\\b'],
  ['a Google API key', '\\bAIza[\\w-]{35}'],
  ['a Google key', '\\bGOCSPX-[\\w-]{24,40}|\\bya29\\.[\\w-]{30,300}|(?<![\\w/])1//[\\w-]{40,200}'],
  ['an OpenAI API key', '\\bsk-(?=[\\w-]{0,60}\\d)[\\w-]{20,200}'],
  ['a GitHub token', '\\b(?:gh[pousr]_|github_pat_)\\w{20,255}'],
  ['a GitLab token', '\\bgl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat|ffct)-[\\w-]{20,100}'],
  ['a Slack token', '\\bxox[abeoprs]-[\\w-]{10,250}|\\bxapp-\\d-[\\w-]{20,250}'],
  ['a web hook', 'hooks\\.slack\\.com/(?:services|workflows|triggers)/[\\w/]{20,120}'],
  ['a web hook', '(?:web)?hooks?(?:b2)?/(?=[\\w@/-]{0,200}\\d)[\\w@-]{24,200}'],
  ['a web hook', 'discord(?:app)?\\.com/api/webhooks/\\d{1,30}/[\\w-]{20,200}'],
  [
    'a Stripe key',
    '\\b(?:[sr]k|pk)_(?:live|prod)_[A-Za-z0-9]{10,250}|\\b[sr]k_test_[A-Za-z0-9]{10,250}|\\bwhsec_[A-Za-z0-9+/=]{24,100}',
  ],
  ['an npm token', '\\bnpm_[A-Za-z0-9]{36}\\b'],
  ['a PyPI token', '\\bpypi-AgE[\\w-]{40,300}'],
  ['a Rust registry token', '\\bcio[A-Za-z0-9]{32}\\b'],
  [
    'a Hugging Face token',
    '\\b(?:hf|api_org)_[A-Za-z]{0,40}(?=[A-Za-z0-9]{0,40}\\d)[A-Za-z0-9]{20,60}\\b|\\bhf_[A-Za-z0-9]{34}\\b',
  ],
  ['a SendGrid API key', '\\bSG\\.[\\w-]{16,32}\\.[\\w-]{16,64}'],
  ['a Mailgun key', '\\bkey-[0-9a-f]{32}\\b'],
  ['a Twilio key', '\\bSK[0-9a-f]{32}\\b'],
  ['a Telegram token', '(?<![\\d:])\\d{8,10}:AA[\\w-]{32,34}(?![\\w-])'],
  ['a DigitalOcean token', '\\bdo[oprt]_v1_[0-9a-f]{64}'],
  ['a Sentry token', '\\bsntry[su]_[\\w+/=.]{40,300}'],
  ['a Mapbox token', '\\bsk\\.ey[\\w-]{20,300}\\.[\\w-]{10,100}'],
  ['an age key', 'AGE-SECRET-KEY-1[A-Z0-9]{40,80}'],
  ['a Shopify key', '\\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}'],
  ['a Databricks token', '\\bdapi[0-9a-f]{32}'],
  ['a Grafana token', '\\bgl(?:sa|c)_[\\w+/=]{30,400}'],
  ['a Vault token', '\\bhv[sbr]\\.[\\w-]{24,300}'],
  ['a Docker token', '\\bdckr_(?:pat|oat)_[\\w-]{20,80}'],
  ['a Groq API key', '\\bgsk_[A-Za-z0-9]{40,60}'],
  ['a Figma token', '\\bfig[dou][rh]?_[\\w-]{30,80}'],
  ['a Linear token', '\\blin_(?:api|oauth)_[A-Za-z0-9]{32,80}'],
  ['a Notion token', '\\b(?:ntn_[A-Za-z0-9]{40,60}|secret_[A-Za-z0-9]{43})\\b'],
  ['an Atlassian token', '\\bAT(?:ATT|CTT|BB)3?[\\w=-]{24,250}(?<=\\d[\\w=-]{0,60})'],
  ['a Postman key', '\\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}'],
  ['a New Relic key', '\\bNRAK-[A-Z0-9]{27}|\\bNRJS-[0-9a-f]{19}'],
  ['a Tailscale key', '\\btskey-[a-z]{1,12}-[\\w-]{16,100}'],
  ['a PlanetScale key', '\\bpscale_(?:tkn|pw|oauth)_[\\w.-]{32,80}'],
  ['a Supabase key', '\\bsb(?:p|_secret)_[\\w-]{20,80}'],
  ['a RubyGems key', '\\brubygems_[0-9a-f]{48}'],
  ['a Square key', '\\bsq0(?:csp|atp|idp)-[\\w-]{22,50}|\\bEAAA[\\w-]{60}'],
  ['a Facebook token', '\\bEAA[A-Za-z0-9]{80,400}'],
  ['a 1Password token', '\\bops_ey[\\w+/=-]{100,2000}'],
  ['a Netlify token', '\\bnfp_[A-Za-z0-9]{36,60}'],
  ['a Fly token', '\\bFlyV1 fm\\d_[\\w+/=,]{40,2000}|\\bfo1_[\\w-]{43}'],
  ['a Doppler token', '\\bdp\\.(?:pt|st|ct|sa|scim|audit)\\.[\\w.-]{40,80}'],
  ['a Dynatrace token', '\\bdt0[a-z]\\d{2}\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}'],
  ['a Heroku token', '\\bHRKU-[\\w-]{36,80}'],
  ['a Pulumi token', '\\bpul-[0-9a-f]{40}'],
  ['a key of Azure', '\\b(?:AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{40,100}={0,2}'],
  ['a JSON web token', '(?<![\\w-])eyJ[\\w-]{10,2000}\\.(?:[\\w-]{10,2000})'],
  [
    'a hash of a password',
    '\\$(?:apr1|1|5|6|y|2[abxy]?)\\$(?:\\d{1,2}\\$|rounds=\\d{1,9}\\$)?[\\w./]{6,30}[$\\w./]{20,120}|\\$argon2(?:id|i|d)\\$[\\w$=,+/.]{40,300}',
  ],
];

const any = new RegExp(forms.map(([, form]) => form).join('|'));
const each = forms.map(([words, form]) => [words, new RegExp(form)] as const);

/** In words; null for none. */
function knownToken(text: string): string | null {
  if (!any.test(text)) return null;
  return each.find(([, form]) => form.test(text))?.[0] ?? null;
}
