// Checks a value of a setting with parts against its JSON schema, and says in words where it is wrong.
import { Ajv } from 'ajv';

/** Made when the first value is checked: every start of the editor would pay for it. */
let ajv: Ajv | undefined;

/** Says what is wrong with the value; null where nothing is. */
export function problemIn(schema: object, value: unknown): string | null {
  ajv ??= new Ajv({ strict: false, validateSchema: false });
  const validate = ajv.compile(schema);
  if (validate(value)) return null;
  const { instancePath = '', message = 'it is not valid', params } = validate.errors?.[0] ?? {};
  const steps = instancePath.slice(1).split('/');
  // A slash and a tilde in a name are written so in a JSON pointer.
  const place = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')).join('.') || 'it';
  const named = [params?.additionalProperty, params?.allowedValues].find((detail) => detail !== undefined);
  return `${place} ${message}${named === undefined ? '' : `: ${[named].flat().join(', ')}`}`;
}
