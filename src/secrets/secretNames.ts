// Files that hold secrets by their names: all of what they say, or what stands in them beside their name.

const whole =
  /(?:^|\/)(?:[^/]*\.env(?:\.[^/]*)?|\.?env(?:[._-](?:prod\w*|dev\w*|local|staging|test|list|secret\w*|bak|old|backup))+|env|\.envrc|env\.list|[._]?(?:npmrc|netrc|pypirc|pgpass|my\.cnf|htpasswd|git-credentials|dockercfg|s3cfg|boto)|\.yarnrc\.yml|id_(?:rsa|dsa|ecdsa|ed25519)[^/]*|[^/]*\.(?:key|p12|pfx|jks|keystore|kdbx?|ppk|gpg|ovpn|tfstate|tfvars)(?:\.(?:txt|bak|old|backup))?|[^/]*\.(?:pem|asc)|(?:[\w.-]*[._-])?(?:secrets?|credentials?|service[-_]?account|adminsdk)(?:[._-][\w.-]*)?\.(?:json|ya?ml|toml|ini|properties|txt|xml|csv|cfg|conf)|(?:[\w.-]*[._-])?client[-_]secrets?[\w.-]*\.json|kubeconfig(?:\.ya?ml)?|\.kube\/config|\.docker\/config\.json|\.aws\/\w+|secrets?|credentials?|deploy[-_]key|passwords?(?:\.(?:csv|txt|json|ya?ml|xlsx?|md))|wp-config\.php\.bak)$/i;
const sample =
  /\.(?:example|sample|template|dist|defaults?|tmpl)(?:\.\w+)?$|(?:^|[/._-])(?:example|sample|template)[._-]/i;
const beside =
  /(?:^|[/._-])(?:tokens?|keys?|api[-_]?keys?|passwords?|passwd|auth|secrets?|credentials?|vault|pgpass|htpasswd|netrc)(?:[._-][^/]*)?\.(?:json|ya?ml|toml|ini|properties|txt|xml|csv|cfg|conf|env|list|md)$/i;

/** Every line of it that says something counts as a secret. Paths have `/` between their parts. */
export function holdsSecrets(path: string): boolean {
  return whole.test(path) && !sample.test(path);
}

/** Its name is a word of credentials beside each of its lines. */
export function isAboutSecrets(path: string): boolean {
  return beside.test(path);
}
