// Says in words what secretlint's rules find.

const words: Readonly<Record<string, string>> = {
  '1password': 'a 1Password token',
  anthropic: 'an Anthropic API key',
  aws: 'an AWS secret key',
  basicauth: 'an address with a password',
  cloudflare: 'a Cloudflare key',
  'database-connection-string': 'an address with a password',
  databricks: 'a Databricks token',
  docker: 'a Docker token',
  figma: 'a Figma token',
  gcp: 'a Google Cloud key',
  github: 'a GitHub token',
  gitlab: 'a GitLab token',
  grafana: 'a Grafana token',
  groq: 'a Groq API key',
  'hashicorp-vault': 'a Vault token',
  huggingface: 'a Hugging Face token',
  linear: 'a Linear token',
  notion: 'a Notion token',
  npm: 'an npm token',
  openai: 'an OpenAI API key',
  privatekey: 'a private key',
  sendgrid: 'a SendGrid API key',
  shopify: 'a Shopify key',
  slack: 'a Slack token',
  stripe: 'a Stripe key',
  tailscale: 'a Tailscale key',
  vercel: 'a Vercel token',
};

/** `rule` is a rule's whole id; one that came with a newer version is still a secret. */
export function ruleWords(rule: string): string {
  return words[rule.replace(/^@secretlint\/secretlint-rule-/, '')] ?? 'a key or a token';
}
